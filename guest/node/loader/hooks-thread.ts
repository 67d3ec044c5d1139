import type { PackedPorts, Ports } from '../process/port-types.ts';
import type { KernelLink } from '../kernel/link.ts';
import { newAnswerMemory, waitForAnswer } from './hooks-answer.ts';
import type { HookContext, Loaded, Resolution } from './hook-types.ts';

/** A request to the thread of the hooks. */
export type HooksRequest =
  | {
      readonly kind: 'register';
      readonly specifier: string;
      readonly parentURL: string;
      readonly data: unknown;
      /** The message ports in `data`. */
      readonly packed: PackedPorts;
    }
  | { readonly kind: 'resolve'; readonly specifier: string; readonly context: HookContext }
  | { readonly kind: 'load'; readonly url: string; readonly context: HookContext };

/** An answer of the thread. It is sent as JSON, followed by the bytes of a source. */
export interface HooksAnswer {
  readonly error?: HookError;
  /** The exit code, where a hook has ended the process. */
  readonly ended?: number;
  readonly resolution?: Resolution;
  readonly loaded?: {
    readonly format: string | null | undefined;
    readonly source: 'usual' | 'text' | 'bytes' | 'none';
  };
}

export interface HookError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly own: Readonly<Record<string, unknown>>;
}

/** The hooks of `module.register`. They run in their own thread, which this one waits for. */
export class HooksThread {
  readonly #memory = newAnswerMemory();
  readonly #child: ReturnType<KernelLink['startChild']>;
  readonly #end: (code: number) => never;
  readonly #pack: Ports['pack'];

  /** `start` starts a process and gives it the memory; `end` ends this process. */
  constructor(
    start: (memory: SharedArrayBuffer) => ReturnType<KernelLink['startChild']>,
    end: (code: number) => never,
    pack: Ports['pack'],
  ) {
    this.#pack = pack;
    this.#child = start(this.#memory);
    this.#end = end;
  }

  register(specifier: string, parentURL: string, data: unknown, transfer: readonly Transferable[]): void {
    const packed = this.#pack(transfer);
    this.#ask({ kind: 'register', specifier, parentURL, data, packed }, transfer);
  }

  resolve(specifier: string, context: HookContext): Resolution {
    const { answer } = this.#ask({ kind: 'resolve', specifier, context: plain(context) });
    if (!answer.resolution) throw new Error('the thread of the hooks sent no answer');
    return answer.resolution;
  }

  /** Loads a module through the hooks. `usual` returns the result without hooks. */
  load(url: string, context: HookContext, usual: () => Loaded): Loaded {
    const { answer, source } = this.#ask({ kind: 'load', url, context: plain(context) });
    const { loaded } = answer;
    if (!loaded) throw new Error('the thread of the hooks sent no answer');
    if (loaded.source === 'usual') return usual();
    if (loaded.source === 'none') return { format: loaded.format, source: null };
    return {
      format: loaded.format,
      source: loaded.source === 'text' ? new TextDecoder().decode(source) : source,
    };
  }

  #ask(request: HooksRequest, transfer: readonly Transferable[] = []) {
    this.#child.send(request, transfer);
    const bytes = waitForAnswer(this.#memory);
    const length = new DataView(bytes.buffer).getUint32(0);
    const answer: HooksAnswer = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    if (answer.ended !== undefined) this.#end(answer.ended);
    if (answer.error) throw thrownHere(answer.error);
    return { answer, source: bytes.subarray(4 + length) };
  }
}

function plain({ conditions, importAttributes, parentURL, format }: HookContext): HookContext {
  return { conditions: [...conditions], importAttributes: { ...importAttributes }, parentURL, format };
}

function thrownHere({ name, message, stack, own }: HookError): Error {
  const Class: unknown = Reflect.get(globalThis, name);
  const isClass = typeof Class === 'function' && Class.prototype instanceof Error;
  const error: Error = isClass ? Reflect.construct(Class, [message]) : new Error(message);
  if (!isClass && name !== 'Error') Object.defineProperty(error, 'name', { value: name, configurable: true });
  Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true });
  return Object.assign(error, own);
}
