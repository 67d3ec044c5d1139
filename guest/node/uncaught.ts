import type { Place } from './loader/edits.ts';
import type { Sources } from './sources.ts';

export interface Thrown {
  readonly error: unknown;
  /** Where it was thrown, in what runs, where the platform says. */
  readonly file?: string;
  readonly place?: Place;
}

/** What node writes on standard error when nobody catches this. */
export function uncaughtText(
  { error, file, place }: Thrown,
  sources: Sources,
  inspect: (value: unknown) => string,
  version: string,
): string {
  const isError = isThing(error);
  const shown = isError ? inspect(error) : String(error);
  const arrow =
    arrowOf(error) ??
    (file !== undefined && place && sources.has(file)
      ? pointed(sources, file, sources.original(file, place))
      : firstFrame(error, sources));
  const trace = isError ? '' : '\n(Use `node --trace-uncaught ...` to show where the exception was thrown)';
  const head = arrow === undefined ? 'Uncaught:\n' : `${arrow}${isError ? '\n' : ''}`;
  return `${isError || arrow === undefined ? '' : '\n'}${head}${shown}${trace}\n\nNode.js ${version}\n`;
}

/** Errors in the text of a module come with where they are: they have no place that runs. */
const ARROW = Symbol('arrow');

export function setArrow(error: unknown, arrow: string): void {
  if (typeof error === 'object' && error !== null)
    Object.defineProperty(error, ARROW, { value: arrow, configurable: true });
}

function arrowOf(error: unknown): string | undefined {
  const arrow: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, ARROW) : undefined;
  return typeof arrow === 'string' ? arrow : undefined;
}

/** `file:line`, the line, and a caret under the column. */
export function pointedAt(name: string, line: number, text: string, column: number, length = 1): string {
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
  return `${name}:${line}\n${text}\n${indent}${'^'.repeat(length)}\n`;
}

function pointed(sources: Sources, file: string, { line, column }: Place): string | undefined {
  const text = sources.line(file, line);
  return text === undefined ? undefined : pointedAt(file, line, text, column);
}

function firstFrame(error: unknown, sources: Sources): string | undefined {
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  if (typeof stack !== 'string') return undefined;
  for (const [, file = '', line, column] of stack.matchAll(/^ {4}at (?:.*\()?(.+?):(\d+):(\d+)\)?$/gm))
    if (sources.has(file)) return pointed(sources, file, { line: Number(line), column: Number(column) });
  return undefined;
}

function isThing(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
