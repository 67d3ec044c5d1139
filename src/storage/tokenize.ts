import type { MessageRecord } from '../session/log/store.ts';

/**
 * How many characters of a text can be found. A word of some million characters would overflow the engine's stack in
 * the expression below, and a text of millions would block the page.
 */
const MAX_TEXT_LENGTH = 500_000;
const MAX_WORDS = 2_000;
const MAX_WORD_LENGTH = 40;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 160;

// Scripts without spaces between words: each character counts as a word.
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const WORD = new RegExp(`[${UNSPACED}]|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+`, 'gv');

/** Returns the distinct words in the form for comparing: without case and accents. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of normalise(text).matchAll(WORD)) {
    words.add(whole(word.slice(0, MAX_WORD_LENGTH)));
    if (words.size >= MAX_WORDS) break;
  }
  return [...words];
}

/** Returns the searchable part of a message: its text and the titles of its calls. An unfinished message has none. */
export function searchableText({ message, parts }: MessageRecord): string {
  if (message.role === 'assistant' && message.ended === undefined) return '';
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool' ? (part.title ?? '') : ''))
    .filter(Boolean)
    .join('\n');
}

/**
 * Returns about 160 characters around the first word of `text` that starts with one of `words`, with white space
 * collapsed.
 */
export function excerptOf(text: string, words: readonly string[]): string {
  let at = 0;
  for (const match of text.slice(0, MAX_TEXT_LENGTH).matchAll(WORD)) {
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

/** Where a word occurs: the session, and the message's `seq` or {@link TITLE_SEQ}. */
export type WordLocation = readonly [sessionID: string, seq: number];

export interface Ranked {
  readonly sessionID: string;
  readonly score: number;
  /** The message that contains most of the words, the newest of several; `undefined` if only the title matches. */
  readonly seq: number | undefined;
}

const TITLE_WEIGHT = 10;

/**
 * Ranks the sessions that contain every word, best first. `locations` lists for each word of the query where it
 * occurs.
 */
export function rank(locations: readonly (readonly WordLocation[])[]): Ranked[] {
  const found = new Map<string, { words: Set<number>; bySeq: Map<number, Set<number>> }>();
  locations.forEach((list, word) => {
    for (const [sessionID, seq] of list) {
      const session = found.get(sessionID) ?? { words: new Set(), bySeq: new Map() };
      found.set(sessionID, session);
      session.words.add(word);
      session.bySeq.set(seq, (session.bySeq.get(seq) ?? new Set()).add(word));
    }
  });
  return [...found]
    .filter(([, { words }]) => words.size === locations.length)
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
  const plain = text.slice(0, MAX_TEXT_LENGTH).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  // One character may become several.
  return plain.slice(0, MAX_TEXT_LENGTH);
}

/** Returns the first start of a word in `from..to`, so that an excerpt does not begin inside a word. */
function wordStart(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, to).search(/\s/);
  return space === -1 ? from : from + space + 1;
}

/** Drops the half characters that a cut may leave at either end. */
function whole(piece: string): string {
  return piece.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
