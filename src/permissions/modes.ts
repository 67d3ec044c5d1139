import * as z from 'zod/mini';
import type { SourcedRule } from './rules.ts';
import type { Ruleset } from './types.ts';

/**
 * How much a session asks. `ask` follows the rules, `auto-edit` does not ask about changes to files in the workspace,
 * `plan` uses the agent that changes nothing, and `bypass` does not ask at all. No mode overrides a configured deny
 * or the fixed list of dangers.
 */
export const modeSchema = z.enum(['ask', 'auto-edit', 'plan', 'bypass']);
export type Mode = z.infer<typeof modeSchema>;

export const DEFAULT_MODE: Mode = 'ask';

const ALLOWED: Readonly<Record<Mode, Ruleset>> = {
  ask: [],
  'auto-edit': [{ permission: 'edit', pattern: '*', action: 'allow' }],
  plan: [],
  bypass: [{ permission: '*', pattern: '*', action: 'allow' }],
};

/** Loops and secrets ask in every mode, even when nothing else does. */
const ALWAYS_ASKED = ['doom_loop', 'secret'];

/** The rules that a mode adds. Like saved answers, they only turn an ask into an allow. */
export function modeRules(mode: Mode, permission: string): readonly SourcedRule[] {
  if (ALWAYS_ASKED.includes(permission)) return [];
  return ALLOWED[mode].map((rule) => ({ ...rule, source: 'mode' }));
}
