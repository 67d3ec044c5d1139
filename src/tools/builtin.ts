import { applyPatchTool } from './apply-patch/tool.ts';
import { bashTool } from './bash/bash.ts';
import { batchTool } from './batch/tool.ts';
import { editTool } from './edit/edit.ts';
import { globTool } from './glob/glob.ts';
import { grepTool } from './grep/grep.ts';
import { listTool } from './list/list.ts';
import type { LanguageOf } from './lsp/lsp.ts';
import { lspTool } from './lsp/tool.ts';
import { planTools, type Planning } from './plan/tools.ts';
import type { PreviewOf } from './preview/preview.ts';
import { previewToolOf } from './preview/tool.ts';
import { questionTool } from './question/question.ts';
import { readTool } from './read/read.ts';
import { skillTool } from './skill/tool.ts';
import { taskTools, type Subagent } from './task/tools.ts';
import { todoreadTool, todowriteTool } from './todo/tools.ts';
import type { ToolInfo } from './tool.ts';
import { webfetchTool } from './webfetch/tool.ts';
import type { Web } from './webfetch/web.ts';
import type { SearchAccess } from './websearch/service.ts';
import { searchTools } from './websearch/tools.ts';
import { writeTool } from './write/write.ts';

/** The tools that need only the workspace. */
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

/** The services that some tools need besides the workspace. */
export interface ToolServices {
  readonly web: Web;
  readonly key: SearchAccess['key'];
  readonly languageOf: LanguageOf;
  readonly previewOf: PreviewOf;
  readonly subagents: readonly Subagent[];
  readonly planning: Planning;
}

/** All tools of the app. manifests.ts lists their manifests. */
export function appTools(services: ToolServices): readonly ToolInfo[] {
  return [
    ...builtinTools,
    webfetchTool(services.web),
    ...searchTools(services.web, services.key),
    lspTool(services.languageOf),
    previewToolOf(services.previewOf),
    ...taskTools(services.subagents),
    ...planTools(services.planning),
  ];
}
