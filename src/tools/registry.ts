import { isObject, type JsonObject } from '../base/json.ts';
import type { Unlisten } from '../base/listeners.ts';
import { deniedEntirely, type SourcedRule } from '../permissions/rules.ts';
import { matches } from '../permissions/wildcard.ts';
import { readyIfOffered } from './define.ts';
import { LSP_ALIASES } from './lsp/operations.ts';
import type { InitContext, ReadyTool, ToolFilter, ToolInfo } from './tool.ts';
import { unknownToolText } from './validation.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Offer extends Pick<InitContext, 'workspace' | 'own' | 'agents'> {
  /** Tools that these deny for everything are not shown. */
  readonly rules?: readonly SourcedRule[];
  /** Switches of the settings that are on. */
  readonly flags?: ReadonlySet<string>;
}

/** Hears how long each tool took to be made ready, milliseconds; the first time its parts are loaded as well. */
export type StartWatch = (tool: string, durationMs: number) => void;

/** Where a session gets the tools of a step from. */
export type Toolbox = Pick<ToolRegistry, 'tools'>;

/** One registration, told from another of the same tool. */
interface Registration {
  readonly tool: ToolInfo;
}

/** The tools there are. Registering a known id hides the tool of that id; unregistering brings it back. */
export class ToolRegistry {
  /** By id, in the order in which ids were first registered; of each the newest last. */
  readonly #tools = new Map<string, Registration[]>();
  readonly #onStart: StartWatch | undefined;

  constructor(tools: readonly ToolInfo[] = [], onStart?: StartWatch) {
    this.#onStart = onStart;
    for (const tool of tools) this.register(tool);
  }

  /** Returns what takes exactly this registration back. */
  register(tool: ToolInfo): Unlisten {
    const registration = { tool };
    this.#tools.set(tool.id, [...(this.#tools.get(tool.id) ?? []), registration]);
    return () => this.#remove(tool.id, registration);
  }

  /** Takes the newest tool of this id away; false where there is none. */
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

  /** Of each id the newest, among those that are offered in the workspace. */
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

  /** The tools for a call to this model by this agent, made ready. */
  async tools(
    model: { readonly provider: string; readonly model: string },
    agent: string,
    { rules = [], flags = new Set(), ...known }: Offer = {},
  ): Promise<readonly ReadyTool[]> {
    const offered = this.all(known.workspace).filter(
      (tool) =>
        isOffered(tool.filter, model, agent, flags) && !deniedEntirely(rules, tool.permission ?? tool.id),
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

/** Tools that are known under another name too, in lower case, with the arguments that such a name stands for. */
const ALIASES = new Map<string, { readonly id: string; readonly stands?: JsonObject }>([
  ['plan-enter', { id: 'plan_enter' }],
  ['plan-exit', { id: 'plan_exit' }],
  ...Object.entries(LSP_ALIASES).map(([name, operation]): [string, { id: string; stands: JsonObject }] => [
    name,
    { id: 'lsp', stands: { operation } },
  ]),
]);

/** Other names that a tool answers to, and what each of them stands for. */
export function aliasesOf(id: string): readonly { readonly name: string; readonly stands: JsonObject }[] {
  return [...ALIASES].flatMap(([name, alias]) =>
    alias.id === id ? [{ name, stands: alias.stands ?? {} }] : [],
  );
}

/** The tool that a model means by `name`: of that name, or of that name in lower case, else the text it is told. */
export function resolveName(
  name: string,
  ids: readonly string[],
): { readonly ok: true; readonly id: string } | { readonly ok: false; readonly message: string } {
  const lower = name.toLowerCase();
  const id = [name, lower, ALIASES.get(lower)?.id].find(
    (known) => known !== undefined && ids.includes(known),
  );
  return id === undefined ? { ok: false, message: unknownToolText(name, ids) } : { ok: true, id };
}

/** The one of `tools` that a model means by `name`, which takes what the name says for said; `undefined`: none. */
export function toolNamed(name: string, tools: readonly ReadyTool[]): ReadyTool | undefined {
  const named = resolveName(
    name,
    tools.map(({ id }) => id),
  );
  const tool = named.ok && tools.find(({ id }) => id === named.id);
  if (!tool) return undefined;
  const stands = tool.id === name ? undefined : ALIASES.get(name.toLowerCase())?.stands;
  if (!stands) return tool;
  return {
    ...tool,
    parse: (input) => tool.parse(isObject(input) ? { ...input, ...stands } : input),
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
