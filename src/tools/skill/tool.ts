import { define } from '../define.ts';

/** The implementation is loaded when the tool is first offered to a model; its list is made anew for every step. */
export const skillTool = define('skill', async (context) => (await import('./skill.ts')).skill(context));
