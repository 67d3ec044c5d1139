import * as z from 'zod';
import { FaultError, faultOf } from '../../base/fault.ts';
import { isObject, jsonObjectSchema, type Json, type JsonObject } from '../../base/json.ts';
import type { Timer } from '../../base/timer.ts';
import { isFor } from '../../permissions/names.ts';
import { decide, type SourcedRule } from '../../permissions/rules.ts';
import { PermissionCancelled, PermissionRejected } from '../../permissions/types.ts';
import { visibilityOf } from '../../permissions/visibility.ts';
import { define } from '../../tools/define.ts';
import type { CallResult, EndedCall, HookedCall, ToolHooks } from '../../tools/hooks.ts';
import { jsonSchemaType } from '../../tools/json-schema.ts';
import { normalizeAsk, normalizeProgress } from '../../tools/normalize.ts';
import type { AskInput, ToolContext, ToolInfo, ToolReturn } from '../../tools/tool.ts';
import { ROOT, type Visibility, type Workspace } from '../../workspace/workspace.ts';
import type { Code } from './code.ts';
import { HostLink, NOT_SENT, type LoadedCode, type RunEvents, type ToolSpec } from './host-link.ts';
import type { HookName, LoadProblem, Service } from '../../protocol/custom-tools.ts';
import { resultOf } from './result.ts';
import { serve, type ServiceDeps } from './services.ts';

export interface CustomToolsDeps extends ServiceDeps {
  readonly workspace: Workspace;
  readonly timer: Timer;
  /** The source of the host program. */
  program(): Promise<string>;
  /** The rules under which the code may read the workspace. */
  rules(): readonly SourcedRule[];
}

interface RunningHost {
  readonly link: HostLink;
  readonly loaded: LoadedCode;
}

const MAX_HOSTS = 3;

const argumentsSchema = z.record(z.string(), z.json());

const NONE: LoadedCode = { tools: [], hooks: [], problems: [] };

/** Runs the custom tools and plugins of one workspace in a process of its frame. Only trusted code must be passed in. */
export class CustomTools {
  readonly #deps: CustomToolsDeps;
  #code: Code | null = null;
  #key = '';
  /** Keyed by what the process may read, which differs between agents. */
  readonly #running = new Map<string, Promise<RunningHost>>();
  #problems: readonly LoadProblem[] = [];
  #secretNames = '';

  constructor(deps: CustomToolsDeps) {
    this.#deps = deps;
  }

  /** The problems of the last load. */
  get problems(): readonly LoadProblem[] {
    return this.#problems;
  }

