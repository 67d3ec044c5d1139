import { lazily } from './define.ts';
import { WITHOUT_PATCHES } from './edit-style.ts';
import { applyPatchTool } from './apply-patch/tool.ts';
import { questionTool } from './question/question.ts';
import { todoreadTool, todowriteTool } from './todo/tools.ts';
import type { ToolInfo } from './tool.ts';

export const builtinTools: readonly ToolInfo[] = [
  lazily('bash', async () => (await import('./bash/bash.ts')).bashTool),
  lazily('read', async () => (await import('./read/read.ts')).readTool),
  lazily('glob', async () => (await import('./glob/glob.ts')).globTool),
  lazily('grep', async () => (await import('./grep/grep.ts')).grepTool),
  lazily('list', async () => (await import('./list/list.ts')).listTool),
  lazily('edit', async () => (await import('./edit/edit.ts')).editTool, {
    filter: { models: WITHOUT_PATCHES },
  }),
  lazily('write', async () => (await import('./write/write.ts')).writeTool, {
    permission: 'edit',
    filter: { models: WITHOUT_PATCHES },
  }),
  applyPatchTool,
  todowriteTool,
  todoreadTool,
  questionTool,
];
