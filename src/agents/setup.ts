import type { SourcedRule } from '../permissions/rules.ts';
import type { Agent } from './agent.ts';
import { agents } from './agents.ts';

/** What configuration files say about how agents work in a workspace, as far as they are heeded. */
export interface Setup {
  /** After the settings, before those of the agent. */
  readonly rules: readonly SourcedRule[];
  /** Every agent there is, the default one first. */
  readonly agents: readonly Agent[];
  /** For every agent's system prompt. */
  readonly instructions: readonly Instruction[];
  /** Switches that are turned on or off, such as `experimental.batch_tool`. */
  readonly flags: Readonly<Record<string, boolean>>;
  /** Permissions that no sub-agent has. */
  readonly primaryTools: readonly string[];
  /** For what needs no thought, such as names of sessions. */
  readonly smallModel?: Agent['model'];
  /** Whether room in a model's context is made unasked, where a file says so. */
  readonly makesRoom?: boolean;
}

export interface Instruction {
  /** The file, relative to the root of the workspace, or its address. */
  readonly from: string;
  readonly text: string;
}

/** No file says anything. */
export const NO_SETUP: Setup = { rules: [], agents, instructions: [], flags: {}, primaryTools: [] };
