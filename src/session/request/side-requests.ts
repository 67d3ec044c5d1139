import type { SessionContext } from '../context.ts';
import type { ModelRef } from '../log/events.ts';
import { titleOf } from './first-title.ts';
import type { Model } from './model.ts';

/** Asks a session's model things outside the conversation. */
export class SideRequests {
  readonly #session: SessionContext;
  readonly #writable: () => boolean;
  readonly #over = new AbortController();

  /** `writable` tells whether events can still be appended. */
  constructor(session: SessionContext, writable: () => boolean) {
    this.#session = session;
    this.#writable = writable;
  }

  /**
   * Replaces the prompt's first line as the title, unless the person has renamed the session meanwhile. A
   * failure appears only in the log.
   */
  async name(text: string, ref: ModelRef): Promise<void> {
    const session = this.#session;
    const { log } = session;
    const naming = async () => {
      await log.requireStored();
      const [{ askForTitle }, small] = await Promise.all([
        import('./titles.ts'),
        this.#small(ref, session.usable(session.choices.setup.smallModel)),
      ]);
      return askForTitle(text, small, this.#over.signal, (body) => session.digest(body));
    };
    const named = await naming().catch(() => undefined);
    if (!named || !this.#writable()) return;
    log.append(named.aside);
    if (named.title !== undefined && log.state.title === titleOf(text))
      log.append({ type: 'session.titled', title: named.title });
  }

  /** The model for small requests of a session whose prompts go to `ref`. `named`: a model that goes first. */
  #small(ref: ModelRef, named?: ModelRef): Promise<Model> {
    const session = this.#session;
    // A script, the person or the browser answers all requests of a session: nothing of it is sent to anybody.
    const isLocal = ['browser', 'scripted', 'you'].includes(ref.provider);
    const small = named ?? (isLocal ? undefined : session.usable(session.deps.smallModel?.())) ?? ref;
    // A model that a file or the settings name may not exist, or have no key.
    return session.model(small).catch(() => session.model(ref));
  }

  /** `undefined` if `signal` was aborted or the session was closed. Rejects with a fault. */
  async summarize(signal: AbortSignal, onText?: (text: string) => void): Promise<string | undefined> {
    const session = this.#session;
    const { log } = session;
    const { summaryOf } = await import('./summaries.ts');
    return summaryOf(
      {
        state: log.state,
        store: session.deps.store,
        model: (ref) => this.#small(ref),
        digest: (body) => session.digest(body),
        ended: (aside) => void (this.#writable() && log.append(aside)),
      },
      AbortSignal.any([signal, this.#over.signal]),
      onText,
    );
  }

  close(): void {
    this.#over.abort();
  }
}
