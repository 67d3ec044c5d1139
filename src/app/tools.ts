import { subagents } from '../agents/agents.ts';
import { build } from '../agents/build.ts';
import { plan, PLANS } from '../agents/plan.ts';
import type { StartWatch, ToolRegistry, Toolbox } from '../tools/registry.ts';
import type { Web } from '../tools/webfetch/web.ts';
import type { Searching } from '../tools/websearch/service.ts';

/** The tools of the app. The first page needs none of them: they are fetched when the first turn is about to start. */
export function loadedTools(web: Web, key: Searching['key'], onStart: StartWatch): Toolbox {
  let registry: Promise<ToolRegistry> | undefined;

  function load(): Promise<ToolRegistry> {
    registry ??= make(web, key, onStart);
    // A fetch that failed is tried again by the next turn.
    registry.catch(() => (registry = undefined));
    return registry;
  }

  return { tools: async (...request) => (await load()).tools(...request) };
}

async function make(web: Web, key: Searching['key'], onStart: StartWatch): Promise<ToolRegistry> {
  const [
    { builtinTools },
    { webfetchTool },
    { searchTools },
    { taskTools },
    { planTools },
    { ToolRegistry },
  ] = await Promise.all([
    import('../tools/builtin.ts'),
    import('../tools/webfetch/tool.ts'),
    import('../tools/websearch/tools.ts'),
    import('../tools/task/tools.ts'),
    import('../tools/plan/tools.ts'),
    import('../tools/registry.ts'),
  ]);
  const tools = [
    ...builtinTools,
    webfetchTool(web),
    ...searchTools(web, key),
    ...taskTools(subagents),
    ...planTools({ planner: plan.name, builder: build.name, folder: PLANS }),
  ];
  return new ToolRegistry(tools, onStart);
}
