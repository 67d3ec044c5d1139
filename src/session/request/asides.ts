import type { Hash } from '../../base/hash.ts';
import type { ModelRef } from '../log/events.ts';
import type { SessionLog } from '../log/log.ts';
import type { Model } from './model.ts';
import type { SessionStore } from '../log/store.ts';

export interface AsidesDeps {
  readonly log: SessionLog;
  readonly store: SessionStore;
  model(ref: ModelRef): Promise<Model>;
  /** The model that configuration files name for small tasks. */
  smallModel(): ModelRef | undefined;
  digest(body: string): Promise<Hash>;
  /** Whether events can still be appended. */
  writable(): boolean;
}

const TITLE_CHARACTERS = 60;

/** Asks a session's model things outside the conversation. */
export class Asides {
  readonly #deps: AsidesDeps;
  readonly #over = new AbortController();

  constructor(deps: AsidesDeps) {
    this.#deps = deps;
  }

  /**
   * Replaces the prompt's first line as the title, unless the person has renamed the session meanwhile. A
   * failure appears only in the log.
   */
  async name(text: string, ref: ModelRef): Promise<void> {
    const { log, model, smallModel, digest, writable } = this.#deps;
    const naming = async () => {
      await log.requireStored();
      const [{ nameOf }, small] = await Promise.all([
        import('./titles.ts'),
        // A model that a file names may not exist, or have no key.
        model(smallModel() ?? ref).catch(() => model(ref)),
      ]);
      return nameOf(text, small, this.#over.signal, digest);
    };
    const named = await naming().catch(() => undefined);
    if (!named || !writable()) return;
    log.append(named.aside);
    if (named.title !== undefined && log.state.title === titleOf(text))
      log.append({ type: 'session.titled', title: named.title });
  }

  /** `undefined` if `signal` was aborted or the session was closed. Rejects with a fault. */
  async summarize(signal: AbortSignal, onText?: (text: string) => void): Promise<string | undefined> {
    const { log, store, model, digest, writable } = this.#deps;
    const { summaryOf } = await import('./summaries.ts');
    return summaryOf(
      { state: log.state, store, model, digest, ended: (aside) => void (writable() && log.append(aside)) },
      AbortSignal.any([signal, this.#over.signal]),
      onText,
    );
  }

  close(): void {
    this.#over.abort();
  }
}

/** The first line of the first prompt, which is the title until the session is named. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…` : line;
}
