import type { SessionContext } from '../context.ts';
import type { ModelRef } from '../log/events.ts';

const TITLE_CHARACTERS = 60;

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
        // A model that a file names may not exist, or have no key.
        session
          .model(session.usable(session.choices.setup.smallModel) ?? ref)
          .catch(() => session.model(ref)),
      ]);
      return askForTitle(text, small, this.#over.signal, (body) => session.digest(body));
    };
    const named = await naming().catch(() => undefined);
    if (!named || !this.#writable()) return;
    log.append(named.aside);
    if (named.title !== undefined && log.state.title === titleOf(text))
      log.append({ type: 'session.titled', title: named.title });
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
        model: (ref) => session.model(ref),
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

/** The first line of the first prompt, which is the title until the session is named. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…` : line;
}
