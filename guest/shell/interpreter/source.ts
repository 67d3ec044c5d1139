import { parse, type ParsedScript } from 'unbash';
import { ShellError } from './errors.ts';

/** The text that positions of nodes point into. */
export interface Source {
  readonly text: string;
  /** The name in errors and in `BASH_SOURCE`; undefined for `bash -c`. */
  readonly name?: string | undefined;
  /** The number of its first line. */
  readonly firstLine: number;
}

export interface Script {
  readonly source: Source;
  readonly tree: ParsedScript;
}

const KNOWN_MOST = 200;
const known = new Map<string, ParsedScript>();
const lines = new WeakMap<Source, number[]>();

/** Parses a script. Syntax errors are in the tree's `errors`; everything before them still runs. */
export function read(text: string, name?: string, firstLine = 1): Script {
  const source: Source = { text, name, firstLine };
  let tree = known.get(text);
  if (!tree) {
    tree = parse(text);
    if (known.size > KNOWN_MOST) known.clear();
    known.set(text, tree);
  }
  return { source, tree };
}

export class SyntaxFault extends ShellError {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message, 2);
    this.line = line;
  }
}

export function lineOf(source: Source, at: number): number {
  let starts = lines.get(source);
  if (!starts) {
    starts = [0];
    for (let next = source.text.indexOf('\n'); next >= 0; next = source.text.indexOf('\n', next + 1))
      starts.push(next + 1);
    lines.set(source, starts);
  }
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return source.firstLine + low;
}
