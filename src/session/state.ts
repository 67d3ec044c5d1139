import type { Fault } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Mode } from '../permissions/modes.ts';
import type { GrantedRule, PermissionRequest, Ruleset } from '../permissions/types.ts';
import type { Todo } from '../tools/todo/todo-list.ts';
import type { QuestionRequest } from '../tools/question/schema.ts';
import type { Effort } from './effort.ts';
import type {
  Attachment,
  CallEdit,
  CompactionReason,
  FullOutput,
  ModelRef,
  Origin,
  Outcome,
  Parent,
  RequestRef,
  Spent,
  TaskState,
  TurnStatus,
} from './events.ts';
import type { FinishReason, Usage } from './parts.ts';
import type { PausePoint } from './stepping/points.ts';

/**
 * What the events of a session come to. The maps are changed in place by `fold`; messages and parts are replaced,
 * never changed, so that a reader can tell by identity what is new.
 */
export interface SessionState {
  readonly sessionID: string;
  workspaceID: string;
  title: string;
  keep: boolean;
  /** Present where this is a sub-agent's session. */
  parent?: Parent;
  /** Whom prompts go to; `null` until one was chosen or spoken to. */
  agent: string | null;
  /** Time of the first and of the last event, milliseconds since the epoch. */
  created: number;
  updated: number;
  /** `seq` of the next event. */
  nextSeq: number;
  /** The newest message, from which `parentID` leads back to the first. */
  head: string | null;
  readonly messages: Map<string, Message>;
  /** By {@link partKey}. */
  readonly parts: Map<string, Part>;
  /** Waiting asks in the order in which they are to be answered, by request id. */
  readonly pending: Map<string, PermissionRequest>;
  /** Questions to the person without an answer, oldest first, by request id. */
  readonly questions: Map<string, QuestionRequest>;
  /** The list of tasks as it was written last. */
  todos: readonly Todo[];
  /** "Allow for this session". */
  granted: readonly GrantedRule[];
  /** How much the session asks; absent until it is set. */
  mode?: Mode;
  /** How much models are to think, where that was chosen and they offer it. */
  effort?: Effort;
  /** What binds a sub-agent beyond its own rules. */
  limits: Ruleset;
  /** Work given to sub-agents, oldest first; a session that was given work again is listed once. */
  tasks: readonly Task[];
  /** The manifest of the files at the session's start, once taken. */
  startSnapshot: string | null;
  /** `null` while no turn runs. */
  turn: { readonly promptID: string; readonly started: number } | null;
  /** Absent while no failed step waits to be tried again. */
  retry?: Retry;
  /** What the person holds, the oldest first; absent where nothing is held. */
  paused?: readonly Pause[];
  /** How the last turn ended. */
  lastTurn: { readonly status: TurnStatus; readonly fault?: Fault } | null;
  usage: Usage;
  /** US dollars, of what had a price. */
  cost?: number;
  /** Outputs of calls in messages with a smaller `seq` are no longer sent to models. */
  prunedBefore?: number;
  /** What models are told in place of messages, by the person's will; absent where nothing is. */
  retold?: readonly Retold[];
  /** What agents are told in place of their system prompts, by the person's will; absent where nothing is. */
  retoldSystems?: readonly RetoldSystem[];
  /** Estimated tokens of the outputs that were taken out since the newest request. */
  prunedTokens?: number;
  /** Some of the usage had no known price: `cost` is not all. */
  unpriced?: boolean;
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
  /** What its session had come to, with those that worked for it, when the work ended last. */
  readonly spent?: Spent;
}

export interface Retold {
  readonly messageID: string;
  /** For which it was made. */
  readonly model: ModelRef;
  /** Hash of a blob with messages as a JSON array. */
  readonly told: string;
}

export interface RetoldSystem {
  readonly agent: string;
  /** The step at whose pause it was written. */
  readonly messageID: string;
  /** Hash of a blob with the text. */
  readonly told: string;
}

export interface Pause {
  readonly id: string;
  readonly point: PausePoint;
  readonly messageID: string;
  readonly callID?: string;
  /** Since when, milliseconds since the epoch. */
  readonly since: number;
}

export interface Retry {
  /** The step that failed; its fault says why. */
  readonly messageID: string;
  /** From 1. */
  readonly attempt: number;
  /** When it is tried again, milliseconds since the epoch. */
  readonly at: number;
}

export interface Message {
  readonly id: string;
  readonly sessionID: string;
  /** `seq` of the event that made it: the order of messages. */
  readonly seq: number;
  readonly role: 'user' | 'assistant';
  readonly parentID: string | null;
  readonly agent: string;
  readonly model: ModelRef;
  readonly created: number;
  /** Absent while an assistant message is still being made. */
  readonly ended?: number;
  readonly partKeys: readonly string[];
  /** Of user messages that the person did not write. */
  readonly origin?: Origin;
  // Of assistant messages only:
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
  /** It sums up what was before it. */
  readonly purpose?: 'compaction';
  /** Of a summary that stands for what was before it. */
  readonly compaction?: Compaction;
}

export interface Compaction {
  /** The first message before the summary that is still sent as it is. */
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
  /** Id of the call, of this message, that made this one; absent where the model did, or the prompt. */
  readonly parent?: string;
  /** Of a call with a parent: its tool changes nothing. */
  readonly readOnly?: true;
  readonly tool: string;
  readonly status: CallStatus;
  /** The arguments as the model typed them, so far. */
  readonly raw: string;
  /** The arguments once the call is complete: as streamed while pending, as parsed from `running` on. */
  readonly input?: Json;
  readonly invalid?: { readonly reason: string; readonly message: string };
  /** What the person changed of it, in order. */
  readonly edited?: readonly CallEdit[];
  /** The request that this call waits for. */
  readonly waiting?: string;
  readonly title?: string;
  readonly metadata: JsonObject;
  /** The last 30,000 to 60,000 characters of live output; empty once the call has ended. */
  readonly live: string;
  /** When the tool itself started. */
  readonly started?: number;
  /** So long the person held its result before it was told, milliseconds; no work of the tool. */
  readonly held?: number;
  // Once ended:
  readonly outcome?: Outcome;
  /** What the model sees. */
  readonly output?: string;
  readonly attachments?: readonly Attachment[];
  readonly fullOutput?: FullOutput;
  readonly fullOutputDropped?: boolean;
}

/** Parts of a message are keyed by what streams them: a call by its id, text and reasoning by theirs. */
export function partKey(messageID: string, type: Part['type'], id: string): string {
  return `${messageID}/${type}/${id}`;
}
