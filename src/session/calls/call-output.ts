import type { Unlisten } from '../../base/listeners.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { hashBytes } from '../../base/hash.ts';
import type { Clock } from '../../base/clock.ts';
import type { Timer } from '../../base/timer.ts';
import type { SessionLog } from '../log/log.ts';
import type { Blob } from '../log/store.ts';

/**
 * For how long live output and metadata are gathered, in milliseconds, so that a chatty tool does not fill
 * the log with small events.
 */
const GATHER_MS = 16;
/** Longer output goes into a blob, and the event gets only its end. In characters. */
const INLINE_CHARACTERS = 16_000;
/** How much live output a stopped call keeps, in characters. */
const KEPT_CHARACTERS = 30_000;

/** Gathers the live output, title and metadata of a running call and writes them to the log. */
export class CallOutput {
  readonly #log: SessionLog;
  readonly #deps: { readonly timer: Timer; readonly clock: Clock };
  readonly #call: { readonly messageID: string; readonly callID: string };
  #live = '';
  #waiting = '';
  #title = '';
  #update: { title?: string; metadata: JsonObject } | null = null;
  #cancelGather: Unlisten | null = null;

  constructor(
    log: SessionLog,
    deps: { readonly timer: Timer; readonly clock: Clock },
    call: { readonly messageID: string; readonly callID: string },
  ) {
    this.#log = log;
    this.#deps = deps;
    this.#call = call;
  }

  /** The end of the output so far. */
  get live(): string {
    return this.#live;
  }

  /** The part of the output that a stopped call keeps. */
  get kept(): string {
    return this.#live.slice(-KEPT_CHARACTERS);
  }

  /** The newest title that the call gave itself. */
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

  /** Writes everything gathered to the log. */
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
    const { clock, timer } = this.#deps;
    if (!clock.isMadeUp) this.#cancelGather ??= timer.after(GATHER_MS, () => this.flush());
  }
}

export function blobOf(bytes: Uint8Array<ArrayBuffer>): Blob {
  return { hash: hashBytes(bytes), bytes };
}
