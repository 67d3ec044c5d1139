import { lazily } from '../base/lazily.ts';

/** The prompts are long and not needed before the first turn. */
export const loadPrompts = lazily(() => import('./prompts.ts'));
