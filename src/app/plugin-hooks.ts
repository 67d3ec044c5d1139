import type { ToolHooks } from '../tools/hooks.ts';

/** Runs the plugins of the session's workspace around each call. */
export function pluginHooks(
  plugins: { hooksOf(workspaceID: string): ToolHooks | undefined },
  workspaceOf: (sessionID: string) => string | undefined,
): ToolHooks {
  const hooksOf = ({ sessionID }: { readonly sessionID: string }) => {
    const workspaceID = workspaceOf(sessionID);
    return workspaceID === undefined ? undefined : plugins.hooksOf(workspaceID);
  };
  return {
    'tool.execute.before': (call, change) => hooksOf(call)?.['tool.execute.before']?.(call, change),
    'tool.execute.after': (call, change) => hooksOf(call)?.['tool.execute.after']?.(call, change),
  };
}
