import type * as z from 'zod';
import type { Fault } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Hash } from '../base/hash.ts';
import type { Rules, SourcedRule } from '../permissions/rules.ts';
import type { Ask } from '../permissions/types.ts';
import type { EndedCall } from './hooks.ts';
import type { OwnFiles } from './own-files.ts';
import type { Answers, Question } from './question/schema.ts';
import type { Tasks } from './task/tasks.ts';
import type { Visibility, Workspace } from '../workspace/workspace.ts';

/** A tool as it is registered. `init` runs each time the list of tools is made for a request. */
export interface ToolInfo {
  readonly id: string;
  /** The permission that its rules are for; default: its id. */
  readonly permission?: string;
  readonly filter?: ToolFilter;
  /** For the documentation: when its `init` offers it, if that is not always. */
  readonly condition?: string;
  /** Whether it exists in this workspace; where not, it hides no other tool of its id. Default: everywhere. */
  isOffered?(workspace: Workspace): boolean;
  /** Returns `undefined` where the tool offers nothing now. */
  init(context: InitContext): Initialised | Promise<Initialised>;
}

export type Initialised = ToolDefinition | undefined;

/**
 * Which requests a tool is offered in; every given entry must match. Names may contain `*` and `?`. The last matching
 * name decides, and a `!` in front excludes; what matches no name is excluded too.
 */
export interface ToolFilter {
  readonly providers?: readonly string[];
  /** Ids of models. */
  readonly models?: readonly string[];
  readonly agents?: readonly string[];
  /** The name of a switch in the settings, such as `experimental.batch_tool`. */
  readonly flag?: string;
  /** Kinds of client; this one is `app`. */
  readonly clients?: readonly string[];
}

export interface InitContext {
  /** The name of the agent that will call the tool. */
  readonly agent: string;
  /** The agent's rules, for tools that offer only what the rules allow. */
  readonly rules?: readonly SourcedRule[];
  /** Absent where tools are listed without a workspace. */
  readonly workspace?: Workspace;
  /** The person's own files. */
  readonly own?: OwnFiles;
  /** The agents that work can be given to, where they differ from the default ones. */
  readonly agents?: readonly { readonly name: string; readonly description: string }[];
}

/** The input of `define`. `execute` gets the arguments as the schema `parameters` parses them. */
export interface ToolDefinition<Parameters extends z.ZodType = z.ZodType> {
  readonly description: string;
  readonly parameters: Parameters;
  /** The JSON Schema shown to the model in place of the one made from `parameters`, such as that of a server's tool. */
  readonly schema?: JsonObject;
  /** Its limits, as the documentation lists them, besides the general cut of outputs. */
  readonly limits?: readonly string[];
  /** A tool that changes nothing: it starts without waiting for the log to be on disk. */
  readonly readOnly?: boolean;
  /** A tool that calls `ask` before it changes anything: the call is `pending` until then, and `running` after. */
  readonly asksFirst?: boolean;
  execute(input: z.output<Parameters>, context: ToolContext): Promise<ToolReturn>;
  /** Makes the error text for invalid arguments in place of the standard one. */
  formatValidationError?(error: z.ZodError): string;
}

/** A result; a bare string or number is its output, any other JSON value is stringified. */
export type ToolReturn = ToolResult | Json;

export interface ToolResult {
  readonly title?: string;
  /** The text for the model. It is cut to the limits unless `metadata.truncated` is set, true or false. */
  readonly output: string;
  readonly metadata?: JsonObject;
  readonly attachments?: readonly ToolAttachment[];
  /** The full output of a tool that cut its output itself. */
  readonly fullOutput?: FullOutput;
}

/** The full text of an output that was cut for the model, with its sizes. */
export interface FullOutput {
  readonly path: string;
  readonly blob: Hash;
  readonly bytes: number;
  readonly lines: number;
}

export interface ToolAttachment {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly filename?: string;
}

