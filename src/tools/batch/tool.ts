import { define } from '../define.ts';

/** Its parts are loaded when it is first offered to a model. */
export const batchTool = define('batch', async () => (await import('./batch.ts')).batch, {
  filter: { flag: 'experimental.batch_tool' },
});
