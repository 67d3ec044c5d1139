import type { Fault } from '../../base/fault.ts';
import type { Json } from '../../base/json.ts';
import type { CallEdit, Event, ModelRef, Outcome, RequestRef, TurnStatus } from '../log/events.ts';
import type { FinishReason, Usage } from '../log/parts.ts';
import type { PausePoint } from '../stepping/points.ts';

/** A period of time in milliseconds since the epoch; without `to` it still lasts. */
export interface Span {
  readonly from: number;
  readonly to?: number;
}

/** A pause by the person. */
export interface Hold extends Span {
  readonly pauseID: string;
  readonly point: PausePoint;
}

export interface Turn {
  readonly kind: 'turn';
  readonly key: string;
  /** `seq` of the event that started the turn. */
  readonly seq: number;
  readonly time: number;
  /** The text of the prompt; empty if the turn only summarizes. */
  readonly prompt: string;
  readonly purpose?: 'compaction';
  readonly ended?: number;
  readonly status?: TurnStatus;
  readonly fault?: Fault;
  /** Keys of its steps, and of the calls that its prompts made, in order. */
  readonly children: readonly string[];
}

/** One request to a model and its answer. */
export interface Step {
  readonly kind: 'step';
  readonly key: string;
  readonly turn: string;
  readonly seq: number;
  readonly time: number;
  readonly messageID: string;
  /** Counts from 0 within the turn. */
  readonly step: number;
  readonly agent: string;
  readonly model: ModelRef;
  readonly request: RequestRef;
  readonly purpose?: 'compaction';
  /** When the request was sent, and the hash of its body. */
  readonly sent?: { readonly time: number; readonly bodyHash: string };
  /** When the first and the last piece of the answer arrived. */
  readonly first?: number;
  readonly answered?: number;
  readonly ended?: number;
  readonly reason?: FinishReason;
  readonly usage?: Usage;
  readonly cost?: number;
  readonly fault?: Fault;
  /** Set if the step is retried, `delay` milliseconds after this time. */
  readonly retry?: { readonly time: number; readonly attempt: number; readonly delay: number };
  readonly holds: readonly Hold[];
  /** The person edited its request. */
  readonly edited?: true;
  /** The request contains a lasting edit that the person made at an earlier pause. */
  readonly retold?: true;
  /** Keys of its calls, in order; nested calls stand behind the call that made them. */
  readonly calls: readonly string[];
}

/** A wait for an answer by the person, or by an answerer in their place. */
export interface Wait extends Span {
  readonly kind: 'permission' | 'question';
  readonly requestID: string;
  /** The request was withdrawn or refused. */
  readonly refused?: boolean;
}

export interface Call {
  readonly kind: 'call';
  readonly key: string;
  /** Key of its step, or of its turn if a prompt made the call. */
  readonly of: string;
  readonly seq: number;
  /** When the model, or the call that made it, named this call. */
  readonly time: number;
  readonly messageID: string;
  readonly callID: string;
  /** Id of the call that made this one. */
  readonly parent?: string | undefined;
  readonly tool: string;
  /** The arguments as the tool got them, otherwise as the model gave them. */
  readonly input?: Json;
  /** When the arguments were complete. */
  readonly resolved?: number;
  readonly invalid?: { readonly reason: string; readonly message: string };
  readonly waits: readonly Wait[];
  /** Set if rules allowed or denied the call without asking. */
  readonly ruled?: { readonly time: number; readonly action: 'allow' | 'deny' };
  readonly runs: readonly Span[];
  readonly holds: readonly Hold[];
  /** The person's changes of this call, in order. */
  readonly edits: readonly CallEdit[];
  readonly ended?: number;
  readonly outcome?: Outcome;
  readonly title?: string;
  /** The exit code, if the call succeeded but the command it ran failed. */
  readonly failedExit?: number;
}

export type Item = Turn | Step | Call;

/** Every event about a step or a call. `events` is the log, starting with event 0. */
export function eventsOf(events: readonly Event[], item: Step | Call): readonly Event[] {
  return events.slice(item.seq).filter((event) => isAbout(event, item));
}

function isAbout(event: Event, item: Step | Call): boolean {
  if (!('messageID' in event) || event.messageID !== item.messageID) return false;
  if (item.kind === 'step') return true;
  if ('callID' in event) return event.callID === item.callID;
  if ('call' in event) return event.call === item.callID;
  return event.type === 'step.part' && 'callID' in event.part && event.part.callID === item.callID;
}
