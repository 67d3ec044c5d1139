import type { AgentEventType, CallOutcome, LoggedEvent } from './events.ts';

/** Names a call: an id is unique within the message of the model that made it. */
interface OfCall {
  readonly messageID: string;
  readonly callID: string;
}

/** Describes an error in the words in which the page shows it. */
interface Fault {
  readonly code: string;
  readonly what: string;
  readonly where?: string | undefined;
  readonly next?: string | undefined;
}

/** The members of the events that tests read most. The others have theirs, too, but without types. */
interface Members {
  readonly 'prompt.accepted': { readonly messageID: string; readonly text: string; readonly agent: string };
  readonly 'turn.ended': {
    readonly status: 'idle' | 'error' | 'aborted' | 'rejected' | 'interrupted';
    readonly fault?: Fault | undefined;
  };
  /** `step` counts from 0 within the turn. */
  readonly 'step.started': { readonly messageID: string; readonly step: number; readonly agent: string };
  /** One part of the model's stream, such as `{ type: 'text-delta', id: '0', text: 'Hel' }`. */
  readonly 'step.part': {
    readonly messageID: string;
    readonly part: { readonly type: string; readonly text?: string; readonly [member: string]: unknown };
  };
  readonly 'step.ended': {
    readonly messageID: string;
    readonly reason: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other';
    readonly usage: {
      readonly inputTokens?: number | undefined;
      readonly outputTokens?: number | undefined;
    };
    /** US dollars; absent if the model has no price. */
    readonly cost?: number | undefined;
    readonly fault?: Fault | undefined;
  };
  readonly 'permission.asked': OfCall & {
    readonly requestID: string;
    readonly tool: string;
    readonly permission: string;
    readonly patterns: readonly string[];
  };
  readonly 'permission.answered': OfCall & {
    readonly requestID: string;
    readonly reply: {
      readonly reply: 'once' | 'session' | 'always' | 'everywhere' | 'reject';
      /** The model reads this as the reason of a rejection. */
      readonly message?: string | undefined;
    };
    readonly by: 'person' | 'automation' | 'policy' | 'cancelled';
  };
  readonly 'question.asked': OfCall & { readonly requestID: string; readonly tool: string };
  /** The tool begins its work. */
  readonly 'call.running': OfCall & { readonly tool: string; readonly input: unknown };
  /** A running call has printed `text`, which is absent where this piece is longer than 64 kB. */
  readonly 'call.output': OfCall & { readonly text?: string | undefined };
  /** `output` is what the model reads, also where the call failed. */
  readonly 'call.ended': OfCall & {
    readonly outcome: Exclude<CallOutcome, 'running'>;
    readonly output: string;
    readonly title: string;
  };
}

/**
 * One entry of a session's log, as `vitrine.sessions.events()` returns it. Where a test has looked at `type`, the members of
 * the most frequent types are typed; those of the others are `unknown`.
 */
export type AgentEvent = {
  [Type in AgentEventType]: LoggedEvent & { readonly type: Type } & (Type extends keyof Members
      ? Members[Type]
      : unknown);
}[AgentEventType];
