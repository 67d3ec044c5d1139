import { define } from '../define.ts';

/** The implementation is loaded when the tool is first offered to a model. */
export const batchTool = define('batch', async () => (await import('./batch.ts')).batch, {
  filter: { flag: 'experimental.batch_tool' },
});
