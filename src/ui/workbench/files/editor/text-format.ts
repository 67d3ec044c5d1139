/** The byte order mark, line ends and the like, which a text file keeps when it is saved. */
export interface TextFormat {
  readonly lineEnd: '\n' | '\r\n';
  readonly bom: boolean;
}

export interface FormattedText {
  /** The text with `\n` at the end of its lines, and without the byte order mark. */
  readonly text: string;
  readonly format: TextFormat;
  /** Whether the lines end in both ways. Saving makes them all end in the one that is more frequent. */
  readonly mixed: boolean;
}

const BOM = '\ufeff';
const DEFAULT_INDENT = '  ';
/** How many lines are looked at to find the indentation. */
const LOOKED_AT = 2_000;
const WIDEST = 8;

/** Null if the bytes are not UTF-8 from the first to the last. */
export function readText(bytes: Uint8Array): FormattedText | null {
  const whole = decoded(bytes);
  if (whole === null) return null;
  const bom = whole.startsWith(BOM);
  const text = bom ? whole.slice(BOM.length) : whole;
  const crlf = count(text, /\r\n/g);
  const lf = count(text, /\n/g) - crlf;
  return {
    text: crlf > 0 ? text.replaceAll('\r\n', '\n') : text,
    format: { lineEnd: crlf > lf ? '\r\n' : '\n', bom },
    mixed: crlf > 0 && lf > 0,
  };
}

export function bytesOf(text: string, { lineEnd, bom }: TextFormat): Uint8Array<ArrayBuffer> {
  const lines = lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd);
  return new Uint8Array(new TextEncoder().encode(bom ? BOM + lines : lines));
}

/**
 * One step of the text's own indentation: a tab, or the number of spaces by which its lines most often differ
 * from the line above.
 */
export function indentOf(text: string): string {
  const steps = new Map<string, number>();
  let above = 0;
  for (const line of text.split('\n', LOOKED_AT)) {
    const [space = ''] = /^[ \t]*/.exec(line) ?? [];
    if (space.length === line.length) continue;
    const step = Math.abs(space.length - above);
    if (space.startsWith('\t')) add(steps, '\t');
    else if (step > 1 && step <= WIDEST) add(steps, ' '.repeat(step));
    above = space.startsWith('\t') ? 0 : space.length;
  }
  const [most] = [...steps].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length);
  return most?.[0] ?? DEFAULT_INDENT;
}

function add(steps: Map<string, number>, step: string): void {
  steps.set(step, (steps.get(step) ?? 0) + 1);
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
