import { subagents } from '../agents/agents.ts';
import { build } from '../agents/build.ts';
import { plan, PLANS } from '../agents/plan.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { LanguageOf } from '../tools/lsp/lsp.ts';
import type { StartWatch, ToolRegistry, Toolbox } from '../tools/registry.ts';
import type { ToolInfo } from '../tools/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Web } from '../tools/webfetch/web.ts';
import type { Searching } from '../tools/websearch/service.ts';

export interface LoadedTools extends Toolbox {
  /** Returns what takes exactly this registration back. */
  register(tool: ToolInfo): Unlisten;
}

/**
 * The tools of the app. The first page needs none of them: they are fetched when the first turn is about to start.
 * `before` is waited for each time tools are asked for: some may be on their way. `custom`: those of a workspace itself.
 */
export function loadedTools(
  web: Web,
  key: Searching['key'],
  languageOf: LanguageOf,
  onStart: StartWatch,
  before: () => Promise<void>,
  custom: (workspace: Workspace) => Promise<readonly ToolInfo[]>,
): LoadedTools {
  const later = new Map<object, ToolInfo>();
  let registry: Promise<ToolRegistry> | undefined;
  let loaded: ToolRegistry | undefined;
  const registered = new Map<object, Unlisten>();

  async function load(): Promise<ToolRegistry> {
    loaded = await make(web, key, languageOf, onStart);
    for (const [key, tool] of later) registered.set(key, loaded.register(tool));
    return loaded;
  }

  return {
    async tools(model, agent, offer) {
      const [others] = await Promise.all([offer?.workspace ? custom(offer.workspace) : [], before()]);
      registry ??= load();
      // A fetch that failed is tried again by the next turn.
      registry.catch(() => (registry = undefined));
      const own = await registry;
      if (others.length === 0) return own.tools(model, agent, offer);
      const { ToolRegistry } = await import('../tools/registry.ts');
      return new ToolRegistry([...own.all(offer?.workspace), ...others], onStart).tools(model, agent, offer);
    },
    register(tool) {
      const key = {};
      later.set(key, tool);
      if (loaded) registered.set(key, loaded.register(tool));
      return () => {
        later.delete(key);
        registered.get(key)?.();
      };
    },
  };
}

async function make(
  web: Web,
  key: Searching['key'],
  languageOf: LanguageOf,
  onStart: StartWatch,
): Promise<ToolRegistry> {
  const [
    { builtinTools },
    { webfetchTool },
    { searchTools },
    { lspTool },
    { taskTools },
    { planTools },
    { ToolRegistry },
  ] = await Promise.all([
    import('../tools/builtin.ts'),
    import('../tools/webfetch/tool.ts'),
    import('../tools/websearch/tools.ts'),
    import('../tools/lsp/tool.ts'),
    import('../tools/task/tools.ts'),
    import('../tools/plan/tools.ts'),
    import('../tools/registry.ts'),
  ]);
  const tools = [
    ...builtinTools,
    webfetchTool(web),
    ...searchTools(web, key),
    lspTool(languageOf),
    ...taskTools(subagents),
    ...planTools({ planner: plan.name, builder: build.name, folder: PLANS }),
  ];
  return new ToolRegistry(tools, onStart);
}
