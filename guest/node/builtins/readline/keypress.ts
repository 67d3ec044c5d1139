import type { Readable } from 'node:stream';
import { StringDecoder } from '../string_decoder.ts';
import { keyAt } from './keys.ts';
import { ownTimers } from '../../loop/own-timers.ts';

/** How long to wait for the rest of an escape sequence before Escape counts as a key, in milliseconds. */
const ESCAPE_WAITS = 500;

const heard = new WeakSet<Readable>();

/** Has `stream` emit `keypress` for each key, from the first listener on until there is none. Once for a stream. */
export function emitKeypressEvents(
  stream: Readable,
  reader?: { readonly escapeCodeTimeout?: number; isCompletionEnabled?: boolean },
): void {
  if (heard.has(stream)) return;
  heard.add(stream);
  const decoder = new StringDecoder('utf8');
  const { setTimeout, clearTimeout } = ownTimers();
  let pending = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const take = (isAll: boolean) => {
    for (let key = keyAt(pending, isAll); key; key = keyAt(pending, isAll)) {
      pending = pending.slice(key.sequence.length);
      if (reader) reader.isCompletionEnabled = pending === '';
      stream.emit('keypress', key.sequence.startsWith('\x1b') ? undefined : key.sequence, key);
    }
  };
  const data = (piece: unknown) => {
    if (stream.listenerCount('keypress') === 0) {
      stream.removeListener('data', data);
      stream.on('newListener', listened);
      return;
    }
    clearTimeout(timer);
    const text = decoder.write(piece);
    if (text === '') return;
    pending += text;
    take(false);
    if (text.endsWith('\x1b') && pending !== '')
      timer = setTimeout(() => take(true), reader?.escapeCodeTimeout ?? ESCAPE_WAITS);
  };
  const listened = (event: string | symbol) => {
    if (event !== 'keypress') return;
    stream.on('data', data);
    stream.removeListener('newListener', listened);
  };
  if (stream.listenerCount('keypress') > 0) stream.on('data', data);
  else stream.on('newListener', listened);
}
