import type { Fault } from '../../base/fault.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Mode } from '../../permissions/modes.ts';
import type { GrantedRule, PermissionRequest, Ruleset } from '../../permissions/types.ts';
import type { Todo } from '../../tools/todo/todo-list.ts';
import type { QuestionRequest } from '../../tools/question/schema.ts';
import type { Effort } from './effort.ts';
import type {
  Attachment,
  CallEdit,
  CompactionReason,
  ForkedFrom,
  FullOutput,
  ModelRef,
  Origin,
  Outcome,
  Parent,
  RequestRef,
  RestoreKind,
  Spent,
  TaskState,
  TurnStatus,
} from './events.ts';
import type { FinishReason, Usage } from './parts.ts';
import type { PausePoint } from '../stepping/points.ts';

/**
 * The state that a session's events fold to. `fold` changes the maps in place; messages and parts are
 * replaced, never changed, so that a reader can tell by identity what is new.
 */
export interface SessionState {
  readonly sessionID: string;
  workspaceID: string;
  title: string;
  keep: boolean;
  /** Set if this is a sub-agent's session. */
  parent?: Parent;
  /** Set if it goes on from a moment of another session. */
  forkedFrom?: ForkedFrom;
  /** The agent that receives prompts; `null` until one was chosen or prompted. */
  agent: string | null;
  /** Time of the first and of the last event, milliseconds since the epoch. */
  created: number;
  updated: number;
  /** `seq` of the next event. */
  nextSeq: number;
  /** The newest message of the conversation, from which `parentID` leads back to the first. */
  head: string | null;
  /** Set once the conversation has had several versions: then not every message leads to `head`. */
  branched?: true;
  readonly messages: Map<string, Message>;
  /** Keyed by {@link partKey}. */
  readonly parts: Map<string, Part>;
  /** Waiting permission requests by request id, in the order in which they are to be answered. */
  readonly pending: Map<string, PermissionRequest>;
  /** Unanswered questions to the person by request id, oldest first. */
  readonly questions: Map<string, QuestionRequest>;
  /** The newest list of tasks. */
  todos: readonly Todo[];
  /** Rules from "Allow for this session". */
  granted: readonly GrantedRule[];
  /** How much the session asks; absent until it is set. */
  mode?: Mode;
  /** How much models are to think, if that was chosen. */
  effort?: Effort;
  /** The limits of a sub-agent beyond its own rules. */
  limits: Ruleset;
  /** Work given to sub-agents, oldest first. A session that was given work again is listed once. */
  tasks: readonly Task[];
  /** The newest commands that went on in the background, oldest first; absent if there were none. */
  jobs?: readonly StartedJob[];
  /** The manifest of the files at the session's start, once taken. */
  startSnapshot: string | null;
  /** Absent before the first snapshot of the files. */
  snapshots?: Snapshots;
  /** Set while the conversation or the files are being restored. */
  restoring?: Restoring;
  /** The moments from which the person went back, newest last; absent if there is nothing to redo. */
  undone?: readonly Moment[];
  /**
   * Manifests of the files as they were when the person left the version of the conversation that ends with this
   * message. Absent unless the conversation has several versions.
   */
  leaves?: Readonly<Record<string, string>>;
  /** `null` while no turn runs. */
  turn: { readonly promptID: string; readonly started: number } | null;
  /** Absent unless a failed step waits for its retry. */
  retry?: Retry;
  /** The person's pauses, oldest first; absent if nothing is paused. */
  paused?: readonly Pause[];
  /** How the last turn ended. */
  lastTurn: { readonly status: TurnStatus; readonly fault?: Fault } | null;
  usage: Usage;
  /** US dollars for the usage that had a price. */
  cost?: number;
  /** Models no longer see the outputs of calls in messages with a smaller `seq`. */
  prunedBefore?: number;
  /** The person's replacements for messages that models see; absent if there are none. */
  retold?: readonly Retold[];
  /** The person's replacements for agents' system prompts; absent if there are none. */
  retoldSystems?: readonly RetoldSystem[];
  /** Estimated tokens of the outputs that were pruned since the newest request. */
  prunedTokens?: number;
  /** Some of the usage had no known price, so `cost` is incomplete. */
  unpriced?: boolean;
}

/** Manifests of the files. */
export interface Snapshots {
  readonly newest: string;
  /** As the last turn began. */
  readonly turn: string;
  /**
   * As this conversation left them: whatever differs now was changed by the person or another session. Absent in
   * older records until the next snapshot.
   */
  readonly left?: string;
  /** Set while the newest one is out of date, because a later one could not be taken. */
  readonly missed?: true;
}

/** A moment of the session to which the person can go. */
export interface Moment {
  readonly head: string | null;
  /** The manifest of the files; absent if they were not touched. */
  readonly files?: string;
}

export interface Restoring {
  readonly kind: RestoreKind;
  readonly from: Moment;
  /** Absent fields stay as they are. `files` is the list of files as they are to be. */
  readonly to: Partial<Moment>;
}

