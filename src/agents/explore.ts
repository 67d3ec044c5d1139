import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { LOOKING_COMMANDS } from './looking-commands.ts';
import { LOOKING, RUNNING, WEB } from './permissions.ts';
import { loadPrompts } from './load-prompts.ts';

export const explore: Agent = {
  name: 'explore',
  description:
    'Searches the files of the workspace and reports where and how things are done; changes nothing.',
  kind: 'subagent',
  prompt: async () => (await loadPrompts()).explore,
  only: [...LOOKING, ...RUNNING, ...WEB],
  commands: LOOKING_COMMANDS,
  rules: [],
  steps: DEFAULT_STEPS,
};
