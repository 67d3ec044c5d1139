import type { EngineLink } from './link.ts';

/** A model that is ready to answer. */
export interface LoadedModel {
  readonly link: Pick<EngineLink, 'ask'>;
  readonly contextWindow: number;
}

/** A model in memory, with the engine that runs it. */
export interface RunningModel extends LoadedModel {
  readonly link: Pick<EngineLink, 'ask' | 'ended' | 'close'>;
}

interface Held {
  readonly id: string;
  readonly loaded: Promise<RunningModel>;
  users: number;
  /** Called when nobody uses the model any more. */
  rested: () => void;
}

/**
 * Holds one model at a time, because each takes much memory. Whoever needs another one waits until nobody uses the model that is
 * there; those who wait get their turn in the order in which they came.
 */
export class ModelMemory {
  readonly #load: (id: string) => Promise<RunningModel>;
  readonly #windows = new Map<string, number>();
  #held: Held | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(load: (id: string) => Promise<RunningModel>) {
    this.#load = load;
  }

  /** How many tokens fit into a conversation with a model, once it was loaded. */
  windowOf(id: string): number | undefined {
    return this.#windows.get(id);
  }

  /** Loads the model if it is not there, and keeps it until `work` is done. Nothing is begun after `signal` aborts. */
  async use<R>(id: string, work: (model: LoadedModel) => Promise<R>, signal?: AbortSignal): Promise<R> {
    const entering = this.#turn.then(() => this.#enter(id, signal));
    this.#turn = entering.catch(() => undefined);
    const held = await entering;
    try {
      return await work(await held.loaded);
    } finally {
      held.users--;
      if (held.users === 0) held.rested();
    }
  }

  /** Ends the engine that runs this model at once, so that its memory is free. */
  async unload(id: string): Promise<void> {
    this.#windows.delete(id);
    if (this.#held?.id === id) await this.#drop(this.#held);
  }

  async #enter(id: string, signal: AbortSignal | undefined): Promise<Held> {
    const before = this.#held;
    if (before && before.id !== id) {
      if (before.users > 0) await new Promise<void>((resolve) => (before.rested = resolve));
      signal?.throwIfAborted();
      await this.#drop(before);
    }
    signal?.throwIfAborted();
    const held = this.#held ?? this.#hold(id);
    held.users++;
    return held;
  }

  #hold(id: string): Held {
    const held: Held = { id, loaded: this.#load(id), users: 0, rested: () => undefined };
    this.#held = held;
    const forget = () => {
      if (this.#held === held) this.#held = null;
    };
    held.loaded.then(({ link, contextWindow }) => {
      this.#windows.set(id, contextWindow);
      void link.ended.then(forget);
    }, forget);
    return held;
  }

  async #drop(held: Held): Promise<void> {
    if (this.#held === held) this.#held = null;
    (await held.loaded.catch(() => null))?.link.close();
  }
}
