import type * as z from 'zod';
import type { Fault } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Hash } from '../base/hash.ts';
import type { SourcedRule } from '../permissions/rules.ts';
import type { Ask } from '../permissions/types.ts';
import type { EndedCall } from './hooks.ts';
import type { OwnFiles } from './own-files.ts';
import type { Answers, Question } from './question/schema.ts';
import type { Tasks } from './task/tasks.ts';
import type { Visibility, Workspace } from '../workspace/workspace.ts';

/** A tool as it is registered. `init` runs each time the tool list is made for a model call. */
export interface ToolInfo {
  readonly id: string;
  /** What its rules are called; default: its id. */
  readonly permission?: string;
  readonly filter?: ToolFilter;
  /** Where it is not, it hides no other tool of its id; default: everywhere. */
  isOffered?(workspace: Workspace): boolean;
  /** `undefined`: there is nothing to offer now. */
  init(context: InitContext): Initialised | Promise<Initialised>;
}

export type Initialised = ToolDefinition | undefined;

/**
 * Whom a tool is offered to; every entry that is given must hold. Names may contain `*` and `?`. The last one that
 * matches decides, and one with `!` in front leaves out; what none matches is left out too.
 */
export interface ToolFilter {
  readonly providers?: readonly string[];
  /** Model ids. */
  readonly models?: readonly string[];
  readonly agents?: readonly string[];
  /** Name of a switch in the settings, such as `experimental.batch_tool`. */
  readonly flag?: string;
  /** Kinds of client; this one is `app`. */
  readonly clients?: readonly string[];
}

export interface InitContext {
  /** Name of the agent that will call. */
  readonly agent: string;
  /** Its rules, for tools that offer only what they let through. */
  readonly rules?: readonly SourcedRule[];
  /** Absent where tools are listed without a workspace. */
  readonly workspace?: Workspace;
  /** The person's own files. */
  readonly own?: OwnFiles;
  /** Whom work can be given to, where that is not those who always are. */
  readonly agents?: readonly { readonly name: string; readonly description: string }[];
}

/** What `define` takes. `Parameters` is a zod object; `execute` gets the parsed value, defaults and coercions applied. */
export interface ToolDefinition<Parameters extends z.ZodType = z.ZodType> {
  readonly description: string;
  readonly parameters: Parameters;
  /** What the model is shown in place of what `parameters` say: the JSON Schema that a server has for its tool. */
  readonly schema?: JsonObject;
  /** What it does at most, in words for the documentation; the general cut of outputs goes without saying. */
  readonly limits?: readonly string[];
  /** It changes nothing: it starts without waiting for the log to be on disk. */
  readonly readOnly?: boolean;
  /** It calls `ask` before it changes anything: the call is `pending` until then, and only then `running`. */
  readonly asksFirst?: boolean;
  execute(input: z.output<Parameters>, context: ToolContext): Promise<ToolReturn>;
  /** The text the model gets for arguments that do not fit, in place of the standard one. */
  formatValidationError?(error: z.ZodError): string;
}

/** A result; a bare string or number is its output, any other JSON value is stringified. */
export type ToolReturn = ToolResult | Json;

export interface ToolResult {
  readonly title?: string;
  /** What the model sees. Cut by the truncation rule unless `metadata.truncated` is set, true or false. */
  readonly output: string;
  readonly metadata?: JsonObject;
  readonly attachments?: readonly ToolAttachment[];
  /** Where a tool that cut its output itself kept all of it. */
  readonly fullOutput?: FullOutput;
}

