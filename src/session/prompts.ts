import { FaultError, type Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { OwnCallResult } from './calls/own-call.ts';
import type { SessionContext } from './context.ts';
import type { ModelRef, Origin } from './log/events.ts';
import { conversationOf } from './log/path.ts';
import { needsNoModel, NO_MODEL } from './no-model.ts';
import { givesTitle, titleOf } from './request/first-title.ts';
import type { SideRequests } from './request/side-requests.ts';
import type { Restores } from './restore/restores.ts';
import type { Loop } from './turn/loop.ts';

export interface PromptOptions {
  readonly agent?: string;
  readonly model?: ModelRef;
  readonly origin?: Origin;
  /**
   * Called once the prompt is on disk. If it returns false, no turn starts, and the prompt goes along with
   * the next one that does start a turn.
   */
  readonly starts?: () => boolean;
}

/** The session that prompts are for. */
export interface PromptedSession {
  readonly context: SessionContext;
  readonly loop: Loop;
  readonly restores: Restores;
  readonly sideRequests: SideRequests;
  readonly owner: {
    /** Whether every message of the session is in the state. */
    isOldestLoaded(): boolean;
    /** Throws a fault where this tab does not write the session. */
    requireWritable(): void;
  };
}

/** Takes in what becomes a message of one session: prompts, and commands and calls of the person. */
export class Prompts {
  readonly #context: SessionContext;
  readonly #loop: Loop;
  readonly #restores: Restores;
  readonly #sideRequests: SideRequests;
  readonly #owner: PromptedSession['owner'];
  /** Counts how often the person stopped the session. */
  #stops = 0;
  #stopCommand = new AbortController();

  constructor({ context, loop, restores, sideRequests, owner }: PromptedSession) {
    this.#context = context;
    this.#loop = loop;
    this.#restores = restores;
    this.#sideRequests = sideRequests;
    this.#owner = owner;
  }

  /**
   * Runs a command of the person in the workspace, as a message of its own that the next request includes. Resolves
   * when the command has ended. Rejects with a fault if it was not accepted, for example because a turn runs.
   */
  async command(command: string, model?: ModelRef): Promise<void> {
    await this.#alone(async (signal) => {
      const { runOwnCommand } = await import('./calls/own-command.ts');
      const messageID = await this.accept(`!${command}`, {
        origin: { kind: 'command' },
        starts: () => false,
        ...(model && { model }),
      });
      await runOwnCommand(this.#context, messageID, command, signal);
    });
  }

  /**
   * Calls a tool that the agent has, under its rules, as a message of its own that the next request includes. Rejects with
   * a fault if it was not accepted, for example because a turn runs.
   */
  async call(
    tool: string,
    input: Json,
    { agent }: Pick<PromptOptions, 'agent'> = {},
  ): Promise<OwnCallResult> {
    return this.#alone(async (signal) => {
      const { runOwnCall } = await import('./calls/own-call.ts');
      const messageID = await this.accept(`${tool} ${JSON.stringify(input)}`, {
        origin: { kind: 'command', tool },
        starts: () => false,
        ...(agent !== undefined && { agent }),
      });
      return runOwnCall(this.#context, messageID, { tool, input }, signal);
    });
  }

  /** Runs a command or call of the person when nothing else runs. */
  async #alone<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#owner.requireWritable();
    if (this.#context.log.state.turn !== null || this.#context.ownCommand) throw new FaultError(BUSY);
    const stop = new AbortController();
    this.#stopCommand = stop;
    const running = run(stop.signal);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    this.#context.ownCommand = settled.then(() => void (this.#context.ownCommand = null));
    const result = await running;
    await this.#context.ownCommand;
    if (!stop.signal.aborted) await this.#context.gap();
    return result;
  }

  /**
   * Resolves with the id of the message once it is on disk and the loop runs. If a turn is running already, its next
   * step includes the prompt. Rejects with a fault if the prompt was not accepted.
   */
  async accept(text: string, options: PromptOptions = {}): Promise<string> {
    this.#owner.requireWritable();
    if (text.trim() === '') throw new FaultError({ code: 'empty-prompt', what: 'The message is empty.' });
    const model = options.model ?? this.#context.deps.defaultModel();
    if (!model && !needsNoModel(options.origin)) throw new FaultError(NO_MODEL);
    const stops = this.#stops;
    const restoring = this.#restores.running;
    if (restoring) await restoring;
    const isCommand = options.origin?.kind === 'command';
    // A request shows the model the whole output of a command.
    if (!isCommand) await this.#context.ownCommand;
    const names = this.#owner.isOldestLoaded() && givesTitle(this.#context.log.state, options.origin);
    if (names) this.#context.log.append({ type: 'session.titled', title: titleOf(text) });
    const messageID = this.#context.deps.ids.next('msg');
    await this.#context.log.appendStored(
      {
        type: 'prompt.accepted',
        messageID,
        parentID: this.#context.log.head,
        text,
        agent: options.agent ?? this.#context.choices.agent,
        ...(model && { model }),
        ...(options.origin && { origin: options.origin }),
      },
      'strict',
    );
    this.#owner.requireWritable();
    const stopped = this.#stops !== stops;
    if (!stopped && options.starts?.() !== false) this.#loop.accept(messageID);
    if (names && !isCommand && model && this.#context.deps.titles?.(model))
      void this.#sideRequests.name(text, model);
    return messageID;
  }

  /**
   * Sends a prompt from the app to the agent and model of the last message. It joins a running turn. If none
   * runs, it starts one only with `resume`, and never after a turn that the person stopped.
   */
  async announce(text: string, origin: Origin, resume: boolean): Promise<void> {
    const { head, messages } = this.#context.log.state;
    const last = head === null ? undefined : messages.get(head);
    await this.#restores.done();
    // A task that ended because the person left its version is no part of the version that they went to.
    if (last && !conversationOf(this.#context.log.state).some(({ id }) => id === last.id)) return;
    const starts = () => {
      const { turn, lastTurn } = this.#context.log.state;
      if (turn !== null) return !this.#loop.stopping;
      return resume && lastTurn?.status !== 'aborted' && lastTurn?.status !== 'rejected';
    };
    await this.accept(text, { origin, starts, ...this.lastModel() });
  }

  /** The model of the last message. */
  lastModel(): Pick<PromptOptions, 'model'> {
    const { head, messages } = this.#context.log.state;
    const last = head === null ? undefined : messages.get(head);
    return last?.model ? { model: last.model } : {};
  }

  /** Stops a command or call of the person. A prompt that is not accepted yet starts no turn. */
  stop(): void {
    this.#stops++;
    this.#stopCommand.abort();
  }
}

const BUSY: Fault = {
  code: 'turn-runs',
  what: 'A command or call of your own can run here when nothing else does.',
  next: 'Stop what runs, wait for its end, or use the terminal.',
};
