import type { Unlisten } from '../base/listeners.ts';
import { defaultAgent } from '../agents/agents.ts';
import type { YouAnswer, YouDesk, YouRequest } from '../models/you/desk.ts';
import type { Toolbox } from '../tools/registry.ts';
import type { AppYou } from '../ui/app.ts';

/** The desk of the person who is the model, as the page uses it. */
export class YouOfApp implements AppYou {
  readonly #desk: YouDesk;
  readonly #tools: Toolbox;
  readonly #agentOf: (sessionID: string) => string | null | undefined;

  constructor(desk: YouDesk, tools: Toolbox, agentOf: (sessionID: string) => string | null | undefined) {
    this.#desk = desk;
    this.#tools = tools;
    this.#agentOf = agentOf;
  }

  waiting(): readonly YouRequest[] {
    return this.#desk.waiting();
  }

  answer(id: string, answer: YouAnswer): void {
    this.#desk.answer(id, answer);
  }

  async problem({ sessionID }: YouRequest, tool: string, args: string): Promise<string | null> {
    const agent = this.#agentOf(sessionID) ?? defaultAgent.name;
    const [{ problemWith }, tools] = await Promise.all([
      import('../session/call-input.ts'),
      this.#tools.tools({ provider: 'you', model: 'you' }, agent),
    ]);
    const ready = tools.find(({ id }) => id === tool);
    return ready ? problemWith(ready, args) : null;
  }

  onChange(listener: () => void): Unlisten {
    return this.#desk.onChange(listener);
  }
}
