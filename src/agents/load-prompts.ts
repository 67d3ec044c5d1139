import { lazily } from '../base/lazily.ts';

/** Long texts, not needed before the first turn. */
export const loadPrompts = lazily(() => import('./prompts.ts'));