export interface ToolContext {
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly agent: string;
  readonly model: { readonly provider: string; readonly model: string };
  /** The absolute path of the directory that relative paths start from. */
  readonly directory: string;
  readonly worktree: string;
  readonly abort: AbortSignal;
  readonly extra: JsonObject;
  readonly workspace: Workspace;
  readonly outputs: Outputs;
  readonly reads: ReadRegistry;
  /** The metadata of this session's newest successful call of `tool`; it survives a reload. */
  previous(tool: string): JsonObject | undefined;
  /** The paths that the current `read` rules let searches show: `visibilityOf` of the permissions. */
  visibility(): Visibility;
  /** The current rules for a permission, for tools that check them without asking. */
  rules(permission: string): Rules;
  /** Updates the call's card while it runs: `{title, metadata}`, or other keys that are merged into the metadata. */
  metadata(update: JsonObject): void;
  /** Shows a piece of output while the call runs. */
  output(text: string): void;
  /**
   * Waits until no other call of this session has locked the absolute `path`, then locks it until the returned function is
   * called, at the latest until the call ends. Rejects when the call is aborted.
   */
  lock(path: string): Promise<() => void>;
  /**
   * Suspends the call until it is allowed, or throws `PermissionDenied` or `PermissionRejected`. The call is `running`
   * afterwards and, unless the tool is `readOnly`, this state and the permission are on disk.
   */
  ask(ask: Ask | AskInput): Promise<true>;
  /**
   * Suspends the call until the person has answered; the answers match the questions. Throws `QuestionDismissed` where
   * the person dismisses them, which ends the turn. The call is `running` afterwards.
   */
  question(questions: readonly Question[]): Promise<Answers>;
  /**
   * Calls other tools in parallel, each with its own part of the message and its own permission, and returns their
   * results in order. With `atomic`, either all of them succeed or every file is restored.
   */
  calls(calls: readonly NestedCall[], options: { readonly atomic: boolean }): Promise<NestedCallResults>;
  /** Gives work to other agents. */
  readonly tasks: Tasks;
  /** Continues the turn with another agent from the next step on; `text` tells it why. */
  handOver(agent: string, text: string): Promise<void>;
}

/** A call that another call makes. */
export interface NestedCall {
  readonly tool: string;
  readonly args: Json;
}

export interface NestedCallResults {
  readonly results: readonly NestedCallResult[];
  /** Set where atomic calls failed and were undone. */
  readonly undone?: Undone;
}

export interface Undone {
  /** The restored files, relative to the root; with a fault, the files that may still be changed. */
  readonly paths: readonly string[];
  /** Why the files could not be restored. */
  readonly fault?: Fault;
}

export interface NestedCallResult {
  readonly callID: string;
  readonly tool: string;
  readonly outcome: EndedCall['outcome'];
  /** The text that a model would get. */
  readonly output: string;
  readonly attachments: readonly ToolAttachment[];
}

/** Other forms of `ask` that foreign tools use; the wrapper of `define` converts them to an {@link Ask}. */
export type AskInput =
  | {
      readonly permission: string;
      readonly patterns: readonly string[];
      readonly always?: readonly string[];
      /** A `command`, or a `filepath` with a `diff`, is shown as such. */
      readonly metadata?: JsonObject;
    }
  | { readonly tool: string; readonly action?: string; readonly params?: JsonObject };

/** A tool prepared for one list of tools, which the session can run. */
export interface ReadyTool {
  readonly id: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
  /** Whether it changes nothing, so that it may start before the log is on disk. */
  readonly readOnly: boolean;
  readonly asksFirst?: boolean;
  /** Returns the arguments with defaults and coercions applied, or the error text for the model. */
  parse(input: Json): ParsedInput;
  /** Runs the tool on parsed input. Throws what the tool throws, `PermissionDenied` and `PermissionRejected` among it. */
  run(input: unknown, context: ToolContext): Promise<RunResult>;
}

export type ParsedInput =
  { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string };

/** A normalized {@link ToolReturn}, cut to the limits. */
export interface RunResult {
  readonly title: string;
  readonly output: string;
  readonly metadata: JsonObject;
  readonly attachments: readonly ToolAttachment[];
  readonly fullOutput?: FullOutput;
}

/** Full outputs that were cut for the model, readable at a virtual path below {@link OUTPUT_ROOT}. */
export interface Outputs {
  /** Stores `text` for this session and returns its path, such as `tool_<tool>_001.txt`. */
  save(tool: string, text: string): Promise<{ readonly path: string; readonly blob: Hash }>;
  /** Reads a virtual path of this session; `undefined` where there is none. Rejects with a fault where it was dropped. */
  read(path: string): Promise<string | undefined>;
  /** All full outputs of this session, dropped ones included, oldest first. */
  list(): readonly KeptOutput[];
  /** Paths of further files, whose text is generated when they are read. */
  readonly generated: readonly string[];
  /** The person's own files, which are the same in every workspace. */
  readonly own: OwnFiles;
}

/** Further files of a session beside its full outputs: maps file names to functions that generate the text. */
export type GeneratedFiles = ReadonlyMap<string, () => Promise<string>>;

export interface KeptOutput {
  readonly path: string;
  readonly blob: Hash;
  readonly bytes: number;
  readonly dropped: boolean;
}

export const OUTPUT_ROOT = '~/.opencode/truncate';

/** The hashes of the files as this session read them last, to enforce "read before you change". */
export interface ReadRegistry {
  seen(path: string): Hash | undefined;
  record(path: string, hash: Hash): void;
}
