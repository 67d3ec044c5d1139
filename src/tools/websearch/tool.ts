import { define } from '../define.ts';
import type { ToolInfo } from '../tool.ts';
import type { Searching } from './service.ts';

/** Its parts are loaded when it is first offered to a model, and it is only while there is a key. */
export function websearchTool(searching: Searching): ToolInfo {
  return define('websearch', async () =>
    searching.key('exa') === undefined ? undefined : (await import('./websearch.ts')).websearch(searching),
  );
}
