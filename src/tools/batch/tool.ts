import { builtin } from '../define.ts';
import { batchManifest } from './manifest.ts';

/** The implementation is loaded when the tool is first offered to a model. */
export const batchTool = builtin(batchManifest, async () => (await import('./batch.ts')).batch, {
  filter: { flag: 'experimental.batch_tool' },
});
