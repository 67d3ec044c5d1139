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

/** A tool that came later than those of the app, and what takes it out of the registry once that is there. */
interface Registered {
  readonly tool: ToolInfo;
  takeBack?: Unlisten;
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
  const others = new Set<Registered>();
  let registry: Promise<ToolRegistry> | undefined;
  let loaded: ToolRegistry | undefined;

  async function load(): Promise<ToolRegistry> {
    loaded = await make(web, key, languageOf, onStart);
    for (const each of others) each.takeBack = loaded.register(each.tool);
    return loaded;
  }

  return {
    async tools(model, agent, offer) {
      const [ofWorkspace] = await Promise.all([offer?.workspace ? custom(offer.workspace) : [], before()]);
      registry ??= load();
      // A fetch that failed is tried again by the next turn.
      registry.catch(() => (registry = undefined));
      const own = await registry;
      if (ofWorkspace.length === 0) return own.tools(model, agent, offer);
      const { ToolRegistry } = await import('../tools/registry.ts');
      return new ToolRegistry([...own.all(offer?.workspace), ...ofWorkspace], onStart).tools(
        model,
        agent,
        offer,
      );
    },
    register(tool) {
      const each: Registered = { tool, ...(loaded && { takeBack: loaded.register(tool) }) };
      others.add(each);
      return () => {
        others.delete(each);
        each.takeBack?.();
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
