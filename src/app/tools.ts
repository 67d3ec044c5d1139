import { subagents } from '../agents/agents.ts';
import { build } from '../agents/build.ts';
import { plan, PLANS } from '../agents/plan.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { LanguageOf } from '../tools/lsp/lsp.ts';
import type { OnToolStart, ToolRegistry, Toolbox } from '../tools/registry.ts';
import type { PreviewOf } from '../tools/preview/preview.ts';
import type { ToolInfo } from '../tools/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Web } from '../tools/webfetch/web.ts';
import type { SearchAccess } from '../tools/websearch/service.ts';

export interface LoadedTools extends Toolbox {
  /** Returns a function that undoes exactly this registration. */
  register(tool: ToolInfo): Unlisten;
}

/**
 * A tool that was registered after the app's own, and the function that removes it from the registry once that
 * exists.
 */
interface Registered {
  readonly tool: ToolInfo;
  takeBack?: Unlisten;
}

/**
 * The app's tools. They are loaded when the first turn is about to start, since the first page needs none. `before`
 * is awaited each time tools are asked for, because some may still be connecting. `custom` provides the tools of the
 * workspace itself.
 */
export function loadedTools(
  web: Web,
  key: SearchAccess['key'],
  languageOf: LanguageOf,
  previewOf: PreviewOf,
  onStart: OnToolStart,
  before: () => Promise<void>,
  custom: (workspace: Workspace) => Promise<readonly ToolInfo[]>,
): LoadedTools {
  const others = new Set<Registered>();
  let registry: Promise<ToolRegistry> | undefined;
  let loaded: ToolRegistry | undefined;

  async function load(): Promise<ToolRegistry> {
    loaded = await make(web, key, languageOf, previewOf, onStart);
    for (const each of others) each.takeBack = loaded.register(each.tool);
    return loaded;
  }

  return {
    async tools(model, agent, offer) {
      const [ofWorkspace] = await Promise.all([offer?.workspace ? custom(offer.workspace) : [], before()]);
      registry ??= load();
      // After a failed load, the next turn tries again.
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
  key: SearchAccess['key'],
  languageOf: LanguageOf,
  previewOf: PreviewOf,
  onStart: OnToolStart,
): Promise<ToolRegistry> {
  const [{ appTools }, { ToolRegistry }] = await Promise.all([
    import('../tools/builtin.ts'),
    import('../tools/registry.ts'),
  ]);
  const planning = { planner: plan.name, builder: build.name, folder: PLANS };
  return new ToolRegistry(appTools({ web, key, languageOf, previewOf, subagents, planning }), onStart);
}
