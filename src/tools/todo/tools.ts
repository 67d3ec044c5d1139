import { define } from '../define.ts';

/** The implementations are loaded when the tools are first offered to a model. */
export const todowriteTool = define('todowrite', async () => (await import('./todowrite.ts')).todowrite);
export const todoreadTool = define('todoread', async () => (await import('./todoread.ts')).todoread);
