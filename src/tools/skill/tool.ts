import { builtin } from '../define.ts';
import { skillManifest } from './manifest.ts';

/** The implementation is loaded when the tool is first offered to a model; its list is made anew for every step. */
export const skillTool = builtin(
  skillManifest,
  async (context) => (await import('./skill.ts')).skill(context),
  { condition: 'where the workspace has skills' },
);
