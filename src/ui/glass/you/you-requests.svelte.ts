import type { YouRequest } from '../../../models/you/queue.ts';
import type { AppYou } from '../../app.ts';
import { listened } from '../../settings/listened.svelte.ts';

/** The requests that wait for the person as the model. */
export class YouRequests {
  readonly #waiting: { readonly current: readonly YouRequest[] };
  readonly #shownID: () => string;
  readonly #above: (sessionID: string) => readonly string[];

  /** `shownID` returns the id of the shown session, `above` the ids of a session's parents. */
  constructor(
    you: Pick<AppYou, 'waiting' | 'onChange'>,
    shownID: () => string,
    above: (sessionID: string) => readonly string[],
  ) {
    this.#waiting = listened(you, () => you.waiting());
    this.#shownID = shownID;
    this.#above = above;
  }

  /** The request that waits in the shown session. */
  get current(): YouRequest | null {
    return this.of(this.#shownID());
  }

  /** The request that waits in this session or in a sub-agent's. */
  of(id: string): YouRequest | null {
    const isOfIt = (sessionID: string) => [sessionID, ...this.#above(sessionID)].includes(id);
    return this.#waiting.current.find(({ sessionID }) => isOfIt(sessionID)) ?? null;
  }
}
