import { needObject } from '../builtins/internal/errors.ts';

interface Payload {
  readonly sources?: readonly string[];
  readonly names?: readonly string[];
  readonly mappings?: string;
  readonly [more: string]: unknown;
}

interface Entry {
  readonly generatedLine: number;
  readonly generatedColumn: number;
  readonly originalSource: string | undefined;
  readonly originalLine: number;
  readonly originalColumn: number;
  readonly name: string | undefined;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** `module.SourceMap`. Lines and columns are counted from 0, those of `findOrigin` from 1. */
export class SourceMap {
  readonly #payload: Payload;
  readonly #entries: readonly Entry[];
  readonly #lengths: readonly number[] | undefined;

  constructor(payload: Payload, { lineLengths }: { readonly lineLengths?: readonly number[] } = {}) {
    needObject(payload, 'payload');
    this.#payload = payload;
    this.#entries = entriesOf(payload);
    this.#lengths = lineLengths;
  }

  get payload(): Payload {
    return structuredClone(this.#payload);
  }

  get lineLengths(): readonly number[] | undefined {
    return this.#lengths && [...this.#lengths];
  }

  /** Returns the last entry at or before a place, or an empty object if there is none. */
  findEntry(line: number, column: number): Entry | object {
    const before = this.#entries.filter(
      (each) => each.generatedLine < line || (each.generatedLine === line && each.generatedColumn <= column),
    );
    return before.at(-1) ?? {};
  }

  findOrigin(line: number, column: number): object {
    const found = this.findEntry(line - 1, column - 1);
    if (!('originalSource' in found) || found.originalSource === undefined) return {};
    const { generatedLine, generatedColumn, originalLine, originalColumn, originalSource, name } = found;
    return {
      name,
      fileName: originalSource,
      lineNumber: originalLine + line - generatedLine,
      columnNumber: originalColumn + column - generatedColumn,
    };
  }
}

function entriesOf({ sources = [], names = [], mappings = '' }: Payload): Entry[] {
  let [source, originalLine, originalColumn, name] = [0, 0, 0, 0];
  return mappings.split(';').flatMap((line, generatedLine) => {
    let generatedColumn = 0;
    return line
      .split(',')
      .filter(Boolean)
      .map((segment) => {
        const [moved = 0, toSource, toLine = 0, toColumn = 0, toName] = numbersOf(segment);
        generatedColumn += moved;
        source += toSource ?? 0;
        originalLine += toLine;
        originalColumn += toColumn;
        name += toName ?? 0;
        return {
          generatedLine,
          generatedColumn,
          originalSource: toSource === undefined ? undefined : sources[source],
          originalLine,
          originalColumn,
          name: toName === undefined ? undefined : names[name],
        };
      });
  });
}

/** Numbers as base64 digits of five bits each, the sign last. */
function numbersOf(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const char of segment) {
    const digit = DIGITS.indexOf(char);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
