import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { HOOK_NAMES, placeholderOf } from '../../src/base/host-lines.ts';
import type {
  Entry,
  FromHost,
  HookName,
  RunContext,
  Service,
  ToHost,
} from '../../src/protocol/custom-tools.ts';
import { childProcessOf } from './child-process.ts';
import {
  argumentsOf,
  toolDefinitionOf,
  isPlugin,
  withErrors,
  type Arguments,
  type AuthoredTool,
  type ToolDefinition,
} from './define.ts';
import { fetchOf } from './fetch.ts';
import { filesOf } from './files.ts';
import { Modules } from './modules.ts';
import { shellOf } from './shell.ts';
import { messageOf } from '../../src/base/message-of.ts';
import type { NodeWorld } from './world.ts';

/** Providers refuse longer tool names. */
const MAX_ID_CHARACTERS = 64;

type Hook = (call: JsonObject, change: JsonObject) => unknown;
type Load = ToHost & { readonly kind: 'load' };
type Run = ToHost & { readonly kind: 'run' };

/** A tool, initialized for one agent. */
interface InitializedTool {
  readonly authored: AuthoredTool;
  readonly args: Arguments;
}

interface PendingService {
  resolve(value: Json): void;
  reject(error: Error): void;
}

/** Holds the custom tools and plugins of one workspace. Their modules stay loaded between calls. */
export class Host {
  readonly #world: NodeWorld;
  readonly #send: (message: FromHost) => void;
  readonly #tools = new Map<string, ToolDefinition>();
  readonly #initialized = new Map<string, Promise<InitializedTool>>();
  readonly #hooks: { readonly name: HookName; readonly run: Hook }[] = [];
  readonly #pending = new Map<number, PendingService>();
  #next = 1;
  /** The call that runs now. Only one runs at a time, so that each request for permission belongs to a known call. */
  #run: { readonly id: number; readonly abort: AbortController } | null = null;

  constructor(world: NodeWorld, send: (message: FromHost) => void) {
    this.#world = world;
    this.#send = send;
    send({ kind: 'ready' });
  }

