import { emittedStacks } from '../builtins/internal/emitter.ts';
import type { Position } from '../loader/edits.ts';
import type { Sources } from './sources.ts';

export interface Thrown {
  readonly error: unknown;
  /** The lines of its own source that real node shows if no place in the program is known. */
  readonly inside?: string;
  /** The file and place in the code that runs, if the platform reports them. */
  readonly file?: string;
  readonly place?: Position;
}

/** Returns the text that node writes to standard error for an uncaught error. */
export function uncaughtText(
  { error, file, place, inside }: Thrown,
  sources: Sources,
  inspect: (value: unknown) => string,
  version: string,
  traced = false,
): string {
  const isError = isThing(error);
  const shown = isError ? inspect(error) : typeof error === 'symbol' ? '' : String(error);
  const isDecorated = isError && decorated.has(Object(error));
  const arrow = isDecorated
    ? undefined
    : (whereThrown(sources, { error, ...(file && { file }), ...(place && { place }) }, inside) ?? inside);
  const head = arrow === undefined ? '' : `${arrow}${error instanceof Error ? '\n' : ''}`;
  const hint = '\n(Use `node --trace-uncaught ...` to show where the exception was thrown)';
  const trace = traced ? thrownFrom(error, arrow) : isError ? '' : hint;
  return `${error instanceof Error || arrow === undefined ? '' : '\n'}${head}${shown}${trace}\n\nNode.js ${version}\n`;
}

/** Returns the text that `--trace-uncaught` adds: an error's frames, or for another value its place. */
function thrownFrom(error: unknown, arrow: string | undefined): string {
  const frames = error instanceof Error ? /(?:\n {4}at .*)+$/.exec(error.stack ?? '')?.[0] : undefined;
  const [, place, caret = ''] = /^(.*:\d+)\n.*\n( *)\^/.exec(arrow ?? '') ?? [];
  const at = frames ?? (place === undefined ? '' : `\n    at ${place}:${caret.length + 1}`);
  return `\nThrown at:${at}\n`;
}

/** Holds the place of an error in a module's text. No frame has it, because that code never ran. */
const ARROW = Symbol('arrow');

export function setArrow(error: unknown, arrow: string): void {
  if (typeof error === 'object' && error !== null)
    Object.defineProperty(error, ARROW, { value: arrow, configurable: true });
}

const decorated = new WeakSet();

/** Puts the place at the head of the stack, once, as node does with errors of `node:vm`. */
export function decorate(error: unknown, arrow: string): void {
  if (!(error instanceof Error) || decorated.has(error) || arrow === '') return;
  decorated.add(error);
  Object.defineProperty(error, 'stack', {
    value: `${arrow}\n${error.stack}`,
    configurable: true,
    writable: true,
  });
}

/** Returns the place that {@link uncaughtText} begins with, or undefined if it is unknown. */
export function whereThrown(
  sources: Sources,
  { error, file, place }: Thrown,
  inside?: string,
): string | undefined {
  return arrowOf(error) ?? thrownAt(sources, error, file, place, inside);
}

/** Returns the same for a caught error, as far as its stack tells. */
export function arrowOfThrown(sources: Sources, error: unknown): string | undefined {
  const [first] = [...framesOf(error)].filter((frame) => sources.has(frame.file));
  return first && pointed(sources, first.file, throwOf(sources, first.file, first));
}

/** Remembers where an error was thrown. Throwing it again would lose the place. */
export function keepPlace(sources: Sources, error: unknown): void {
  const arrow = arrowOf(error) ?? arrowOfThrown(sources, error);
  if (arrow !== undefined) setArrow(error, arrow);
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

function pointed(sources: Sources, file: string, { line, column }: Position): string | undefined {
  const text = sources.line(file, line);
  return text === undefined ? undefined : pointedAt(file, line, text, column);
}

/** The lines that real node shows if one of its own functions threw. */
const INSIDE = 'node:internal/errors:540\n      throw error;\n      ^\n';

const EMITTING = "node:events:497\n      throw er; // Unhandled 'error' event\n      ^\n";
const EMITTING_OTHER = "node:events:510\n    throw err; // Unhandled 'error' event\n    ^\n";
/** The lines that node shows if a module named on the command line fails to load. */
export const LOADING = 'node:internal/modules/run_main:123\n    triggerUncaughtException(\n    ^\n';
/** The lines that node shows for a promise rejected with something other than an error. */
export const REJECTING =
  'node:internal/process/promises:392\n      new UnhandledPromiseRejection(reason);\n      ^\n';

function thrownAt(
  sources: Sources,
  error: unknown,
  file: string | undefined,
  place: Position | undefined,
  inside: string | undefined,
): string | undefined {
  // Where a module's promise was rejected, node never shows the emitter's lines.
  if (inside === undefined && error instanceof Error) {
    if (emittedStacks.has(error)) return EMITTING;
    if (Reflect.get(error, 'code') === 'ERR_UNHANDLED_ERROR') return EMITTING_OTHER;
  }
  if (file?.startsWith('blob:')) return INSIDE;
  const frames = [...framesOf(error)].filter((frame) => sources.has(frame.file));
  if (place) {
    // For evaluated text the platform reports the place but not the name.
    const name =
      (file !== undefined && sources.has(file) ? file : undefined) ??
      frames.find((frame) => frame.line === place.line)?.file ??
      (frames.length === 0 ? sources.latestWith(place.line, /\bthrow\b/) : undefined);
    if (name !== undefined)
      return pointed(sources, name, throwOf(sources, name, sources.original(name, place)));
  }
  const [first] = frames;
  return first ? pointed(sources, first.file, first) : isThing(error) ? (inside ?? INSIDE) : undefined;
}

/** The platform reports where an error was made, but node shows the `throw`. Both are usually on one line. */
function throwOf(sources: Sources, name: string, made: Position): Position {
  const text = sources.line(name, made.line) ?? '';
  const before = text.slice(0, made.column - 1);
  const thrown = /\bthrow\s+$/.exec(before);
  if (thrown) return { line: made.line, column: thrown.index + 1 };
  const [, variable] = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*$/.exec(before) ?? [];
  if (variable === undefined) return made;
  const lines = (sources.text(name) ?? '').split(/\r?\n/);
  for (let line = made.line; line <= lines.length; line++) {
    const column = (lines[line - 1] ?? '').search(
      new RegExp(`\\bthrow\\s+${variable.replaceAll('$', '\\$')}\\b`),
    );
    if (column >= 0) return { line, column: column + 1 };
  }
  return made;
}

function* framesOf(error: unknown): Generator<Position & { readonly file: string }> {
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  if (typeof stack !== 'string') return;
  for (const [, file = '', line, column] of stack.matchAll(/^ {4}at (?:.*\()?(.+?):(\d+):(\d+)\)?$/gm))
    yield { file, line: Number(line), column: Number(column) };
}

function isThing(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