/** A command that goes on, or went on, in the background. */
export interface StartedJob {
  /** The number of its process. */
  readonly id: number;
  readonly command: string;
  readonly running: boolean;
  /** It belongs to the session that this one is a copy of. */
  readonly copied?: true;
}

/** Work that a call of this session gave to a sub-agent. */
export interface Task {
  /** The sub-agent's session. */
  readonly childID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly agent: string;
  readonly title: string;
  readonly background: boolean;
  readonly state: TaskState | 'running';
  /** The usage and cost of its session, sub-agents included, when the work last ended. */
  readonly spent?: Spent;
}

export interface Retold {
  readonly messageID: string;
  /** The model for which the replacement was made. */
  readonly model: ModelRef;
  /** Hash of a blob with messages as a JSON array. */
  readonly told: string;
}

export interface RetoldSystem {
  readonly agent: string;
  /** The step at whose pause the text was written. */
  readonly messageID: string;
  /** Hash of a blob with the text. */
  readonly told: string;
}

export interface Pause {
  readonly id: string;
  readonly point: PausePoint;
  readonly messageID: string;
  readonly callID?: string;
  /** When the pause began, in milliseconds since the epoch. */
  readonly since: number;
}

export interface Retry {
  /** The step that failed; its fault gives the reason. */
  readonly messageID: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** When the step is retried, in milliseconds since the epoch. */
  readonly at: number;
}

export interface Message {
  readonly id: string;
  readonly sessionID: string;
  /** `seq` of the event that made the message; messages are ordered by it. */
  readonly seq: number;
  readonly role: 'user' | 'assistant';
  readonly parentID: string | null;
  readonly agent: string;
  /** Absent in a message of a user that is sent to no model, where none is set up. */
  readonly model?: ModelRef | undefined;
  readonly created: number;
  /** Absent while an assistant message is incomplete. */
  readonly ended?: number;
  readonly partKeys: readonly string[];
  // Only user messages have the following fields.
  /** Set for user messages that the person did not write. */
  readonly origin?: Origin;
  /** The manifests of the files before the message was worked on, and as its work left them; absent if unknown. */
  readonly files?: { readonly before: string; readonly after?: string };
  // Only assistant messages have the following fields.
  readonly step?: number;
  readonly request?: RequestRef;
  /** The person changed the request before it went out. */
  readonly edited?: true;
  readonly bodyHash?: string;
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** US dollars. */
  readonly cost?: number;
  readonly fault?: Fault;
  /** The message is a summary of the messages before it. */
  readonly purpose?: 'compaction';
  /** Set for a summary that has replaced the messages before it. */
  readonly compaction?: Compaction;
}

export interface Compaction {
  /** The first message before the summary that is still sent unchanged. */
  readonly tail: string | null;
  readonly reason: CompactionReason;
  /** Estimated tokens of a request before and after. */
  readonly before: number;
  readonly after: number;
}

export type Part = TextPart | ReasoningPart | ToolPart | FilePart;

interface PartBase {
  readonly key: string;
  readonly messageID: string;
  readonly created: number;
  readonly ended?: number;
  readonly providerMetadata?: JsonObject;
}

export interface TextPart extends PartBase {
  readonly type: 'text';
  readonly text: string;
}

export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning';
  readonly text: string;
}

export interface FilePart extends PartBase {
  readonly type: 'file';
  readonly file: Attachment;
}

export type CallStatus = 'pending' | 'running' | 'completed' | 'error';

export interface ToolPart extends PartBase {
  readonly type: 'tool';
  readonly callID: string;
  /** Id of the call in this message that made this one; absent if the model or the prompt did. */
  readonly parent?: string;
  /** Set for a call with a parent whose tool changes nothing. */
  readonly readOnly?: true;
  readonly tool: string;
  readonly status: CallStatus;
  /** The arguments as the model has typed them so far. */
  readonly raw: string;
  /**
   * The complete arguments: as streamed while the call is pending; as parsed, with defaults, from `running`
   * on.
   */
  readonly input?: Json;
  readonly invalid?: { readonly reason: string; readonly message: string };
  /** The person's changes of this call, in order. */
  readonly edited?: readonly CallEdit[];
  /** The id of the request that this call waits for. */
  readonly waiting?: string;
  readonly title?: string;
  readonly metadata: JsonObject;
  /** The last 30,000 to 60,000 characters of live output; empty once the call has ended. */
  readonly live: string;
  /** When the tool itself started. */
  readonly started?: number;
  /** How long the person paused the finished call, in milliseconds. The tool did not work then. */
  readonly held?: number;
  // Only ended calls have the following fields.
  readonly outcome?: Outcome;
  /** The output that the model sees. */
  readonly output?: string;
  readonly attachments?: readonly Attachment[];
  readonly fullOutput?: FullOutput;
  readonly fullOutputDropped?: boolean;
}

/** The key of a part in its message. Calls, texts and reasoning have ids from the stream. */
export function partKey(messageID: string, type: Part['type'], id: string): string {
  return `${messageID}/${type}/${id}`;
}
