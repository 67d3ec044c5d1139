import type { Unlisten } from '../base/listeners.ts';
import { defaultAgent } from '../agents/agents.ts';
import type { YouAnswer, YouQueue, YouRequest } from '../models/you/queue.ts';
import type { Toolbox } from '../tools/registry.ts';
import type { AppYou } from '../ui/app.ts';

/** The request queue of a person who plays the model, as the page uses it. */
export class YouOfApp implements AppYou {
  readonly #queue: YouQueue;
  readonly #tools: Toolbox;
  readonly #agentOf: (sessionID: string) => string | null | undefined;

  constructor(queue: YouQueue, tools: Toolbox, agentOf: (sessionID: string) => string | null | undefined) {
    this.#queue = queue;
    this.#tools = tools;
    this.#agentOf = agentOf;
  }

  waiting(): readonly YouRequest[] {
    return this.#queue.waiting();
  }

  answer(id: string, answer: YouAnswer): void {
    this.#queue.answer(id, answer);
  }

  async problem({ sessionID }: YouRequest, tool: string, args: string): Promise<string | null> {
    const agent = this.#agentOf(sessionID) ?? defaultAgent.name;
    const [{ problemWith }, tools] = await Promise.all([
      import('../session/calls/call-input.ts'),
      this.#tools.tools({ provider: 'you', model: 'you' }, agent),
    ]);
    const ready = tools.find(({ id }) => id === tool);
    return ready ? problemWith(ready, args) : null;
  }

  onChange(listener: () => void): Unlisten {
    return this.#queue.onChange(listener);
  }
}
