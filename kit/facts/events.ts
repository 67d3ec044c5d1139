/** The types of the events in a session's log, which docs/automation.md and the app's own types describe. */
export type AgentEventType =
  | 'session.created'
  | 'session.titled'
  | 'session.kept'
  | 'snapshot.taken'
  | 'snapshot.missed'
  | 'restore.began'
  | 'restore.ended'
  | 'mode.set'
  | 'rules.granted'
  | 'rules.limited'
  | 'agent.chosen'
  | 'effort.chosen'
  | 'task.started'
  | 'task.ended'
  | 'job.started'
  | 'job.ended'
  | 'preview.noted'
  | 'prompt.accepted'
  | 'turn.started'
  | 'turn.ended'
  | 'step.started'
  | 'step.sent'
  | 'step.part'
  | 'step.ended'
  | 'pause.began'
  | 'pause.ended'
  | 'request.edited'
  | 'message.retold'
  | 'system.retold'
  | 'call.edited'
  | 'step.waiting'
  | 'context.compacted'
  | 'outputs.pruned'
  | 'aside.ended'
  | 'permission.decided'
  | 'permission.asked'
  | 'permission.answered'
  | 'question.asked'
  | 'question.answered'
  | 'call.added'
  | 'call.running'
  | 'call.progress'
  | 'call.output'
  | 'call.ended'
  | 'output.dropped';

/** One entry of a session's log, as the page gives it. Every event has these four members; the others depend on its type. */
export interface LoggedEvent {
  readonly type: AgentEventType;
  readonly sessionID: string;
  /** Counts the events of a session from 0 without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly [member: string]: unknown;
}

export const OUTCOMES = ['ok', 'failed', 'denied', 'cancelled', 'interrupted', 'invalid', 'running'] as const;

/** How a call ended; `running` if it has not. */
export type CallOutcome = (typeof OUTCOMES)[number];

/** A tool call with what it was given and what the model got back. */
export interface Call {
  readonly id: string;
  readonly messageID: string;
  readonly tool: string;
  readonly input: unknown;
  readonly outcome: CallOutcome;
  /** Whether the tool began its work: not so if the call was invalid or denied, or was stopped before. */
  readonly ran: boolean;
  readonly output: string;
}

/** A request to allow a call, and the answer if there was one. */
export interface Ask {
  readonly tool: string;
  readonly permission: string;
  readonly patterns: readonly string[];
  /** `once`, `session`, `always`, `everywhere` or `reject`; absent while nobody has answered. */
  readonly reply?: string;
}

/** Everything from a prompt until the agent stopped. */
export interface TurnFacts {
  readonly prompt: string;
  /** `running` if it has not ended. */
  readonly status: string;
  readonly steps: number;
  /** Input and output tokens of all steps, as the provider counted them. */
  readonly tokens: number;
  /** US dollars, for the steps that had a price. */
  readonly cost: number;
  readonly ms: number;
}

/** An entry of the conversation, in the order in which it happened. */
export type Entry =
  | { readonly kind: 'prompt'; readonly text: string }
  /** The test makes the call that follows. */
  | { readonly kind: 'test' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'end'; readonly status: string; readonly fault?: string };

/** The facts of one session, folded from its log. The matchers judge these. */
export interface Facts {
  /** The agent's calls; those of `callTool`, of files that a message names and of the person's own commands are only among the entries. */
  readonly calls: readonly Call[];
  readonly asks: readonly Ask[];
  /** The texts of the agent's answers, in order. */
  readonly said: readonly string[];
  readonly turns: readonly TurnFacts[];
  readonly entries: readonly Entry[];
}
