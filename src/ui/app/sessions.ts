import type { Unlisten } from '../../base/listeners.ts';
import type { Mode } from '../../permissions/modes.ts';
import type { AnsweredBy, Reply } from '../../permissions/types.ts';
import type { Inspection } from '../../session/inspect/inspection.ts';
import type { RecordedLog } from '../../session/inspect/recorded.ts';
import type { Audit } from '../../session/log/audit.ts';
import type { CallLog } from '../../session/log/call-log.ts';
import type { Effort } from '../../session/log/effort.ts';
import type { Event, ModelRef } from '../../session/log/events.ts';
import type { SessionState } from '../../session/log/state.ts';
import type { SearchHit, SessionMarks, SessionRecord } from '../../session/log/store.ts';
import type { RestoreTo } from '../../session/restore/moments.ts';
import type { RestorePlan } from '../../session/restore/plan.ts';
import type { RestoreChoice } from '../../session/restore/restorer.ts';
import type { Stepper } from '../../session/stepping/stepper.ts';
import type { ToolStarts } from '../../tools/log/starts.ts';
import type { Answers } from '../../tools/question/schema.ts';

export type { RecordedLog } from '../../session/inspect/recorded.ts';

/** The caller waits for this once the session exists, before anything happens in it. */
export type Ready = (session: SessionHandle) => Promise<void>;

export interface AppSessions {
  list(): Promise<readonly SessionRecord[]>;
  /** The sessions that are open in this tab, in which a turn may be running or waiting. */
  live(): readonly SessionHandle[];
  create(options: { readonly workspaceID: string; readonly title?: string }): Promise<SessionHandle>;
  /** Resolves to the same handle for as long as the session is open. */
  open(id: string): Promise<SessionHandle>;
  delete(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** Changes the marks that are named, also of a session that another tab writes. */
  mark(id: string, marks: Partial<SessionMarks>): Promise<void>;
  search(query: string): Promise<readonly SearchHit[]>;
  /** The permission decisions of a session; nothing is read before the first page is asked for. */
  audit(id: string): Promise<Audit>;
  /** Opens the log of a session, or of a recording, for inspection. The caller closes it. */
  inspect(id: string, recorded?: RecordedLog | null): Promise<Inspection>;
  /**
   * The stepper that can pause a session of this tab, and the sessions of its sub-agents, before each thing
   * they do.
   */
  stepper(id: string): Promise<Stepper>;
  /** Called when the list, `live()`, or a session's `writable` changed. */
  onChange(listener: () => void): Unlisten;
}

/**
 * A session as the page uses it. Both `Session` and, in a tab that only follows, `SessionFollower` implement
 * it.
 */
export interface SessionHandle {
  readonly id: string;
  readonly state: SessionState;
  readonly writable: boolean;
  /** True if it shows what happened at an earlier moment, so that nothing in it waits for the reader. */
  readonly past?: boolean;
  readonly oldestLoaded: boolean;
  onEvents(listener: (events: readonly Event[]) => void): Unlisten;
  prompt(text: string, options?: { readonly agent?: string; readonly model?: ModelRef }): Promise<void>;
  /**
   * Runs a command of the person as a message; the next request to a model includes it. Resolves when it has ended.
   * Rejects with a fault while something else runs.
   */
  command(command: string, model?: ModelRef): Promise<void>;
  /** True while such a command runs. */
  readonly commanding: boolean;
  /**
   * The listener is called at each moment at which a prompt can join: between two steps, and after a turn or command
   * that ended by itself. The session waits for it.
   */
  onGap(listener: () => Promise<void>): Unlisten;
  abort(): void;
  /** `null` dismisses the question, which ends the turn. */
  answerQuestion(requestID: string, answers: Answers | null, by: AnsweredBy): void;
  /** Sums up the conversation: at once, or before the next step of a running turn. */
  compact(model?: ModelRef): void;
  /**
   * Lets the session's model write a summary, in Markdown, of what was asked, done and changed. `onText` gets
   * the text as it grows. Resolves to `undefined` if `signal` was aborted.
   */
  summarize(signal: AbortSignal, onText?: (text: string) => void): Promise<string | undefined>;
  /** Tries the failed step that is waiting for its next attempt again now. */
  retryNow(): void;
  /** Undoes the person's edit of this message at a pause: models get the original message again. */
  tellAsItIs(messageID: string): Promise<void>;
  /**
   * Undoes the person's edit of this agent's system prompt at a pause: models get the original prompt again.
   */
  tellOwnSystem(agent: string): Promise<void>;
  answer(requestID: string, reply: Reply, by: AnsweredBy): void;
  /** Sets the permission mode, which also applies to requests that are already waiting. */
  setMode(mode: Mode): Promise<void>;
  /** Sets the agent that receives the next prompts. */
  chooseAgent(name: string): Promise<void>;
  /** Sets the reasoning effort from the next step on; `null` leaves it to the model's default. */
  chooseEffort(effort: Effort | null): Promise<void>;
  rename(title: string): Promise<void>;
  keep(keep: boolean): Promise<void>;
  /** Ways to go back, forth and to other versions of the session; `null` if nothing can be changed here. */
  readonly restores: SessionRestores | null;
  loadOlder(limit?: number): Promise<boolean>;
}

export interface SessionRestores {
  /** Tells what going to that moment would change. Rejects with a fault if that is not possible now. */
  plan(to: RestoreTo): Promise<RestorePlan>;
  /** Carries out a plan. Rejects with a fault; the conversation then stays as it was. */
  run(plan: RestorePlan, choice: RestoreChoice): Promise<void>;
}

export interface PromptHistory {
  /** The newest messages that were sent in this workspace, oldest first. */
  load(workspaceID: string): Promise<readonly string[]>;
  add(workspaceID: string, text: string): Promise<void>;
}

/** The log of the agent's tool calls. */
export interface AppLog {
  /** The calls of a session, or of a recording; nothing is read before the first page is asked for. */
  calls(sessionID: string, recorded?: RecordedLog | null): Promise<CallLog>;
  /** The tools that were prepared for models since the page was opened, and how long that took. */
  readonly starts: Pick<ToolStarts, 'records' | 'startups' | 'onChange'>;
}
