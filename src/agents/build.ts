import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { loadPrompts } from './load-prompts.ts';

export const build: Agent = {
  name: 'build',
  description: 'Reads, changes and runs the files of the workspace.',
  kind: 'primary',
  prompt: async (isSmall) => (await loadPrompts())[isSmall ? 'shortBuild' : 'build'],
  rules: [],
  steps: DEFAULT_STEPS,
};