  async hear(message: ToHost): Promise<void> {
    switch (message.kind) {
      case 'load':
        return this.#load(message);
      case 'init':
        return this.#answer(message.id, async () => this.#init(message));
      case 'run':
        return this.#answer(message.id, async () => ({
          kind: 'done',
          id: message.id,
          value: await this.#execute(message),
        }));
      case 'abort':
        if (this.#run?.id === message.run) this.#run.abort.abort();
        return;
      case 'hook':
        return this.#answer(message.id, async () => {
          const change = structuredClone(message.change) as JsonObject;
          for (const { name, run } of this.#hooks) if (name === message.name) await run(message.call, change);
          return { kind: 'done', id: message.id, value: jsonOf(change) };
        });
      case 'given':
        this.#pending.get(message.id)?.resolve(message.value);
        return void this.#pending.delete(message.id);
      case 'refused':
        this.#pending
          .get(message.id)
          ?.reject(Object.assign(new Error(message.message), { name: message.name }));
        return void this.#pending.delete(message.id);
    }
  }

  async #answer(id: number, work: () => Promise<FromHost>): Promise<void> {
    try {
      this.#send(await work());
    } catch (error) {
      this.#send({
        kind: 'failed',
        id,
        name: error instanceof Error ? error.name : 'Error',
        message: messageOf(error),
      });
    }
  }

  async #load({ id, modules, entries, directory, worktree, secrets }: Load): Promise<void> {
    const problems: { path: string; message: string }[] = [];
    const $ = shellOf((command, options) => this.#exec(command, options));
    const loaded = new Modules(this.#world, this.#environment($, secrets));
    await loaded.run(modules, (path, error) => problems.push({ path, message: messageOf(error) }));
    const tools: { id: string; path: string }[] = [];
    const add = (entry: Entry, name: string, value: unknown) => {
      const defined = toolDefinitionOf(value);
      if (!defined) return;
      const toolID = (defined.id || name).replace(/[^\w-]/g, '_').slice(0, MAX_ID_CHARACTERS);
      this.#tools.set(toolID, defined);
      tools.push({ id: toolID, path: entry.path });
    };
    const input = { client: this.#client(), project: { id: 'workspace', worktree }, directory, worktree, $ };
    for (const entry of entries) {
      try {
        for (const [name, value] of exportsOf(loaded.exportsOf(entry.path))) {
          if (isPlugin(value) || entry.role === 'plugin') await this.#plug(entry, value, input, add);
          else add(entry, name === 'default' ? entry.name : `${entry.name}_${name}`, value);
        }
      } catch (error) {
        problems.push({ path: entry.path, message: messageOf(error) });
      }
    }
    this.#send({
      kind: 'loaded',
      id,
      tools,
      hooks: [...new Set(this.#hooks.map(({ name }) => name))],
      problems,
    });
  }

  /** Adds the tools and hooks of a plugin, which is an object with them or a function that returns one. */
  async #plug(
    entry: Entry,
    plugin: unknown,
    input: object,
    add: (entry: Entry, name: string, value: unknown) => void,
  ): Promise<void> {
    const parts: unknown = typeof plugin === 'function' ? await plugin(input, entry.options ?? {}) : plugin;
    if (typeof parts !== 'object' || parts === null) return;
    if ('tool' in parts && typeof parts.tool === 'object' && parts.tool !== null)
      for (const [name, value] of Object.entries(parts.tool)) add(entry, name, value);
    for (const name of HOOK_NAMES) {
      const run: unknown = Reflect.get(parts, name);
      if (typeof run === 'function')
        this.#hooks.push({ name, run: (call, change) => run.call(parts, call, change) });
    }
  }

  #initialize(tool: string, agent: string): Promise<InitializedTool> {
    const key = JSON.stringify([tool, agent]);
    const known = this.#initialized.get(key);
    if (known) return known;
    const defined = this.#tools.get(tool);
    const initialized = (async () => {
      if (!defined) throw new Error(`There is no tool '${tool}'.`);
      const authored = await defined.init({ agent });
      return { authored, args: argumentsOf(authored) };
    })();
    this.#initialized.set(key, initialized);
    initialized.catch(() => this.#initialized.delete(key));
    return initialized;
  }

  async #init({ id, tool, agent }: ToHost & { kind: 'init' }): Promise<FromHost> {
    const { authored, args } = await this.#initialize(tool, agent);
    const { description = '' } = authored;
    if (typeof description !== 'string') throw new Error("The tool's description must be text.");
    return {
      kind: 'made',
      id,
      description,
      schema: args.schema,
      words: authored.formatValidationError !== undefined,
    };
  }

  async #execute({ id, tool, args, context }: Run): Promise<Json> {
    const initialized = await this.#initialize(tool, context.agent);
    const { authored } = initialized;
    const parsed = initialized.args.check(args);
    if (!parsed.ok) {
      const message = authored.formatValidationError?.(withErrors(parsed.error));
      throw new Error(
        message ??
          `The ${tool} tool was called with invalid arguments: ${parsed.error.message}. Call it again with arguments that match its schema.`,
      );
    }
    const abort = new AbortController();
    this.#run = { id, abort };
    try {
      return jsonOf(await authored.execute(parsed.value, this.#context(id, context, abort.signal)));
    } finally {
      this.#run = null;
    }
  }

  #context(run: number, context: RunContext, abort: AbortSignal): object {
    return {
      ...context,
      abort,
      metadata: (update: unknown) => {
        const json = jsonOf(update);
        if (isObject(json)) this.#send({ kind: 'metadata', run, update: json });
      },
      ask: async (ask: unknown) => this.#service({ op: 'ask', ask: jsonOf(ask) as JsonObject }),
    };
  }

  async #service(service: Service): Promise<Json> {
    const run = this.#run;
    if (!run)
      throw new Error(
        'This works only while a tool call is running: outside one, nobody can be asked for permission.',
      );
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ kind: 'service', id, run: run.id, service });
    });
  }

  async #exec(command: string, { cwd, env }: { cwd?: string; env?: Record<string, string> }) {
    const ran = (await this.#service({
      op: 'exec',
      command,
      ...(cwd && { cwd }),
      ...(env && { env }),
    })) as JsonObject;
    return { exitCode: Number(ran['exitCode']), output: String(ran['output']) };
  }

  /** Sets the globals that tools see, and returns the modules that replace Node's. */
  #environment($: ReturnType<typeof shellOf>, secrets: readonly string[]): Record<string, unknown> {
    const { fs, promises } = filesOf(this.#world.require('fs') as Record<string, unknown>, {
      write: async (path, content, append) =>
        void (await this.#service({ op: 'write', path, content, append })),
      remove: async (path, recursive) => void (await this.#service({ op: 'remove', path, recursive })),
      makeDirectory: async (path) => void (await this.#service({ op: 'makeDirectory', path })),
      rename: async (from, to) => void (await this.#service({ op: 'rename', from, to })),
    });
    const { process } = this.#world;
    for (const name of secrets) process.env[name] = placeholderOf(name);
    const read = promises['readFile'] as (path: string, encoding?: string) => Promise<unknown>;
    const write = promises['writeFile'] as (path: unknown, content: unknown) => Promise<unknown>;
    const bun = {
      $,
      env: process.env,
      sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
      write: async (path: unknown, content: unknown) => write(path, content),
      file: (path: string) => ({
        name: path,
        text: () => read(path, 'utf8'),
        json: async () => JSON.parse(String(await read(path, 'utf8'))) as unknown,
        bytes: () => read(path),
        arrayBuffer: async () => new Uint8Array((await read(path)) as Uint8Array).buffer,
        exists: async () => (fs['existsSync'] as (path: string) => boolean)(path),
      }),
    };
    const log = (...values: unknown[]) =>
      this.#send({ kind: 'log', run: this.#run?.id ?? null, text: `${values.map(shown).join(' ')}\n` });
    const console = { ...globalThis.console, log, info: log, debug: log, warn: log, error: log };
    const fetch = fetchOf((service) => this.#service(service));
    Object.assign(globalThis, { $, Bun: bun, console, fetch });
    return {
      fs,
      'fs/promises': promises,
      bun: { ...bun, default: bun, __esModule: true },
      child_process: childProcessOf((command, options) => this.#exec(command, options)),
      console,
      process,
    };
  }

  #client(): object {
    return {
      app: {
        log: async ({ body }: { body?: { message?: string } } = {}) =>
          this.#send({ kind: 'log', run: this.#run?.id ?? null, text: `${body?.message ?? ''}\n` }),
      },
    };
  }
}

/**
 * The exports of a module, the default first. Where CommonJS code exports a tool or a function itself, that is the
 * default.
 */
function exportsOf(exports: unknown): readonly (readonly [string, unknown])[] {
  if (toolDefinitionOf(exports) || typeof exports === 'function') return [['default', exports]];
  if (typeof exports !== 'object' || exports === null) return [];
  const named = Object.entries(exports).filter(([name]) => name !== '__esModule');
  const seen = new Set<unknown>();
  // A value that is exported twice, by name and as the default, counts once.
  return named
    .sort(([a], [b]) => Number(b === 'default') - Number(a === 'default'))
    .filter(([, value]) => !seen.has(value) && seen.add(value));
}

/** Turns a value into JSON. A value that JSON cannot hold becomes text. */
function jsonOf(value: unknown): Json {
  if (value === undefined) return null;
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint'
      ? String(each)
      : each instanceof Uint8Array
        ? new TextDecoder().decode(each)
        : each,
  ) as string | undefined;
  return text === undefined ? String(value) : (JSON.parse(text) as Json);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack ?? value.message;
  const json = JSON.stringify(value);
  return json ?? String(value);
}
