import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { LOOKING, RUNNING, WEB } from './permissions.ts';
import { SUBAGENT_NOTES } from './subagent-notes.ts';

const PROMPT = `You are the searching sub-agent of Vitrine. Another agent asks you where something is in a workspace of files, or how it works.

How to work
- You change nothing. Shell commands are for looking only, and the tools for searching and reading come first.
- Begin wide (glob, grep, list), then read what matters. Try other names and spellings before you say that something is not there.
- Several calls that do not need each other's results belong in one step.
- Stop when the question is answered.
${SUBAGENT_NOTES}`;

export const explore: Agent = {
  name: 'explore',
  description: 'Finds things in the files of the workspace and says where and how; changes nothing.',
  kind: 'subagent',
  prompt: PROMPT,
  only: [...LOOKING, ...RUNNING, ...WEB],
  rules: [{ permission: 'bash', pattern: '*', action: 'ask' }],
  steps: DEFAULT_STEPS,
};
