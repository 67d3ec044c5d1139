import { agentNamed, type Agent } from '../../agents/agents.ts';
import type { Setup } from '../../agents/setup.ts';
import { FaultError } from '../../base/fault.ts';
import type { ReadyTool } from '../../tools/tool.ts';
import type { SessionContext } from '../context.ts';
import type { History } from '../log/history.ts';
import type { Message } from '../log/state.ts';
import { NO_MODEL } from '../no-model.ts';
import { newestOnPath, textOf } from '../request/messages.ts';
import type { Model } from '../request/model.ts';
import { callContext, turnAborted, unlessAborted, untilFolded, type Turn } from './turn.ts';

/** The agent of the newest prompt, with all that its request needs. */
export interface Ready {
  readonly agent: Agent;
  /** The system prompt that the agent itself has. */
  readonly ownPrompt: Awaited<ReturnType<Agent['prompt']>>;
  readonly instructions: Setup['instructions'];
  readonly model: Model;
  readonly tools: readonly ReadyTool[];
}

/** Prepares steps: chooses the agent, its model and its tools, and reads the files that prompts mention. */
export class StepPreparation {
  readonly #session: SessionContext;
  readonly #history: History;
  /** Prompts whose mentioned files were read. */
  readonly #read = new Set<string>();

  constructor(session: SessionContext, history: History) {
    this.#session = session;
    this.#history = history;
  }

  /** Prepares a step, after reading every file that the new prompts mention. */
  async ready(turn: Turn): Promise<Ready> {
    const { log } = this.#session;
    const { signal } = turn;
    for (;;) {
      const ready = await unlessAborted(signal, this.#prepare());
      const prompt = this.unread();
      if (!prompt) return ready;
      this.#read.add(prompt.id);
      const { agent, tools, model } = ready;
      const { readMentions } = await unlessAborted(signal, import('../calls/mentions.ts'));
      const context = callContext(this.#session, turn, () => undefined);
      await readMentions(context, prompt, this.#history, {
        ...{ agent: agent.name, model: prompt.model ?? model.ref, tools, signal },
        refused: turn.refused,
      });
      if (signal.aborted) throw turnAborted();
      await unlessAborted(signal, untilFolded(log));
    }
  }

  /** The oldest prompt since the last step whose mentions were not read yet. */
  unread(): Message | undefined {
    const { state } = this.#session.log;
    const prompts: Message[] = [];
    newestOnPath(this.#history, state.head, (message) => {
      if (message.role !== 'user') return true;
      prompts.push(message);
      return false;
    });
    return prompts.findLast((prompt) => {
      const done = this.#read.has(prompt.id) || prompt.origin || prompt.partKeys.length > 1;
      return !done && textOf(prompt, this.#history).includes('@');
    });
  }

  async #prepare(): Promise<Ready> {
    const { log } = this.#session;
    await untilFolded(log);
    const prompt = newestOnPath(this.#history, log.state.head, ({ role }) => role === 'user');
    if (!prompt) throw new Error('A turn without a prompt.');
    const { agents, instructions } = await this.#session.refreshedSetup();
    const agent = agentNamed(prompt.agent, agents);
    const ref = this.#session.usable(agent.model) ?? prompt.model;
    if (!ref) throw new FaultError(NO_MODEL);
    const loading = this.#session.model(ref);
    const [ownPrompt, model, tools] = await Promise.all([
      loading.then(({ isSmall }) => agent.prompt(isSmall)),
      loading,
      this.#session.tools(ref, agent.name),
    ]);
    return { agent, ownPrompt, instructions, model, tools };
  }
}
