import { DEFAULT_STEPS, type Agent } from './agent.ts';

export const build: Agent = {
  name: 'build',
  description: 'Reads, changes and runs the files of the workspace.',
  kind: 'primary',
  prompt: async () => (await import('./prompts.ts')).build,
  rules: [],
  steps: DEFAULT_STEPS,
};
