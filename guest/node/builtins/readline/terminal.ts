import { argTypeError, argValueError, needFunction, nodeError } from '../internal/errors.ts';

type Done = (error?: Error | null) => void;

export interface Output {
  write(text: string, done?: Done): boolean;
}

function send(stream: Output | null | undefined, text: string, callback: unknown): boolean {
  if (callback !== undefined) needFunction(callback, 'callback');
  const done = callback as Done | undefined;
  if (stream === null || stream === undefined || text === '') {
    if (done) globalThis.process.nextTick(done, null);
    return true;
  }
  return stream.write(text, done);
}

function cursorToText(x: unknown, y: unknown): string {
  if (Number.isNaN(x)) throw argValueError('x', x);
  if (Number.isNaN(y)) throw argValueError('y', y);
  if (typeof x !== 'number' && typeof y !== 'number') return '';
  if (typeof x !== 'number')
    throw nodeError('ERR_INVALID_CURSOR_POS', 'Cannot set cursor row without setting its column', TypeError);
  return typeof y === 'number' ? `\u001b[${y + 1};${x + 1}H` : `\u001b[${x + 1}G`;
}

function moveCursorText(dx: number, dy: number): string {
  let text = '';
  if (dx < 0) text += `\u001b[${-dx}D`;
  else if (dx > 0) text += `\u001b[${dx}C`;
  if (dy < 0) text += `\u001b[${-dy}A`;
  else if (dy > 0) text += `\u001b[${dy}B`;
  return text;
}

const clearLineText = (direction: number) =>
  direction < 0 ? '\u001b[1K' : direction > 0 ? '\u001b[0K' : '\u001b[2K';

const clearScreenText = '\u001b[0J';

export const cursorTo = (stream: Output, x: unknown, y?: unknown, callback?: unknown) =>
  typeof y === 'function'
    ? send(stream, cursorToText(x, undefined), y)
    : send(stream, cursorToText(x, y), callback);
export const moveCursor = (stream: Output, dx: number, dy: number, callback?: unknown) =>
  send(stream, moveCursorText(dx, dy), callback);
export const clearLine = (stream: Output, direction: number, callback?: unknown) =>
  send(stream, clearLineText(direction), callback);
export const clearScreenDown = (stream: Output, callback?: unknown) =>
  send(stream, clearScreenText, callback);

/** Movements of the cursor that are gathered and then written in one. */
export class Readline {
  readonly #stream: Output;
  readonly #autoCommit: boolean;
  #texts: string[] = [];

  constructor(stream: Output, options: { autoCommit?: boolean } = {}) {
    if (typeof stream !== 'object' || stream === null || typeof stream.write !== 'function')
      throw argTypeError('stream', 'Writable', stream);
    this.#stream = stream;
    this.#autoCommit = options.autoCommit ?? false;
  }

  cursorTo(x: number, y?: number): this {
    return this.#add(cursorToText(x, y));
  }

  moveCursor(dx: number, dy: number): this {
    return this.#add(moveCursorText(dx, dy));
  }

  clearLine(direction: number): this {
    return this.#add(clearLineText(direction));
  }

  clearScreenDown(): this {
    return this.#add(clearScreenText);
  }

  commit(): Promise<void> {
    return new Promise((resolve) => this.#stream.write(this.#texts.splice(0).join(''), () => resolve()));
  }

  rollback(): this {
    this.#texts = [];
    return this;
  }

  #add(text: string): this {
    if (this.#autoCommit) this.#stream.write(text);
    else this.#texts.push(text);
    return this;
  }
}
