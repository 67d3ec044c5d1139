import { applyPatchTool } from './apply-patch/tool.ts';
import { batchTool } from './batch/tool.ts';
import { bashTool } from './bash/bash.ts';
import { editTool } from './edit/edit.ts';
import { globTool } from './glob/glob.ts';
import { grepTool } from './grep/grep.ts';
import { listTool } from './list/list.ts';
import { questionTool } from './question/question.ts';
import { readTool } from './read/read.ts';
import { skillTool } from './skill/tool.ts';
import { todoreadTool, todowriteTool } from './todo/tools.ts';
import type { ToolInfo } from './tool.ts';
import { writeTool } from './write/write.ts';

export const builtinTools: readonly ToolInfo[] = [
  bashTool,
  readTool,
  globTool,
  grepTool,
  listTool,
  editTool,
  writeTool,
  applyPatchTool,
  todowriteTool,
  todoreadTool,
  questionTool,
  batchTool,
  skillTool,
];
