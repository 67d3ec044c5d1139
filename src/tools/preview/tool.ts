import { builtin } from '../define.ts';
import type { ToolInfo } from '../tool.ts';
import { previewManifest } from './manifest.ts';
import type { PreviewOf } from './preview.ts';

/** The implementation is loaded when the tool is first offered to a model. */
export function previewToolOf(previewOf: PreviewOf): ToolInfo {
  return builtin(previewManifest, async () => (await import('./preview.ts')).previewTool(previewOf), {
    condition: 'in embedded workspaces',
    isOffered: (workspace) => workspace.servers?.connect !== undefined,
  });
}
