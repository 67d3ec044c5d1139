import type { MessageRecord } from '../session/store.ts';

const MAX_WORDS = 2_000;
const MAX_WORD_LENGTH = 40;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 160;

// Scripts that put no space between words: there each character counts as a word.
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const WORD = new RegExp(`[${UNSPACED}]|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+`, 'gv');

/** Distinct words as they are compared: without case and accents. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of normalise(text).matchAll(WORD)) {
    words.add(whole(word.slice(0, MAX_WORD_LENGTH)));
    if (words.size >= MAX_WORDS) break;
  }
  return [...words];
}

/** What can be found of a message: what was said and what its calls were titled; nothing while it is being made. */
export function searchableText({ message, parts }: MessageRecord): string {
  if (message.role === 'assistant' && message.ended === undefined) return '';
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool' ? (part.title ?? '') : ''))
    .filter(Boolean)
    .join('\n');
}

/** About 160 characters around the first word of `text` that starts like one of `words`, white space joined. */
export function excerptOf(text: string, words: readonly string[]): string {
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    const found = wordsOf(match[0]);
    if (!words.some((wanted) => found.some((word) => word.startsWith(wanted)))) continue;
    at = match.index;
    break;
  }
  const from = wordStart(text, Math.max(0, at - EXCERPT_BEFORE), at);
  const piece = whole(text.slice(from, from + EXCERPT_LENGTH))
    .replace(/\s+/g, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${piece}${from + EXCERPT_LENGTH < text.length ? '…' : ''}`;
}

/** Where a word was found: the session and the message's `seq`, or {@link TITLE_SEQ}. */
export type Place = readonly [sessionID: string, seq: number];

export interface Ranked {
  readonly sessionID: string;
  readonly score: number;
  /** The message that holds most of the words, the newest of those; `undefined` where only the title does. */
  readonly seq: number | undefined;
}

const TITLE_WEIGHT = 10;

/** `places`: for each word of the query, where it is. Only sessions that have every word come back, best first. */
export function rank(places: readonly (readonly Place[])[]): Ranked[] {
  const found = new Map<string, { words: Set<number>; bySeq: Map<number, Set<number>> }>();
  places.forEach((list, word) => {
    for (const [sessionID, seq] of list) {
      const session = found.get(sessionID) ?? { words: new Set(), bySeq: new Map() };
      found.set(sessionID, session);
      session.words.add(word);
      session.bySeq.set(seq, (session.bySeq.get(seq) ?? new Set()).add(word));
    }
  });
  return [...found]
    .filter(([, { words }]) => words.size === places.length)
    .map(([sessionID, { bySeq }]) => {
      let score = 0;
      let best: { seq: number; words: number } | undefined;
      for (const [seq, { size }] of bySeq) {
        score += seq < 0 ? size * TITLE_WEIGHT : size;
        if (seq >= 0 && (!best || size > best.words || (size === best.words && seq > best.seq)))
          best = { seq, words: size };
      }
      return { sessionID, score, seq: best?.seq };
    })
    .sort((a, b) => b.score - a.score);
}

function normalise(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The first start of a word in `from..to`, so that an excerpt does not begin inside one. */
function wordStart(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, to).search(/\s/);
  return space === -1 ? from : from + space + 1;
}

/** Without the half of a character that a cut may leave at either end. */
function whole(piece: string): string {
  return piece.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
