import type * as z from 'zod';
import type { Json, JsonObject } from '../base/json.ts';
import type { Hash } from '../base/hash.ts';
import type { Ask } from '../permissions/types.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A tool as it is registered. `init` runs each time the tool list is made for a model call. */
export interface ToolInfo {
  readonly id: string;
  init(context: InitContext): ToolDefinition | Promise<ToolDefinition>;
}

export interface InitContext {
  /** Name of the agent that will call. */
  readonly agent: string;
}

/** What `define` takes. `Parameters` is a zod object; `execute` gets the parsed value, defaults and coercions applied. */
export interface ToolDefinition<Parameters extends z.ZodType = z.ZodType> {
  readonly description: string;
  readonly parameters: Parameters;
  /** It changes nothing: it starts without waiting for the log to be on disk. */
  readonly readOnly?: boolean;
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
  /** Live update of the call's card: `{title, metadata}`, or bare keys that are merged into the metadata. */
  metadata(update: JsonObject): void;
  /** A piece of live output, as it came. */
  output(text: string): void;
  /**
   * Suspends the call until it is allowed; resolves `true`, throws `PermissionDenied` or `PermissionRejected`.
   * The call is `running` from here on, and unless the tool is `readOnly`, that and the permission are on disk.
   */
  ask(ask: Ask): Promise<true>;
}

/** Full outputs that were cut for the model, readable at a virtual path below {@link OUTPUT_ROOT}. */
export interface Outputs {
  /** Keeps `text` for this session and returns the path, `tool_<tool>_001.txt` and so on. */
  save(tool: string, text: string): Promise<{ readonly path: string; readonly blob: Hash }>;
  /** The text at a virtual path of this session; `undefined` where there is none; a fault where it was dropped. */
  read(path: string): Promise<string | undefined>;
}

export const OUTPUT_ROOT = '~/.opencode/truncate';

/** What this session has read, for "read before you change": by path, the hash of what was seen last. */
export interface ReadRegistry {
  seen(path: string): Hash | undefined;
  record(path: string, hash: Hash): void;
}
