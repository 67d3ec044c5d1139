import { builtin } from '../define.ts';
import { WITH_PATCHES } from '../edit-style.ts';
import { applyPatchManifest } from './manifest.ts';

/** The implementation is loaded when the tool is first offered to a model. */
export const applyPatchTool = builtin(
  applyPatchManifest,
  async () => (await import('./apply-patch.ts')).applyPatch,
  { filter: { models: WITH_PATCHES } },
);
