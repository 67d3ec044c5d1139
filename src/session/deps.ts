import type { Clock, Ids } from '../base/clock.ts';
import type { Hash } from '../base/hash.ts';
import type { Timer } from '../base/timer.ts';
import type { Setup } from '../agents/setup.ts';
import type { Mode } from '../permissions/modes.ts';
import type { PermissionSettings } from '../permissions/settings.ts';
import type { Answerer, GrantedRule, RuleStore } from '../permissions/types.ts';
import type { ToolHooks } from '../tools/hooks.ts';
import type { OwnFiles } from '../tools/own-files.ts';
import type { Toolbox } from '../tools/registry.ts';
import type { Tasks } from '../tools/task/tasks.ts';
import type { GeneratedFiles } from '../tools/tool.ts';
import type { Jobs } from '../workspace/jobs.ts';
import type { takeSnapshot } from '../workspace/snapshot.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { QuestionAnswerer } from './calls/questions.ts';
import type { Event, ModelRef, Parent } from './log/events.ts';
import type { SessionStore } from './log/store.ts';
import type { Model } from './request/model.ts';
import type { Stepper } from './stepping/stepper.ts';
import type { TaskCall } from './subagents/task-call.ts';

/** The configuration files of each workspace, as read. */
export interface Setups {
  /** Returns the result of the last read. */
  current(workspaceID: string): Setup;
  /** Reads the files again. Never rejects. */
  refresh(workspaceID: string): Promise<Setup>;
  /** The configuration files that the person keeps for every workspace. */
  ownFiles?(): OwnFiles;
}

/** The parts of the app that every session uses. */
export interface SessionDeps {
  readonly store: SessionStore;
  readonly rules: RuleStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timer: Timer;
  readonly registry: Toolbox;
  /** They run around every call, in this order. */
  readonly hooks?: readonly ToolHooks[];
  /** Files that tools can read in addition to the session's full outputs. */
  madeFiles?(sessionID: string): GeneratedFiles;
  /** The switches that are on in the settings now. */
  flags?(): ReadonlySet<string>;
  /** Rejects with a fault if there is no such model, or no key for it. */
  model(ref: ModelRef, workspaceID: string): Promise<Model>;
  /** Whether a model that a file names can be used, for instance has its key. The default is yes. */
  isSetUp?(ref: ModelRef, workspaceID: string): boolean;
  /** The model for prompts that name none; `undefined` if none is chosen. */
  defaultModel(): ModelRef | undefined;
  workspace(id: string): Promise<Workspace>;
  /** The jobs of a workspace, if it is open in this tab. */
  jobs?(workspaceID: string): Promise<Jobs | undefined>;
  /** The current permission settings, in the shape of opencode.json's `permission`. */
  settings(): PermissionSettings;
  /** Without this, no configuration files are read. */
  readonly setups?: Setups;
  /** Answers permission requests before the person is asked. */
  answerer?(): Answerer | undefined;
  questionAnswerer?(): QuestionAnswerer | undefined;
  /**
   * Puts the files and their next list into `sink`. Returns the list's hash, or `undefined` if nothing
   * changed. `true` is {@link takeSnapshot}, which then comes with the code that runs turns. Without this, no
   * snapshots are taken.
   */
  snapshot?: true | typeof takeSnapshot;
  /** Whether this model names new sessions while the first turn runs. Without this, it does not. */
  titles?(model: ModelRef): boolean;
  /** The model for titles and summaries, unless files name one; `undefined` leaves it to the session's own. */
  smallModel?(): ModelRef | undefined;
  /**
   * Whether old outputs are taken out and conversations are summarized automatically when a model's context
   * is full. Without this, they are.
   */
  makesRoom?(): boolean;
  /** Computes the digest of a request's body, off the page's thread where possible. */
  digest?(text: string): Promise<Hash>;
  /** Called with the body of a step's request as it was sent. */
  sentBody?(sessionID: string, messageID: string, body: string): void;
  /** Called once events are on disk, so that other tabs can be told. */
  onCommitted?(sessionID: string, events: readonly Event[]): void;
}

export interface NewSession {
  readonly workspaceID: string;
  readonly title?: string;
  /** The call that gives the session its work. */
  readonly parent?: Parent;
  /** The agent that receives its prompts. */
  readonly agent?: string;
}

/** Connects a session to its parent and its sub-agents. */
export interface SessionFamily {
  tasks(call: TaskCall): Tasks;
  /** The "Allow for this session" rules of the session's ancestors. */
  inherited(): readonly GrantedRule[];
  /** The parent's mode, which also applies to this session; `undefined` if it has no parent. */
  mode(): Mode | undefined;
  /**
   * The requests that the person refused during this turn of the parent; `undefined` if there is no parent.
   */
  refused(): Map<string, string> | undefined;
  /** The stepper that pauses this session; `undefined` while nobody steps through it. */
  stepper(): Stepper | undefined;
  /** Called when rules or the mode changed: the session's sub-agents are bound by them too. */
  changed(): void;
  /** Called when rules were granted here for the session, so that its parent gets them too. */
  granted(rules: readonly GrantedRule[]): void;
  /** Whether another session of this workspace runs a turn. */
  isWorkspaceBusy(): boolean;
  /** Stops the sub-agents that work for this session; resolves when they have ended. */
  endTasks(): Promise<void>;
  /** Called when a lasting permission was given here, which may also answer waiting requests elsewhere. */
  allowedMore(): void;
}
