import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { LOOKING, RUNNING, WEB } from './permissions.ts';
import { loadPrompts } from './load-prompts.ts';

export const explore: Agent = {
  name: 'explore',
  description: 'Finds things in the files of the workspace and says where and how; changes nothing.',
  kind: 'subagent',
  prompt: async () => (await loadPrompts()).explore,
  only: [...LOOKING, ...RUNNING, ...WEB],
  rules: [],
  steps: DEFAULT_STEPS,
};
