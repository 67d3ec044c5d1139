import { codesearchTool } from '../codesearch/tool.ts';
import type { ToolInfo } from '../tool.ts';
import type { Web } from '../webfetch/web.ts';
import { SERVICE_ADDRESSES, type Searching } from './service.ts';
import { websearchTool } from './tool.ts';

/** What searches the web and public code, each offered while there is a key for it. */
export function searchTools(web: Web, key: Searching['key']): readonly ToolInfo[] {
  const searching = {
    web,
    key,
    address: (service: keyof typeof SERVICE_ADDRESSES) => SERVICE_ADDRESSES[service],
  };
  return [websearchTool(searching), codesearchTool(searching)];
}
