import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { loadPrompts } from './load-prompts.ts';

/** The folder of plans, relative to the root of the workspace. */
export const PLANS = '.opencode/plans';

export const plan: Agent = {
  name: 'plan',
  description: 'Reads, thinks and writes a plan; changes nothing else.',
  kind: 'primary',
  prompt: async () => (await loadPrompts()).plan,
  rules: [
    { permission: 'edit', pattern: '*', action: 'deny' },
    { permission: 'edit', pattern: `${PLANS}/*.md`, action: 'allow' },
    { permission: 'bash', pattern: '*', action: 'ask' },
  ],
  steps: DEFAULT_STEPS,
};
