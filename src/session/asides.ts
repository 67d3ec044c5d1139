import type { Hash } from '../base/hash.ts';
import type { ModelRef } from './events.ts';
import type { SessionLog } from './log.ts';
import type { Model } from './model.ts';
import type { SessionStore } from './store.ts';

export interface AsidesDeps {
  readonly log: SessionLog;
  readonly store: SessionStore;
  model(ref: ModelRef): Promise<Model>;
  /** What files name for small things. */
  smallModel(): ModelRef | undefined;
  digest(body: string): Promise<Hash>;
  /** Whether what is learnt can still be written down. */
  writable(): boolean;
}

const TITLE_CHARACTERS = 60;

/** What a session's model is asked beside the conversation. */
export class Asides {
  readonly #deps: AsidesDeps;
  readonly #over = new AbortController();

  constructor(deps: AsidesDeps) {
    this.#deps = deps;
  }

  /** In place of the prompt's first line, unless the person has given a name meanwhile. A failure is in the log only. */
  async name(text: string, ref: ModelRef): Promise<void> {
    const { log, model, smallModel, digest, writable } = this.#deps;
    const naming = async () => {
      const [{ nameOf }, small] = await Promise.all([
        import('./titles.ts'),
        // One that a file names may not be there, or have no key.
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

  /** `undefined` where `signal` was aborted or the session closed. Rejects with a fault. */
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

/** The first line of the first prompt, until the person names the session. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…` : line;
}
