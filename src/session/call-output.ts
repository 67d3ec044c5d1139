import type { Unlisten } from '../base/listeners.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { hashBytes } from '../base/hash.ts';
import type { Timer } from '../base/timer.ts';
import type { SessionLog } from './log.ts';
import type { Blob } from './store.ts';

/** Live output and metadata are gathered this long, milliseconds: a chatty tool must not fill the log. */
const GATHER_MS = 16;
/** Longer output goes into a blob, and only its end into the event. Characters, at most four bytes each. */
const INLINE_CHARACTERS = 16_000;
/** What a stopped call leaves of its live output, characters. */
const KEPT_CHARACTERS = 30_000;

/** What a call prints and tells of itself while it runs, on its way into the log. */
export class CallOutput {
  readonly #log: SessionLog;
  readonly #timer: Timer;
  readonly #call: { readonly messageID: string; readonly callID: string };
  #live = '';
  #waiting = '';
  #title = '';
  #update: { title?: string; metadata: JsonObject } | null = null;
  #cancelGather: Unlisten | null = null;

  constructor(log: SessionLog, timer: Timer, call: { readonly messageID: string; readonly callID: string }) {
    this.#log = log;
    this.#timer = timer;
    this.#call = call;
  }

  /** The end of what was printed so far. */
  get live(): string {
    return this.#live;
  }

  /** As much of it as a stopped call leaves. */
  get kept(): string {
    return this.#live.slice(-KEPT_CHARACTERS);
  }

  /** What the call called itself last. */
  get title(): string {
    return this.#title;
  }

  print(text: string): void {
    if (text === '') return;
    this.#waiting += text;
    this.#live += text;
    if (this.#live.length > 2 * KEPT_CHARACTERS) this.#live = this.kept;
    this.#gather();
  }

  tell({ title, metadata, ...bare }: JsonObject): void {
    if (typeof title === 'string') this.#title = title;
    this.#update = {
      ...this.#update,
      ...(typeof title === 'string' && { title }),
      metadata: { ...this.#update?.metadata, ...bare, ...(isObject(metadata) && metadata) },
    };
    this.#gather();
  }

  /** What was gathered is in the log from here on. */
  flush(): void {
    this.#cancelGather?.();
    this.#cancelGather = null;
    if (this.#update) this.#log.append({ type: 'call.progress', ...this.#call, ...this.#update });
    this.#update = null;
    const text = this.#waiting;
    this.#waiting = '';
    if (text === '') return;
    if (text.length <= INLINE_CHARACTERS)
      return void this.#log.append({ type: 'call.output', ...this.#call, text });
    const blob = blobOf(new TextEncoder().encode(text));
    const end = text.slice(-INLINE_CHARACTERS);
    this.#log.append({ type: 'call.output', ...this.#call, text: end, blob: blob.hash }, [blob]);
  }

  #gather(): void {
    this.#cancelGather ??= this.#timer.after(GATHER_MS, () => this.flush());
  }
}

export function blobOf(bytes: Uint8Array<ArrayBuffer>): Blob {
  return { hash: hashBytes(bytes), bytes };
}
