/** How many request bodies are kept for each session. */
const HELD = 20;

/** Keeps the complete bodies of the newest requests as they were sent, in memory only. */
export class RecentBodies {
  readonly #sessions = new Map<string, Map<string, string>>();

  readonly keep = (sessionID: string, messageID: string, body: string): void => {
    const held = this.#sessions.get(sessionID) ?? new Map<string, string>();
    this.#sessions.set(sessionID, held);
    held.set(messageID, body);
    for (const oldest of held.keys()) if (held.size > HELD) held.delete(oldest);
  };

  of(sessionID: string, messageID: string): string | undefined {
    return this.#sessions.get(sessionID)?.get(messageID);
  }
}
