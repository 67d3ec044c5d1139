import type { Clock, Ids } from '../base/clock.ts';
import type { Fault } from '../base/fault.ts';
import type { Mode } from './modes.ts';
import type { SourcedRule } from './rules.ts';
import type {
  AnsweredBy,
  Answerer,
  Decision,
  GrantedRule,
  PermissionRequest,
  Reply,
  RuleStore,
} from './types.ts';

/** Records what happens at the gate in the session's log. Called in order, synchronously. */
export interface GateLog {
  /** `because` says what decided if it was not the rules. */
  decided(
    call: GateCall,
    permission: string,
    action: 'allow' | 'deny',
    decisions: readonly Decision[],
    because?: 'refused-before',
  ): void;
  asked(request: PermissionRequest): void;
  answered(request: PermissionRequest, reply: Reply, by: AnsweredBy): void;
  /** The person allowed this for the session. From now on, the `granted` dependency returns these rules too. */
  granted(rules: readonly GrantedRule[]): void;
  /** A lasting answer could not be saved: it applies to this call only. */
  notSaved(fault: Fault): void;
}

export interface GateDeps {
  readonly sessionID: string;
  readonly workspaceID: string;
  /** The current defaults, settings and rules of the agent, in that order. */
  configured(agent: string): readonly SourcedRule[];
  /** The rules from "Allow for this session", from the log. */
  granted(): readonly GrantedRule[];
  /** The mode of this session for calls of this agent; absent if the rules alone decide. */
  mode?(agent: string): Mode;
  readonly store: RuleStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: GateLog;
  /** A lasting answer was given here and may also answer requests that wait elsewhere. */
  allowedMore?(): void;
  /** The refusals of this turn in the session that this one works for; see `PermissionGate.refused`. */
  refusedAbove?(): Map<string, string> | undefined;
  /** Gets each request before the person does, one at a time; absent if the person answers everything. */
  answerer?(): Answerer | undefined;
}

/** The call that asks for permission. */
export interface GateCall {
  readonly messageID: string;
  readonly callID: string;
  readonly tool: string;
  readonly agent: string;
  /** The position of the call in its message, from 0: waiting requests are answered in this order. */
  readonly order: number;
  readonly signal: AbortSignal;
}
