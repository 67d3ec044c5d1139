import type { FileChange } from '../../../../src/protocol/workspace-values.ts';
import type { LoadBuiltin } from '../../builtins/builtin.ts';
import { argTypeError } from '../../builtins/internal/errors.ts';
import type { KernelLink } from '../../kernel/link.ts';
import type { EventLoop } from '../../loop/loop.ts';
import { optionsOf } from '../arguments.ts';
import type { FsCore } from '../core.ts';

type Change = FileChange['change'];
type Hear = (path: string, change: Change, isWritten: boolean) => void;

export interface WatchOptions {
  readonly persistent?: boolean;
  readonly recursive?: boolean;
  readonly signal?: AbortSignal;
  readonly interval?: number;
  readonly bigint?: boolean;
}

/** The services that all kinds of watchers use. */
export interface WatchContext {
  readonly core: FsCore;
  readonly load: LoadBuiltin;
  readonly loop: EventLoop;
  readonly watches: KernelWatches;
}

/** The paths that the kernel reports on, each with the function that hears of its changes. */
export class KernelWatches {
  readonly #link: KernelLink;
  readonly #heard = new Map<number, Hear>();
  #next = 1;

  constructor(link: KernelLink) {
    this.#link = link;
  }

  /** Returns the number of the watch. */
  add(path: string, recursive: boolean, hear: Hear): number {
    const id = this.#next++;
    this.#heard.set(id, hear);
    this.#link.say({ kind: 'watch', watch: id, path, recursive });
    return id;
  }

  remove(id: number): void {
    this.#heard.delete(id);
    this.#link.say({ kind: 'unwatch', watch: id });
  }

  /** Receives a report of the kernel. */
  changed(id: number, path: string, change: Change, isWritten: boolean): void {
    this.#heard.get(id)?.(path, change, isWritten);
  }
}

export function watchOptions(options: unknown) {
  const given = optionsOf<WatchOptions>(options);
  for (const name of ['persistent', 'recursive'] as const)
    if (given[name] !== undefined && typeof given[name] !== 'boolean')
      throw argTypeError(`options.${name}`, 'boolean', given[name]);
  return given;
}

export type WatchRequest = ReturnType<typeof watchOptions>;
