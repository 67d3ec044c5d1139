import type { SourcedRule } from '../permissions/rules.ts';
import type { Agent } from './agent.ts';
import { agents } from './agents.ts';

/** The configuration files' settings for the agents of a workspace, as far as they take effect. */
export interface Setup {
  /** Apply after the settings and before the agent's own rules. */
  readonly rules: readonly SourcedRule[];
  /** Every agent there is, the default one first. */
  readonly agents: readonly Agent[];
  /** Texts that go into every agent's system prompt. */
  readonly instructions: readonly Instruction[];
  /** Feature switches such as `experimental.batch_tool`. */
  readonly flags: Readonly<Record<string, boolean>>;
  /** Permissions that no sub-agent has. */
  readonly primaryTools: readonly string[];
  /** The model for simple jobs, such as naming sessions. */
  readonly smallModel?: Agent['model'];
  /** Whether the session compacts automatically when the model's context fills up; absent if no file says so. */
  readonly compactsAutomatically?: boolean;
}

export interface Instruction {
  /** The file's path relative to the root of the workspace, or its address. */
  readonly from: string;
  readonly text: string;
}

/** The switches that are on once configuration files have turned some on or off. */
export function withSwitches(on: ReadonlySet<string>, set: Setup['flags']): ReadonlySet<string> {
  const flags = new Set(on);
  for (const [name, value] of Object.entries(set)) {
    if (value) flags.add(name);
    else flags.delete(name);
  }
  return flags;
}

/** The setup without any configuration files. */
export const NO_SETUP: Setup = { rules: [], agents, instructions: [], flags: {}, primaryTools: [] };