/** A full output that was cut for the model; sizes are those of the full text. */
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
  /** Absolute; where relative paths start. */
  readonly directory: string;
  readonly worktree: string;
  readonly abort: AbortSignal;
  readonly extra: JsonObject;
  readonly workspace: Workspace;
  readonly outputs: Outputs;
  readonly reads: ReadRegistry;
  /** The metadata of this session's newest call of `tool` that ended well; it survives a reload. */
  previous(tool: string): JsonObject | undefined;
  /** Which paths the `read` rules let searches show, as the rules stand now: `visibilityOf` of the permissions. */
  visibility(): Visibility;
  /** Live update of the call's card: `{title, metadata}`, or bare keys that are merged into the metadata. */
  metadata(update: JsonObject): void;
  /** A piece of live output, as it came. */
  output(text: string): void;
  /**
   * Waits until no other call of this session holds `path` (absolute), then holds it until the returned function is
   * called, at the latest when the call ends. Rejects when the call is aborted.
   */
  lock(path: string): Promise<() => void>;
  /**
   * Suspends the call until it is allowed; resolves `true`, throws `PermissionDenied` or `PermissionRejected`.
   * The call is `running` from here on, and unless the tool is `readOnly`, that and the permission are on disk.
   */
  ask(ask: Ask | LooseAsk): Promise<true>;
  /**
   * Suspends the call until the person has answered; the answers fit the questions. Throws `QuestionDismissed`, which
   * ends the turn. The call is `running` from here on.
   */
  question(questions: readonly Question[]): Promise<Answers>;
  /**
   * Makes calls of other tools, side by side, each with its own part of the message and its own permission; how they
   * ended, in order. With `atomic`, either all of them end well or every file is put back.
   */
  calls(calls: readonly MadeCall[], options: { readonly atomic: boolean }): Promise<MadeCalls>;
  /** Work for other agents. */
  readonly tasks: Tasks;
  /** The turn goes on with another agent from the next step; `text` tells it why. */
  handOver(agent: string, text: string): Promise<void>;
}

/** A call that a tool makes. */
export interface MadeCall {
  readonly tool: string;
  readonly args: Json;
}

export interface MadeCalls {
  readonly results: readonly MadeCallResult[];
  /** Of an atomic row that did not end well. */
  readonly undone?: Undone;
}

export interface Undone {
  /** The files that were put back, relative to the root; with a fault, those that may still be changed. */
  readonly paths: readonly string[];
  /** Why they could not be put back. */
  readonly fault?: Fault;
}

export interface MadeCallResult {
  readonly callID: string;
  readonly tool: string;
  readonly outcome: EndedCall['outcome'];
  /** What a model would be told. */
  readonly output: string;
  readonly attachments: readonly ToolAttachment[];
}

/** The forms of `ask` that tools written by others use; the wrapper of `define` makes an {@link Ask} of them. */
export type LooseAsk =
  | {
      readonly permission: string;
      readonly patterns: readonly string[];
      readonly always?: readonly string[];
      /** `command`, or `filepath` and `diff`, are shown as such. */
      readonly metadata?: JsonObject;
    }
  | { readonly tool: string; readonly action?: string; readonly params?: JsonObject };

/** A tool made ready for one list of tools: what the session runs. */
export interface ReadyTool {
  readonly id: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
  /** It changes nothing: it may start before the log is on disk. */
  readonly readOnly: boolean;
  readonly asksFirst?: boolean;
  /** The arguments with defaults and coercions applied, or the text that tells the model what does not fit. */
  parse(input: Json): ParsedInput;
  /** Runs the tool on parsed input. Throws what the tool throws, `PermissionDenied` and `PermissionRejected` among it. */
  run(input: unknown, context: ToolContext): Promise<RunResult>;
}

export type ParsedInput =
  { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string };

/** Any {@link ToolReturn} in one form, cut to the limits. */
export interface RunResult {
  readonly title: string;
  readonly output: string;
  readonly metadata: JsonObject;
  readonly attachments: readonly ToolAttachment[];
  readonly fullOutput?: FullOutput;
}

/** Full outputs that were cut for the model, readable at a virtual path below {@link OUTPUT_ROOT}. */
export interface Outputs {
  /** Keeps `text` for this session and returns the path, `tool_<tool>_001.txt` and so on. */
  save(tool: string, text: string): Promise<{ readonly path: string; readonly blob: Hash }>;
  /** The text at a virtual path of this session; `undefined` where there is none; a fault where it was dropped. */
  read(path: string): Promise<string | undefined>;
  /** Every full output of this session, dropped ones too, oldest first. */
  list(): readonly KeptOutput[];
  /** Paths beside them of files that are made when they are read. */
  readonly made: readonly string[];
  /** The person's own files, for every workspace. */
  readonly own: OwnFiles;
}

/** What can be read of a session beside its full outputs: by file name, what makes the text. */
export type MadeFiles = ReadonlyMap<string, () => Promise<string>>;

export interface KeptOutput {
  readonly path: string;
  readonly blob: Hash;
  readonly bytes: number;
  readonly dropped: boolean;
}

export const OUTPUT_ROOT = '~/.opencode/truncate';

/** What this session has read, for "read before you change": by path, the hash of what was seen last. */
export interface ReadRegistry {
  seen(path: string): Hash | undefined;
  record(path: string, hash: Hash): void;
}
