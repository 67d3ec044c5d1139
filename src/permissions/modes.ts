import * as z from 'zod';
import type { SourcedRule } from './rules.ts';
import type { Ruleset } from './types.ts';

/**
 * How much a session asks: `ask` as the rules say, `auto-edit` not about changes of files in the workspace, `plan` is
 * the agent that changes nothing, `bypass` not at all. None of them goes past a configured deny or the fixed list.
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

/**
 * Going round in circles is no matter of permission, nor is who gets a secret: whoever is not asked about anything is
 * still asked about these.
 */
const ALWAYS_ASKED = ['doom_loop', 'secret'];

/** What the mode answers in the person's place; as with saved answers, it only turns an ask into an allow. */
export function modeRules(mode: Mode, permission: string): readonly SourcedRule[] {
  if (ALWAYS_ASKED.includes(permission)) return [];
  return ALLOWED[mode].map((rule) => ({ ...rule, source: 'mode' }));
}
