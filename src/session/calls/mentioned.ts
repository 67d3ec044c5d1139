/**
 * The possible readings of one mention, which may end in punctuation or a range of lines. The first reading
 * whose path exists counts.
 */
export type Mention = readonly MentionedFile[];

export interface MentionedFile {
  readonly path: string;
  /** The first line of the range, counted from 1. */
  readonly offset?: number;
  /** The number of lines. */
  readonly limit?: number;
}

/** Matches `@src/add.js`, `@"a name.md"` and `@src/add.js#10-20`, but not after a letter or a quote. */
const MENTION = /(?<![\w`'"@])@(?:"([^"\n]+)"|([^\s"'`<>|]+))/g;
const LINES = /#L?(\d+)(?:-L?(\d+))?$/;
const ENDS_SENTENCE = /[.,;:!?)\]}…]+$/;

/** The mentions in the person's own words. Code and quotations are pasted text and are ignored. */
export function mentionsIn(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [, quoted, bare = ''] of ownWords(text).matchAll(MENTION)) {
    const mention = quoted === undefined ? readingsOf(bare) : [{ path: quoted }];
    const [first] = mention;
    if (first && !found.has(first.path)) found.set(first.path, mention);
  }
  return [...found.values()];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const INLINE_CODE = /(?<!`)(`{1,2})(?!`).+?(?<!`)\1(?!`)/g;

/** The lines outside fenced code blocks and quotations (`> …`), without code between backticks. */
function ownWords(text: string): string {
  let open: string | undefined;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const [, fence] = FENCE.exec(line) ?? [];
    if (open === undefined && fence !== undefined) open = fence;
    else if (open !== undefined && fence?.startsWith(open)) open = undefined;
    else if (open === undefined && !/^\s*>/.test(line)) kept.push(line.replace(INLINE_CODE, '``'));
  }
  return kept.join('\n');
}

function readingsOf(named: string): Mention {
  const plain = named.replace(ENDS_SENTENCE, '');
  const [lines, first, last = first] = LINES.exec(plain) ?? [];
  const readings: MentionedFile[] = [named, plain].map((path) => ({ path }));
  const [from, to] = [Number(first), Number(last)];
  if (lines !== undefined && from >= 1 && to >= from)
    readings.push({ path: plain.slice(0, -lines.length), offset: from, limit: to - from + 1 });
  return readings.filter(({ path }, index) => path !== '' && path !== readings[index - 1]?.path);
}
