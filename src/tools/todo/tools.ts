import { builtin } from '../define.ts';
import { todoreadManifest, todowriteManifest } from './manifest.ts';

/** The implementations are loaded when the tools are first offered to a model. */
export const todowriteTool = builtin(
  todowriteManifest,
  async () => (await import('./todowrite.ts')).todowrite,
);
export const todoreadTool = builtin(todoreadManifest, async () => (await import('./todoread.ts')).todoread);