  /** Replaces the code to load and ends the processes that run other code. */
  use(code: Code | null): void {
    const key = JSON.stringify(code && [code.entries, code.modules]);
    if (key === this.#key) return;
    this.#key = key;
    this.#code = code;
    this.close();
  }

  /** The tools on offer now. Empty where they cannot be loaded; {@link problems} then says why. */
  async tools(): Promise<readonly ToolInfo[]> {
    const { tools } = await this.#loaded();
    return tools.map(({ id }) => this.#info(id));
  }

  /** Runs the plugins' hooks around every call. */
  readonly hooks: ToolHooks = {
    'tool.execute.before': async (call, change) => {
      const made = await this.#hook('tool.execute.before', call, { args: change.args });
      if (made && 'args' in made) change.args = made['args'] ?? null;
    },
    'tool.execute.after': async (call, change) => {
      const given: JsonObject = { title: change.title, output: change.output, metadata: change.metadata };
      const made = await this.#hook('tool.execute.after', call, given);
      if (made) Object.assign(change, resultSchema.parse({ ...given, ...made }) satisfies CallResult);
    },
  };

  close(): void {
    for (const key of [...this.#running.keys()]) this.#end(key);
  }

  /** The names of secrets are passed in when a process starts. Calls that run end on the process that they began on. */
  #retireAll(): void {
    for (const running of this.#running.values())
      running.then(({ link }) => link.retire('The custom tools were restarted.')).catch(() => undefined);
    this.#running.clear();
  }

  #end(key: string): void {
    const running = this.#running.get(key);
    this.#running.delete(key);
    running?.then(({ link }) => link.kill('The custom tools were closed.')).catch(() => undefined);
  }

  async #loaded(): Promise<LoadedCode> {
    if (!this.#code || this.#code.entries.length === 0) return NONE;
    try {
      return (await this.#host()).loaded;
    } catch (error) {
      this.#problems = [{ path: '.opencode', message: faultOf(error).what }];
      return NONE;
    }
  }

  /** The process with the read limits of these rules; a process cannot change the limits it was started with. */
  async #host(rules = this.#deps.rules()): Promise<RunningHost> {
    const visibility = visibilityOf({ configured: rules, saved: [] });
    const names = JSON.stringify([...this.#deps.secrets.names()].sort());
    if (names !== this.#secretNames) this.#retireAll();
    this.#secretNames = names;
    const key = JSON.stringify(visibility);
    const before = this.#running.get(key);
    const running = await before?.catch(() => undefined);
    await running?.link.stopping;
    if (before && running && !running.link.isDead) return running;
    const now = this.#running.get(key);
    if (now && now !== before) return now;
    const starting = this.#start(visibility);
    this.#running.delete(key);
    this.#running.set(key, starting);
    starting.catch(() => this.#running.get(key) === starting && this.#running.delete(key));
    // The process that was started first probably belongs to outdated rules.
    const [oldest] = this.#running.keys();
    if (this.#running.size > MAX_HOSTS && oldest !== undefined) this.#end(oldest);
    return starting;
  }

  async #start(visibility: Visibility): Promise<RunningHost> {
    const code = this.#code;
    if (!code) throw new Error('There is no code to load.');
    const { workspace, timer, program, secrets } = this.#deps;
    const link = new HostLink(workspace, await program(), { visibility, except: [], readOnly: true }, timer);
    try {
      const loaded = await link.load({
        modules: code.modules,
        entries: code.entries,
        directory: ROOT,
        worktree: ROOT,
        secrets: secrets.names(),
      });
      this.#problems = [...code.problems, ...loaded.problems];
      return { link, loaded };
    } catch (error) {
      link.kill('It could not be loaded.');
      throw error;
    }
  }

  /** Does it once more on a new process where the first was killed before it began, such as for a call that did not stop. */
  async #onHost<T>(
    rules: readonly SourcedRule[] | undefined,
    work: (link: HostLink) => Promise<T>,
    mayRepeat: (error: unknown) => boolean = () => true,
  ): Promise<T> {
    const { link } = await this.#host(rules);
    try {
      return await work(link);
    } catch (error) {
      if (!link.isReplaced || !mayRepeat(error)) throw error;
      return work((await this.#host(rules)).link);
    }
  }

  #info(id: string): ToolInfo {
    return define(id, async ({ agent, rules = [] }) => {
      let made: ToolSpec;
      try {
        made = await this.#onHost(undefined, (link) => link.init(id, agent));
      } catch (error) {
        this.#problems = [...this.#problems, { path: id, message: faultOf(error).what }];
        return undefined;
      }
      return {
        description: made.description,
        parameters: made.words ? argumentsSchema : jsonSchemaType(made.schema),
        schema: made.schema,
        execute: (input, context) => this.#execute(id, input as Json, context, rules),
      };
    });
  }

  async #execute(
    id: string,
    args: Json,
    context: ToolContext,
    rules: readonly SourcedRule[],
  ): Promise<ToolReturn> {
    const asked = await askFirst(id, args, context, rules);
    const { sessionID, messageID, callID, agent, model, directory, worktree, extra } = context;
    /** The title and the metadata that the code gave the call while it ran. */
    let last: JsonObject = {};
    /** An error that must end the turn, even if the code catches it. */
    let ended: Error | undefined;
    const note = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof PermissionRejected || error instanceof PermissionCancelled) ended = error;
        throw error;
      }
    };
    const ask = (given: JsonObject) => {
      const request = askSchema.parse(given) as AskInput;
      const { permission, patterns } = normalizeAsk(request);
      // The call itself was already allowed, but denials still apply.
      if (
        asked &&
        permission === id &&
        decide({ configured: rules, saved: [] }, { permission, patterns }).action !== 'deny'
      )
        return Promise.resolve(true as const);
      return context.ask(request);
    };
    const serving = coversFetches(id, rules) ? withoutFetchAsks(context, rules) : context;
    // Tools written for opencode use the longer names.
    const names = { ...model, providerID: model.provider, modelID: model.model };
    try {
      const seen = { sessionID, messageID, callID, agent, model: names, directory, worktree, extra };
      const events: RunEvents = {
        service: (service: Service) =>
          note(() =>
            service.op === 'ask' ? ask(service.ask as JsonObject) : serve(service, serving, this.#deps),
          ),
        metadata: (update) => {
          last = { ...last, ...normalizeProgress(update) };
          context.metadata(update);
        },
        log: (text) => context.output(text),
      };
      const value = await this.#onHost(
        rules,
        (link) => link.run(id, args, seen, events, context.abort),
        (error) => error instanceof FaultError && error.fault.code === NOT_SENT,
      );
      if (ended) throw ended;
      return resultOf(value, last);
    } catch (error) {
      throw ended ?? error;
    }
  }

  async #hook(
    name: HookName,
    call: HookedCall | EndedCall,
    change: JsonObject,
  ): Promise<JsonObject | undefined> {
    if (this.#running.size === 0) return undefined;
    const running = await this.#host().catch(() => undefined);
    if (!running?.loaded.hooks.includes(name) || running.link.isDead) return undefined;
    const made = await running.link.hook(name, JSON.parse(JSON.stringify(call)) as JsonObject, change);
    return jsonObjectSchema.parse(made);
  }
}

/**
 * Asks for the call itself where a rule names the tool; otherwise only its operations ask. Returns whether it was asked
 * for.
 */
async function askFirst(
  id: string,
  args: Json,
  context: ToolContext,
  rules: readonly SourcedRule[],
): Promise<boolean> {
  if (!rules.some((rule) => isFor(rule.permission, id))) return false;
  const input = isObject(args) ? args : {};
  return context.ask({ permission: id, patterns: ['*'], always: ['*'], subject: { kind: 'input', input } });
}

/** Whether a rule for this tool, not only one for all tools, allows it with any arguments. */
function coversFetches(id: string, rules: readonly SourcedRule[]): boolean {
  const ask = { permission: id, patterns: ['*'] };
  return (
    rules.some((rule) => rule.action === 'allow' && rule.permission !== '*' && isFor(rule.permission, id)) &&
    decide({ configured: rules, saved: [] }, ask).action === 'allow'
  );
}

/**
 * For a tool that is allowed by name: does not ask for the addresses that its code fetches, unless a rule of the person
 * or of a file applies to them.
 */
function withoutFetchAsks(context: ToolContext, rules: readonly SourcedRule[]): ToolContext {
  return {
    ...context,
    ask: async (ask) => {
      if (!('subject' in ask) || ask.permission !== 'webfetch') return context.ask(ask);
      const { action, decisions } = decide({ configured: rules, saved: [] }, ask);
      const isDefault = decisions.every(({ source }) => source === 'default');
      return action === 'ask' && isDefault ? true : context.ask(ask);
    },
  };
}

const askSchema = z.union([
  z.object({
    permission: z.string(),
    patterns: z.array(z.string()),
    always: z.array(z.string()).exactOptional(),
    metadata: z.exactOptional(jsonObjectSchema),
  }),
  z.object({
    tool: z.string(),
    action: z.string().exactOptional(),
    params: z.exactOptional(jsonObjectSchema),
  }),
]);

const resultSchema = z.object({ title: z.string(), output: z.string(), metadata: jsonObjectSchema });
