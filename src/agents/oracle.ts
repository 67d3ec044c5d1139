import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { LOOKING } from './permissions.ts';
import { loadPrompts } from './load-prompts.ts';

export const oracle: Agent = {
  name: 'oracle',
  description:
    'Advises on hard questions (causes, designs, reviews) after reading the code; changes nothing.',
  kind: 'subagent',
  prompt: async () => (await loadPrompts()).oracle,
  only: LOOKING,
  rules: [],
  steps: DEFAULT_STEPS,
};
