import { codesearchTool } from '../codesearch/tool.ts';
import type { ToolInfo } from '../tool.ts';
import type { Web } from '../webfetch/web.ts';
import { SERVICE_ADDRESSES, type SearchAccess } from './service.ts';
import { websearchTool } from './tool.ts';

/** The tools that search the web and public code; each is offered while there is a key for it. */
export function searchTools(web: Web, key: SearchAccess['key']): readonly ToolInfo[] {
  const access = {
    web,
    key,
    address: (service: keyof typeof SERVICE_ADDRESSES) => SERVICE_ADDRESSES[service],
  };
  return [websearchTool(access), codesearchTool(access)];
}
