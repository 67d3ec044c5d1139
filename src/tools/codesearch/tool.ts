import { define } from '../define.ts';
import type { ToolInfo } from '../tool.ts';
import type { Searching } from '../websearch/service.ts';

/** Its parts are loaded when it is first offered to a model, and it is only while there is a key. */
export function codesearchTool(searching: Searching): ToolInfo {
  return define('codesearch', async () =>
    searching.key('github') === undefined && searching.key('exa') === undefined
      ? undefined
      : (await import('./codesearch.ts')).codesearch(searching),
  );
}
