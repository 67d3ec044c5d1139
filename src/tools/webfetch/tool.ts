import { builtin } from '../define.ts';
import type { ToolInfo } from '../tool.ts';
import { webfetchManifest } from './manifest.ts';
import type { Web } from './web.ts';

/** The implementation is loaded when the tool is first offered to a model. */
export function webfetchTool(web: Web): ToolInfo {
  return builtin(webfetchManifest, async () => (await import('./webfetch.ts')).webfetch(web));
}
