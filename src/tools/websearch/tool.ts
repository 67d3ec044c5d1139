import { builtin } from '../define.ts';
import type { ToolInfo } from '../tool.ts';
import { websearchManifest } from './manifest.ts';
import type { SearchAccess } from './service.ts';

/** Offered only while there is a key. The implementation is loaded when the tool is first offered to a model. */
export function websearchTool(access: SearchAccess): ToolInfo {
  return builtin(
    websearchManifest,
    async () =>
      access.key('exa') === undefined ? undefined : (await import('./websearch.ts')).websearch(access),
    { condition: 'with a key of Exa' },
  );
}
