import { DEFAULT_STEPS, type Agent } from './agent.ts';
import { loadPrompts } from './load-prompts.ts';

const helper = (name: string, description: string, prompt: () => Promise<string>): Agent => ({
  name,
  description,
  kind: 'primary',
  hidden: true,
  prompt,
  only: [],
  rules: [],
  steps: DEFAULT_STEPS,
});

/** The app's own helpers. None of them has any tools. */
export const compaction = helper(
  'compaction',
  'Summarizes a conversation that has become too long to send.',
  async () => (await loadPrompts()).compaction,
);

export const title = helper('title', 'Names a session.', async () => (await loadPrompts()).title);

export const summary = helper(
  'summary',
  'Summarizes what a session has done.',
  async () => (await loadPrompts()).summary,
);
