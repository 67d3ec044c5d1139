import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { LOOKING, WEB } from './permissions.ts';
import { loadPrompts } from './load-prompts.ts';

export const librarian: Agent = {
  name: 'librarian',
  description: 'Looks things up in documentation, on the web and in the files, and names its sources.',
  kind: 'subagent',
  prompt: async () => (await loadPrompts()).librarian,
  only: [...LOOKING, ...WEB],
  rules: [],
  steps: DEFAULT_STEPS,
};
