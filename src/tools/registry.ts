import { isObject } from '../base/json.ts';
import type { Unlisten } from '../base/listeners.ts';
import { deniedEntirely, type SourcedRule } from '../permissions/rules.ts';
import { matches } from '../permissions/wildcard.ts';
import { readyIfOffered } from './define.ts';
import { aliases, isForSmallModels } from './manifests.ts';
import type { InitContext, ReadyTool, ToolFilter, ToolInfo } from './tool.ts';
import { unknownToolText } from './validation.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Offer extends Pick<InitContext, 'workspace' | 'own' | 'agents'> {
  /** Tools that these rules deny entirely are not offered. */
  readonly rules?: readonly SourcedRule[];
  /** The switches of the settings that are on. */
  readonly flags?: ReadonlySet<string>;
}

/** Called with the time it took to prepare a tool, in milliseconds. The first time includes loading its parts. */
export type OnToolStart = (tool: string, durationMs: number) => void;

/** Provides the tools of each step to a session. */
export type Toolbox = Pick<ToolRegistry, 'tools'>;

/** Wraps a tool, so that several registrations of the same tool differ. */
interface Registration {
  readonly tool: ToolInfo;
}

/** All registered tools. Registering a known id hides the earlier tool; unregistering brings it back. */
export class ToolRegistry {
  /** Keyed by id, in the order in which the ids were first registered; the newest registration of each is last. */
  readonly #tools = new Map<string, Registration[]>();
  readonly #onStart: OnToolStart | undefined;

  constructor(tools: readonly ToolInfo[] = [], onStart?: OnToolStart) {
    this.#onStart = onStart;
    for (const tool of tools) this.register(tool);
  }

  /** Returns a function that removes exactly this registration. */
  register(tool: ToolInfo): Unlisten {
    const registration = { tool };
    this.#tools.set(tool.id, [...(this.#tools.get(tool.id) ?? []), registration]);
    return () => this.#remove(tool.id, registration);
  }

  /** Removes the newest tool with this id; false where there is none. */
  unregister(id: string): boolean {
    const newest = this.#tools.get(id)?.at(-1);
    if (newest) this.#remove(id, newest);
    return newest !== undefined;
  }

  get(id: string): ToolInfo | undefined {
    return this.#tools.get(id)?.at(-1)?.tool;
  }

  lookup(id: string): ToolInfo | undefined {
    return this.get(id);
  }

  /** The newest tool of each id, among those offered in the workspace. */
  all(workspace?: Workspace): readonly ToolInfo[] {
    return [...this.#tools.values()].flatMap(
      (known) =>
        known.findLast(({ tool }) => !workspace || (tool.isOffered?.(workspace) ?? true))?.tool ?? [],
    );
  }

  getAll(): readonly ToolInfo[] {
    return this.all();
  }

  ids(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** Prepares the tools for a request of this agent to this model. */
  async tools(
    model: { readonly provider: string; readonly model: string },
    agent: string,
    { rules = [], flags = new Set(), ...known }: Offer = {},
  ): Promise<readonly ReadyTool[]> {
    const offered = this.all(known.workspace).filter(
      (tool) =>
        isOffered(tool.filter, model, agent, flags) &&
        // The browser's own model is a small one.
        (model.provider !== 'browser' || isForSmallModels(tool.id)) &&
        !deniedEntirely(rules, tool.permission ?? tool.id),
    );
    const context = { agent, rules, ...known };
    const made = await Promise.all(offered.map((tool) => this.#ready(tool, context)));
    return made.filter((tool) => tool !== undefined);
  }

  async #ready(tool: ToolInfo, context: InitContext): Promise<ReadyTool | undefined> {
    const started = performance.now();
    const made = await readyIfOffered(tool, context);
    if (made) this.#onStart?.(tool.id, performance.now() - started);
    return made;
  }

  #remove(id: string, registration: Registration): void {
    const kept = (this.#tools.get(id) ?? []).filter((known) => known !== registration);
    if (kept.length > 0) this.#tools.set(id, kept);
    else this.#tools.delete(id);
  }
}

/** Finds the tool for a name that a model wrote, also in another case; otherwise returns the error text for the model. */
export function resolveName(
  name: string,
  ids: readonly string[],
): { readonly ok: true; readonly id: string } | { readonly ok: false; readonly message: string } {
  const lower = name.toLowerCase();
  const id = [name, lower, aliases.get(lower)?.id].find(
    (known) => known !== undefined && ids.includes(known),
  );
  return id === undefined ? { ok: false, message: unknownToolText(name, ids) } : { ok: true, id };
}

/** Finds the tool for a name that a model wrote; arguments that the name implies are filled in. */
export function toolNamed(name: string, tools: readonly ReadyTool[]): ReadyTool | undefined {
  const named = resolveName(
    name,
    tools.map(({ id }) => id),
  );
  const tool = named.ok && tools.find(({ id }) => id === named.id);
  if (!tool) return undefined;
  const args = tool.id === name ? undefined : aliases.get(name.toLowerCase())?.args;
  if (!args) return tool;
  return {
    ...tool,
    parse: (input) => tool.parse(isObject(input) ? { ...input, ...args } : input),
  };
}

function isOffered(
  filter: ToolFilter | undefined,
  model: { readonly provider: string; readonly model: string },
  agent: string,
  flags: ReadonlySet<string>,
): boolean {
  if (!filter) return true;
  const fits = (names: readonly string[] | undefined, name: string) =>
    names === undefined ||
    names.findLast((pattern) => matches(pattern.replace(/^!/, ''), name))?.startsWith('!') === false;
  return (
    fits(filter.providers, model.provider) &&
    fits(filter.models, model.model) &&
    fits(filter.agents, agent) &&
    fits(filter.clients, 'app') &&
    (filter.flag === undefined || flags.has(filter.flag))
  );
}
