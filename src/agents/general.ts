import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { loadPrompts } from './load-prompts.ts';

export const general: Agent = {
  name: 'general',
  description: 'Does work of several steps on its own: searching, editing, running commands.',
  kind: 'subagent',
  prompt: async () => (await loadPrompts()).general,
  rules: [{ permission: 'todowrite', pattern: '*', action: 'deny' }],
  steps: DEFAULT_STEPS,
};
