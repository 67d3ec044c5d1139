import { define } from '../define.ts';
import { WITH_PATCHES } from '../edit-style.ts';

/** The implementation is loaded when the tool is first offered to a model. */
export const applyPatchTool = define(
  'apply_patch',
  async () => (await import('./apply-patch.ts')).applyPatch,
  { permission: 'edit', filter: { models: WITH_PATCHES } },
);
