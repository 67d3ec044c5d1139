import type { JsonObject } from '../base/json.ts';
import type { Rule } from '../permissions/types.ts';
import type { Problem } from './parse.ts';
import type { FileProvider } from './providers.ts';
import type { AgentConfig, CommandConfig } from './schema.ts';
import type { FileServer } from './servers.ts';

/** A rule and the file that contains it. */
export interface FileRule extends Rule {
  readonly file: string;
}

/** The description of an agent in one file; several files may describe the same agent. */
export interface FileAgent {
  readonly name: string;
  readonly file: string;
  readonly config: AgentConfig;
  readonly rules: readonly FileRule[];
  /** Rules that replace entries we could not understand. They go after all other rules. */
  readonly closing: readonly FileRule[];
}

export interface FileCommand extends CommandConfig {
  readonly name: string;
  readonly file: string;
}

/** A plugin that a file names by its path in the workspace. */
export interface FilePlugin {
  readonly file: string;
  readonly path: string;
  readonly options?: JsonObject;
}

/** The merged contents of all configuration files of one source. */
export interface ConfigContents {
  /** The files that exist. */
  readonly files: readonly string[];
  readonly rules: readonly FileRule[];
  readonly agents: readonly FileAgent[];
  readonly commands: readonly FileCommand[];
  readonly servers: readonly FileServer[];
  readonly providers: readonly FileProvider[];
  /** Paths, globs and addresses of instructions for every agent. */
  readonly instructions: readonly string[];
  readonly plugins: readonly FilePlugin[];
  readonly flags: Readonly<Record<string, boolean>>;
  readonly primaryTools: readonly string[];
  readonly model?: { readonly name: string; readonly file: string };
  readonly smallModel?: string;
  /** The agent that receives prompts if the person has not chosen one. */
  readonly defaultAgent?: { readonly name: string; readonly file: string };
  readonly compactsAutomatically?: boolean;
  /** Whether it refers to other files, which may change while these do not. */
  readonly namesOthers: boolean;
  readonly problems: readonly Problem[];
}

/** The contents while the files are still being read. The closing rules come after all others once every file was read. */
export interface MutableContents {
  readonly files: string[];
  readonly rules: FileRule[];
  readonly closing: FileRule[];
  readonly agents: FileAgent[];
  readonly commands: FileCommand[];
  readonly servers: FileServer[];
  readonly providers: FileProvider[];
  instructions: string[];
  readonly plugins: FilePlugin[];
  flags: Record<string, boolean>;
  primaryTools: string[];
  namesOthers: boolean;
  model?: { readonly name: string; readonly file: string };
  smallModel?: string;
  defaultAgent?: { readonly name: string; readonly file: string };
  compactsAutomatically?: boolean;
  readonly problems: Problem[];
}
