import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { loadPrompts } from './load-prompts.ts';

export const general: Agent = {
  name: 'general',
  description: 'Does a piece of work of several steps on its own: searching, changing, running.',
  kind: 'subagent',
  prompt: async () => (await loadPrompts()).general,
  rules: [{ permission: 'todowrite', pattern: '*', action: 'deny' }],
  steps: DEFAULT_STEPS,
};
