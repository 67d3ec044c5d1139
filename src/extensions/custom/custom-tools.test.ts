import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { OWN_FILES } from '../../base/places.ts';
import { timeoutTimer } from '../../base/timer.ts';
import { defaultRules } from '../../tools/permissions.ts';
import { rulesOf, type PermissionSettings } from '../../permissions/settings.ts';
import { PermissionDenied, PermissionRejected } from '../../permissions/types.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { ToolRegistry } from '../../tools/registry.ts';
import type { ReadyTool } from '../../tools/tool.ts';
import type { Web } from '../../tools/webfetch/web.ts';
import { ROOT } from '../../workspace/workspace.ts';
import { bundle } from '../../../test/support/bundle.ts';
import { NodeWorkspace } from '../../../test/support/node-workspace.ts';
import { TestCall } from '../../../test/support/tool-context.ts';
import { codeIn, type Sources } from './code.ts';
import { CustomTools } from './custom-tools.ts';

let program = '';
beforeAll(async () => {
  program = await bundle(new URL('../../../guest/tools/main.ts', import.meta.url));
});

const opened: { close(): void }[] = [];
afterAll(() => opened.forEach((each) => each.close()));

const model = { provider: 'test', model: 'm' };

interface Options {
  readonly settings?: PermissionSettings;
  readonly fetch?: typeof globalThis.fetch;
  readonly policed?: Web['policed'];
  readonly secrets?: Readonly<Record<string, string>>;
  readonly plugins?: readonly string[];
}

/** Loads the tools of these files. */
async function load(files: Readonly<Record<string, string>>, options: Options = {}) {
  const { settings = {}, secrets = {}, plugins = [] } = options;
  const workspace = new NodeWorkspace({
    files,
    shell: ({ command, print }) => {
      print(`ran ${command}\n`);
      return command.includes('false') ? 1 : 0;
    },
  });
  const rules = [...defaultRules, ...rulesOf(settings, 'settings')];
  const custom = new CustomTools({
    workspace,
    timer: timeoutTimer,
    program: async () => program,
    rules: () => rules,
    web: {
      fetch: options.fetch ?? (() => Promise.reject(new Error('no net'))),
      reachable: async () => false,
      proxy: () => undefined,
      policed: options.policed ?? (() => Promise.reject(new Error('no frames'))),
    },
    secrets: {
      names: () => Object.keys(secrets),
      fill: async (text, _host, context) => {
        await context.ask({
          permission: 'secret',
          patterns: ['x'],
          always: [],
          subject: { kind: 'path', path: 'x' },
        });
        return text.replace(/\{env:(\w+)\}/g, (_, name: string) => secrets[name] ?? '');
      },
      hide: (text) =>
        Object.entries(secrets).reduce((hidden, [name, value]) => hidden.replaceAll(value, name), text),
    },
  });
  opened.push({ close: () => (custom.close(), void workspace.close()) });
  const code = await codeIn(
    sourcesOf(workspace),
    `${ROOT}/.opencode`,
    ROOT,
    plugins.map((path) => ({ path: `${ROOT}/${path}` })),
  );
  custom.use(code);
  const offered = async (agent = 'build') =>
    new ToolRegistry(await custom.tools()).tools(model, agent, { rules, workspace });
  const run = async (id: string, input: JsonObject = {}, call = new TestCall(), by = rules) => {
    const tools = await new ToolRegistry(await custom.tools()).tools(model, 'build', {
      rules: by,
      workspace,
    });
    const tool = tools.find((each) => each.id === id);
    if (!tool) throw new Error(`no tool ${id}: ${JSON.stringify(custom.problems)}`);
    const parsed = tool.parse(input);
    if (!parsed.ok) throw new Error(parsed.message);
    return tool.run(parsed.input, { ...call.context, workspace });
  };
  return { custom, workspace, offered, run, code };
}

function sourcesOf({ files }: NodeWorkspace): Sources {
  return {
    read: async (path) => {
      const stat = await files.stat(path);
      return stat?.type === 'file' ? new TextDecoder().decode(await files.read(path)) : null;
    },
    list: async (folder) => (await files.list(folder).catch(() => [])).map(({ name }) => name),
  };
}

const ids = (tools: readonly ReadyTool[]) => tools.map(({ id }) => id).sort();

test('every form of definition is accepted: default, named, explicit id, Tool.define, CommonJS, plugins', async () => {
  const { offered, run, custom } = await load(
    {
      '.opencode/tool/by_file.ts': `
        import { tool } from "@opencode-ai/plugin";
        import { z } from "zod";
        export default tool({
          description: "By its file",
          args: { text: z.string().describe("What to say"), times: z.number().optional().default(2) },
          async execute(args: { text: string; times: number }) { return args.text.repeat(args.times) },
        })`,
      '.opencode/tools/math.ts': `
        import { tool } from "@opencode-ai/plugin";
        export const add = tool({ description: "Adds", args: { a: tool.schema.number(), b: tool.schema.number() }, execute: async (args) => args.a + args.b });
        export const multiply = tool({ description: "Multiplies", args: { a: tool.schema.number(), b: tool.schema.number() }, execute: async (args) => args.a * args.b });
        export const helper = (x: number) => x;`,
      '.opencode/tool/other.ts': `
        import { tool } from "@opencode-ai/plugin";
        export default tool({ id: "my_tool", description: "Has an id", args: {}, execute: async () => ({ title: "T", output: "O", metadata: { m: 1 } }) })`,
      '.opencode/tool/lazy.ts': `
        import { Tool } from "@opencode-ai/plugin"
        import z from "zod"
        export default Tool.define("lazy", async (init) => ({
          description: "For " + init.agent,
          parameters: z.object({ input: z.string() }),
          async execute(params, ctx) { await ctx.metadata({ progress: 50 }); return { title: "", output: "got " + params.input, metadata: {} } },
        }))`,
      '.opencode/tool/plain.js': `
        import { Tool } from "@opencode-ai/plugin"
        export default Tool.define({ args: { query: { type: "string", description: "Search query" }, deep: { type: "boolean", optional: true } }, description: "Plain", execute: async (args) => args.query })`,
      '.opencode/tool.js': `
        module.exports = { myCustomTool: { description: "Common", args: { param1: { type: "string", description: "Parameter" } }, async execute(args, ctx) { return "Result " + args.param1 + " " + ctx.agent } } }`,
      '.opencode/tools.js': `module.exports = { description: "The whole module", args: {}, execute: () => ({ any: "value" }) }`,
      'example/index.ts': `
        import { definePlugin } from "@opencode-ai/plugin"
        export default definePlugin({ name: "example", tool: { custom_tool: { args: {}, description: "Of a plugin", execute: async () => "plugged" } } })`,
      '.opencode/plugin/made.ts': `export const Made = async ({ directory, $ }) => ({ tool: { made_tool: { description: "Made", args: {}, execute: async () => directory + typeof $ } } })`,
    },
    { plugins: ['example'] },
  );
  const tools = await offered();
  expect(custom.problems).toEqual([]);
  expect(ids(tools)).toEqual(
    [
      'by_file',
      'custom_tool',
      'lazy',
      'made_tool',
      'math_add',
      'math_multiply',
      'my_tool',
      'plain',
      'tool_myCustomTool',
      'tools',
    ].sort(),
  );
  const named = (id: string) => tools.find((tool) => tool.id === id)!;
  expect(named('by_file').schema).toMatchObject({
    type: 'object',
    properties: { text: { type: 'string', description: 'What to say' }, times: { default: 2 } },
    required: ['text'],
  });
  expect(named('plain').schema).toMatchObject({
    required: ['query'],
    properties: { query: { description: 'Search query' } },
  });
  expect(named('lazy').description).toBe('For build');
  expect((await offered('plan')).find(({ id }) => id === 'lazy')?.description).toBe('For plan');

  expect((await run('by_file', { text: 'ab' })).output).toBe('abab');
  expect((await run('math_add', { a: 2, b: 3 })).output).toBe('5');
  expect((await run('math_multiply', { a: 2, b: 3 })).output).toBe('6');
  expect(await run('my_tool')).toMatchObject({ title: 'T', output: 'O', metadata: { m: 1 } });
  const call = new TestCall();
  expect((await run('lazy', { input: 'x' }, call)).output).toBe('got x');
  expect(call.progress).toEqual([{ metadata: { progress: 50 } }]);
  expect((await run('plain', { query: 'q' })).output).toBe('q');
  expect((await run('tool_myCustomTool', { param1: 'p' })).output).toBe('Result p build');
  expect((await run('tools')).output).toContain('"any": "value"');
  expect((await run('custom_tool')).output).toBe('plugged');
  expect((await run('made_tool')).output).toBe('/home/projectfunction');
});

test('invalid arguments are reported, also with the author’s text', async () => {
  const { offered, run } = await load({
    '.opencode/tool/t.ts': `
      import { tool, Tool } from "@opencode-ai/plugin";
      export default tool({ description: "", args: { n: tool.schema.number().int() }, execute: async ({ n }) => n });
      export const worded = Tool.define("worded", { description: "", parameters: tool.schema.object({ n: tool.schema.number() }),
        formatValidationError: (error) => "Please: " + error.errors.map((e) => e.path.join(".")).join(), execute: async () => "" });`,
  });
  const tool = (await offered()).find(({ id }) => id === 't')!;
  expect(tool.parse({ n: 'x' })).toMatchObject({ ok: false });
  await expect(run('worded', { n: 'x' })).rejects.toThrow('Please: n');
});

test('a module keeps its state between calls, and imports other modules', async () => {
  const files = {
    '.opencode/tool/count.ts': `
      import { step } from "../lib/step";
      import path from "path";
      import data from "../lib/data.json";
      let count = 0;
      export default { description: "", args: {}, execute: async () => path.join("a", "b") + (count += step) + data.x }`,
    '.opencode/lib/step.ts': 'export const step: number = await Promise.resolve(2)',
    '.opencode/lib/data.json': '{"x": "!"}',
  };
  const { run, code } = await load(files);
  expect((await run('count')).output).toBe('a/b2!');
  expect((await run('count')).output).toBe('a/b4!');
  expect(code.grants.map(({ file }) => file)).toEqual([
    '.opencode/lib/step.ts',
    '.opencode/lib/data.json',
    '.opencode/tool/count.ts',
  ]);
});

test('ask resolves where it is allowed and throws where it is not, in both forms', async () => {
  const files = {
    '.opencode/tool/asker.ts': `
      export default { description: "", args: {}, async execute(args, ctx) {
        const first = await ctx.ask({ permission: "asker", patterns: ["a"], always: ["*"], metadata: {} });
        const second = await ctx.ask({ tool: "asker", action: "go", params: { x: 1 } });
        return [first, second, ctx.agent, ctx.worktree, ctx.model.model].join(" ");
      } }`,
  };
  const allowed = await load(files, { settings: { asker: 'allow' } });
  const call = new TestCall();
  expect((await allowed.run('asker', {}, call)).output).toBe('true true build /home/project test');
  const { run } = await load(files);
  const refusing = new TestCall();
  refusing.answer = () => {
    throw new PermissionRejected('No.');
  };
  await expect(run('asker', {}, refusing)).rejects.toThrow(PermissionRejected);
  expect(refusing.asks).toMatchObject([{ permission: 'asker', patterns: ['a'] }]);
});

test('a rule for a tool applies before its code runs', async () => {
  const files = {
    '.opencode/tool/t.ts': 'export default { description: "", args: {}, execute: async () => "ran" }',
  };
  const { run } = await load(files, { settings: { t: 'ask' } });
  const call = new TestCall();
  call.rules.push(...rulesOf({ t: 'ask' }, 'settings'));
  expect((await run('t', {}, call)).output).toBe('ran');
  expect(call.asks).toMatchObject([{ permission: 't' }]);
  const denied = await load(files, { settings: { t: 'deny' } });
  expect(ids(await denied.offered())).toEqual([]);
});

test('commands ask like those of the bash tool, and return their full output', async () => {
  const { run } = await load({
    '.opencode/tool/sh.ts': `
      import { $ as dollar } from "bun";
      import { exec } from "child_process";
      import { promisify } from "node:util";
      export default { description: "", args: {}, async execute() {
        const name = "it's";
        const a = await Bun.$\`echo \${name} \${["x", "y z"]}\`.text();
        const b = await $\`false\`.nothrow().quiet();
        const c = await promisify(exec)("echo c");
        let failed = ""; try { await dollar\`false\` } catch (error) { failed = error.message }
        return JSON.stringify([a, b.exitCode, c.stdout, failed]);
      } }`,
  });
  const call = new TestCall();
  const { output } = await run('sh', {}, call);
  expect(JSON.parse(output)).toEqual([
    "ran echo 'it'\\''s' x 'y z'\n",
    1,
    'ran echo c\n',
    'Failed with exit code 1: ran false',
  ]);
  expect(call.asks.map(({ permission }) => permission)).toEqual(['bash', 'bash', 'bash', 'bash']);
});

test('file changes ask with their diff; synchronous ones are refused', async () => {
  const { run, workspace } = await load({
    '.opencode/tool/fs.ts': `
      import fs from "fs";
      import { writeFile, rm, mkdir, rename } from "node:fs/promises";
      export default { description: "", args: {}, async execute() {
        await writeFile("new.txt", "hello");
        await Bun.write("/home/project/old.txt", "changed");
        await fs.promises.appendFile("old.txt", "!");
        await mkdir("folder"); await rename("new.txt", "folder/new.txt"); await rm("gone.txt"); await rm("never.txt", { force: true });
        let refused = ""; try { fs.writeFileSync("sync.txt", "x") } catch (error) { refused = error.code }
        await new Promise((done) => fs.writeFile("cb.txt", "cb", done));
        return refused + typeof fs.readFileSync;
      } }`,
    'old.txt': 'old',
    'gone.txt': 'gone',
  });
  const call = new TestCall();
  expect((await run('fs', {}, call)).output).toBe('EPERMfunction');
  expect(workspace.files.text('folder/new.txt')).toBe('hello');
  expect(workspace.files.text('old.txt')).toBe('changed!');
  expect(workspace.files.text('cb.txt')).toBe('cb');
  expect(await workspace.files.stat('gone.txt')).toBeNull();
  expect(await workspace.files.stat('sync.txt')).toBeNull();
  expect(call.asks.map(({ permission, patterns }) => [permission, patterns[0]])).toEqual([
    ['edit', 'new.txt'],
    ['edit', 'old.txt'],
    ['edit', 'old.txt'],
    ['edit', 'folder'],
    ['edit', 'new.txt'],
    ['edit', 'gone.txt'],
    ['edit', 'cb.txt'],
  ]);
  expect(call.asks[1]?.subject).toMatchObject({ kind: 'diff', path: 'old.txt' });
  expect(workspace.spawned[0]?.options.reads).toMatchObject({ readOnly: true });
});

test('fetch asks for the address, fills in secrets and removes them from the response', async () => {
  const sent: Headers[] = [];
  const { run } = await load(
    {
      '.opencode/tool/net.ts': `
        export default { description: "", args: {}, async execute() {
          const response = await fetch("https://api.example.com/x", { headers: { authorization: "Bearer " + process.env.TOKEN } });
          return response.status + " " + await response.text() + " " + process.env.TOKEN;
        } }`,
    },
    {
      secrets: { TOKEN: 'very-secret' },
      fetch: async (_address, init) => {
        sent.push(new Headers(init?.headers));
        return new Response('you sent very-secret', { status: 201 });
      },
    },
  );
  const call = new TestCall();
  expect((await run('net', {}, call)).output).toBe('201 you sent TOKEN {env:TOKEN}');
  expect(sent[0]?.get('authorization')).toBe('Bearer very-secret');
  expect(call.asks.map(({ permission }) => permission)).toEqual(['webfetch', 'secret']);
});

test('a secret that is stored later is there for the next call, and what runs goes on', async () => {
  const secrets: Record<string, string> = {};
  const { run } = await load(
    {
      '.opencode/tool/key.ts': `
        const key = process.env.LATE;
        export default { description: "", args: { wait: { type: "boolean", optional: true } }, execute: async ({ wait }, ctx) => {
          ctx.metadata({ runs: true });
          if (wait) await new Promise((done) => setTimeout(done, 300));
          return String(key);
        } }`,
    },
    { secrets },
  );
  const call = new TestCall();
  const running = run('key', { wait: true }, call);
  await expect.poll(() => call.progress, { timeout: 10_000 }).toHaveLength(1);
  secrets['LATE'] = 'very-secret';
  expect((await run('key')).output).toBe('{env:LATE}');
  expect((await running).output).toBe('undefined');
});

test.each([
  ['a request that changes something', '{ method: "POST", body: "x" }', 'a POST request is not sent twice'],
  ['one with a secret', '{ headers: { "x-key": process.env.TOKEN } }', 'carries a secret is never sent on'],
])('%s does not follow a redirect', async (_, init, why) => {
  const asked: string[] = [];
  const source = `
    export default { description: "", args: {}, async execute() {
      return await (await fetch("https://api.example.com/x", ${init})).text();
    } }`;
  const { run } = await load(
    { '.opencode/tool/net.ts': source },
    {
      secrets: { TOKEN: 'very-secret' },
      fetch: async (address, sent) => {
        asked.push(`${String(address)} ${sent?.redirect}`);
        return new Response(null, { status: 307, headers: { location: 'https://evil.org/' } });
      },
    },
  );
  await expect(run('net', {})).rejects.toThrow(why);
  expect(asked).toEqual(['https://api.example.com/x manual']);
});

test('a secret is removed from headers and from the error of an invalid header', async () => {
  const { run } = await load(
    {
      '.opencode/tool/net.ts': `
        export default { description: "", args: { name: { type: "string" } }, async execute({ name }) {
          const response = await fetch("https://api.example.com/x", { headers: { "x-key": process.env[name] } });
          return response.headers.get("x-echo");
        } }`,
    },
    {
      secrets: { TOKEN: 'very-secret', BROKEN: 'very-\nbroken-secret' },
      fetch: async (_address, init) =>
        new Response('', { headers: { 'x-echo': `got ${new Headers(init?.headers).get('x-key')}` } }),
    },
  );
  expect((await run('net', { name: 'TOKEN' })).output).toBe('got TOKEN');
  const failing = run('net', { name: 'BROKEN' });
  await expect(failing).rejects.toThrow('The header x-key cannot be sent');
  await expect(failing).rejects.not.toThrow('broken-secret');
});

test('a tool that providers would refuse does not affect the others', async () => {
  const { custom, offered } = await load({
    '.opencode/tool/fine.ts': 'export default { description: "", args: {}, execute: () => "" }',
    '.opencode/tool/long.ts': `export default { id: "${'x'.repeat(300)}", description: "", args: {}, execute: () => "" }`,
    '.opencode/tool/nameless.ts': 'export default { id: "", description: "", args: {}, execute: () => "" }',
    '.opencode/tool/text.ts': `
      import { z } from "zod";
      export default { description: "", parameters: z.string(), execute: () => "" }`,
    '.opencode/tool/either.ts': `
      import { z } from "zod";
      export default { description: "", parameters: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), execute: () => "" }`,
    '.opencode/tool/nothing.ts': 'const unused = 1;',
    '.opencode/tool/empty.ts': '',
    '.opencode/tool/asked.ts': 'export default { description: 5, args: {}, execute: () => "" }',
  });
  const tools = await offered();
  expect(ids(tools)).toEqual(['either', 'fine', 'nameless', 'x'.repeat(64)]);
  expect(tools.every(({ schema }) => schema['type'] === 'object')).toBe(true);
  expect(custom.problems.map(({ path }) => path)).toEqual(['asked', 'text']);
});

test('a custom tool may replace one of the app, and asks under its rules', async () => {
  const { custom, run } = await load(
    {
      '.opencode/tool/bash.ts':
        'export default { description: "Mine", args: {}, execute: async () => (await $`ls`.text()) }',
    },
    { settings: { bash: { '*': 'ask' } } },
  );
  const registry = new ToolRegistry([...builtinTools, ...(await custom.tools())]);
  expect(registry.ids().filter((id) => id === 'bash')).toHaveLength(1);
  const shown = await registry.tools(model, 'build');
  expect(shown.find(({ id }) => id === 'bash')?.description).toBe('Mine');
  const call = new TestCall();
  call.rules.push(...rulesOf({ bash: 'deny' }, 'settings'));
  await expect(run('bash', {}, call)).rejects.toThrow('denied');
});

test("the person's own tools are loaded from their own files", async () => {
  const own: Record<string, string> = {
    'tool/mine.ts': 'import "../lib/a.ts"; export default { description: "", args: {}, execute: () => "" }',
    'lib/a.ts': '',
    'tools.js': 'module.exports = { description: "", args: {}, execute: () => "" }',
  };
  const below = (path: string) => path.slice(OWN_FILES.length + 1);
  const { entries, modules, problems } = await codeIn(
    {
      read: async (path) => own[below(path)] ?? null,
      list: async (folder) =>
        folder === OWN_FILES ? ['tool', 'lib', 'tools.js'] : below(folder) === 'tool' ? ['mine.ts'] : [],
    },
    OWN_FILES,
    OWN_FILES,
  );
  expect(problems).toEqual([]);
  expect(entries.map(({ name }) => name)).toEqual(['mine', 'tools']);
  expect(modules.map(({ path }) => below(path))).toEqual(['lib/a.ts', 'tool/mine.ts', 'tools.js']);
});

test('what an attachment lacks is told to the model, and a title of the metadata stays', async () => {
  const png = 'data:image/png;base64,iVBORw0KGgo=';
  const { run } = await load({
    '.opencode/tool/t.ts': `
      const result = (attachments) => ({ title: "x", output: "seen", metadata: {}, attachments });
      const tool = (execute) => ({ description: "", args: {}, execute });
      export const good = tool(async () => result([{ mime: "image/png", url: "${png}", filename: "a.png" }]));
      export const web = tool(async () => result([
        { mime: "image/png", url: "https://example.org/x.png" }, { mime: "image/png", url: "${png}" }, { mime: "text/plain", url: "data:text/plain,hi" }, 5,
      ]));
      export const named = tool(async (_, ctx) => { ctx.metadata({ title: "Half way", metadata: { x: 1 } }); return "text" });
      export const renamed = tool(async (_, ctx) => { ctx.metadata({ title: "Half way" }); return { title: "Done", output: "text" } });`,
  });
  expect(await run('t_good')).toMatchObject({ output: 'seen', attachments: [{ filename: 'a.png' }] });
  const web = await run('t_web');
  expect(web.attachments).toHaveLength(1);
  expect(web.output).toBe(
    [
      'seen',
      '[the attachment https://example.org/x.png of type image/png is left out: only data URLs with base64 are attached]',
      '[the attachment data:text/plain,hi of type text/plain is left out: only data URLs with base64 are attached]',
      '[an attachment is left out: it has no mime and url]',
    ].join('\n\n'),
  );
  expect(await run('t_named')).toMatchObject({ title: 'Half way', output: 'text', metadata: { x: 1 } });
  expect(await run('t_renamed')).toMatchObject({ title: 'Done' });
});

test('a denial fails the code that asked', async () => {
  const { run } = await load({
    '.opencode/tool/t.ts':
      'export default { description: "", args: {}, execute: async () => { await Bun.write("a", "b") } }',
  });
  const call = new TestCall();
  call.rules.push(...rulesOf({ edit: 'deny' }, 'settings'));
  await expect(run('t', {}, call)).rejects.toThrow('denied');
  expect(PermissionDenied).toBeDefined();
});

test('plugins change arguments and results of every call', async () => {
  const { custom } = await load({
    '.opencode/plugin/p.ts': `
      export default async () => ({
        "tool.execute.before": async (input, output) => { if (input.tool === "read") output.args.filePath += ".md" },
        "tool.execute.after": async (input, output) => { output.title = input.tool + "!"; output.metadata.seen = true },
      })`,
  });
  await custom.tools();
  const call = { tool: 'read', sessionID: 's', messageID: 'm', callID: 'c', agent: 'build' };
  const change = { args: { filePath: 'a' } };
  await custom.hooks['tool.execute.before']?.(call, change);
  expect(change.args).toEqual({ filePath: 'a.md' });
  const result = { title: '', output: 'o', metadata: {} };
  await custom.hooks['tool.execute.after']?.({ ...call, args: {}, outcome: 'ok', durationMs: 1 }, result);
  expect(result).toEqual({ title: 'read!', output: 'o', metadata: { seen: true } });
});

test('broken files are reported and do not affect the others', async () => {
  const { custom, offered } = await load({
    '.opencode/tool/syntax.ts': 'export default {',
    '.opencode/tool/throws.ts': 'throw new Error("at the top"); export default {}',
    '.opencode/tool/lost.ts':
      'import "./nowhere"; export default { description: "", args: {}, execute: () => "" }',
    '.opencode/tool/net.ts':
      'import http from "http"; export default { description: http.x, args: {}, execute: () => "" }',
    '.opencode/tool/fine.ts': 'export default { description: "", args: {}, execute: () => "" }',
  });
  expect(ids(await offered())).toEqual(['fine']);
  const told = Object.fromEntries(
    custom.problems.map(({ path, message }) => [path.split('/').at(-1), message]),
  );
  expect(told).toMatchObject({
    'syntax.ts': expect.stringContaining('Unexpected'),
    'throws.ts': 'at the top',
    'net.ts': expect.stringContaining("'http' is not available"),
  });
});

test('code that does not stop is killed and restarted', async () => {
  const { run } = await load({
    '.opencode/tool/loop.ts': `
      let calls = 0;
      export default { description: "", args: { loop: { type: "boolean" } }, execute: async ({ loop }, ctx) => { calls++; ctx.metadata({ loop }); while (loop); return String(calls) } }`,
  });
  const call = new TestCall();
  const ended = expect(run('loop', { loop: true }, call)).rejects.toThrow('did not stop');
  await expect.poll(() => call.progress, { timeout: 10_000 }).toHaveLength(1);
  call.abort.abort();
  await ended;
  expect((await run('loop', { loop: false })).output).toBe('1');
});

test.each([
  ['blocks the process', 'while (true);'],
  ['ignores that it is told to stop', 'await new Promise(() => {});'],
])('a request right after a tool was stopped that %s finds the tools again', async (_, body) => {
  const { run } = await load({
    '.opencode/tool/t.ts': `
      export const stuck = { description: "", args: {}, execute: async (_, ctx) => { ctx.metadata({ runs: true }); ${body} } };
      export const fine = { description: "", args: {}, execute: async () => "fine" };`,
  });
  const call = new TestCall();
  const ended = expect(run('t_stuck', {}, call)).rejects.toThrow();
  await expect.poll(() => call.progress, { timeout: 10_000 }).toHaveLength(1);
  const waiting = run('t_fine');
  call.abort.abort();
  expect((await run('t_fine')).output).toBe('fine');
  await ended;
  if (body.startsWith('await')) expect((await waiting).output).toBe('fine');
  else await waiting.catch(() => undefined);
});

test('an agent that may read less has a separate process', async () => {
  const { run, workspace } = await load({
    '.opencode/tool/count.ts':
      'let calls = 0; export default { description: "", args: {}, execute: async () => ++calls }',
  });
  const less = [...defaultRules, ...rulesOf({ read: { 'secret/*': 'deny' } }, 'settings')];
  expect((await run('count')).output).toBe('1');
  expect((await run('count', {}, new TestCall(), less)).output).toBe('1');
  expect((await run('count')).output).toBe('2');
  const limits = workspace.spawned.map(({ options }) => JSON.stringify(options.reads?.visibility));
  expect(limits).toHaveLength(2);
  expect(limits[1]).toContain('secret/*');
});

const CRYPTO_PRICE = `
import { tool } from "@opencode-ai/plugin";
import { z } from "zod";

interface Prices { [coin: string]: { [currency: string]: number } }

const COINS: Record<string, string> = { ATOM: "cosmos", BTC: "bitcoin" };

export default tool({
  id: "crypto_price",
  description: "Get current cryptocurrency prices from CoinGecko API.",
  args: {
    symbol: z.string().describe("Cryptocurrency symbol (e.g., 'ATOM', 'BTC')"),
    vsCurrency: z.string().optional().default("usd"),
  },
  async execute({ symbol, vsCurrency }, context) {
    const coin = COINS[symbol.toUpperCase()];
    if (!coin) throw new Error(\`Unknown cryptocurrency: \${symbol}\`);
    const response = await fetch(
      \`https://api.coingecko.com/api/v3/simple/price?ids=\${coin}&vs_currencies=\${vsCurrency}\`
    );
    if (!response.ok) throw new Error(\`API error: \${response.status}\`);
    const data: Prices = await response.json();
    context.metadata({ symbol, coin });
    return \`\${symbol} Price: $\${data[coin][vsCurrency]} (for \${context.model.providerID}/\${context.model.modelID})\`;
  },
});`;

test.each<[string, PermissionSettings, string[]]>([
  ['allowed by its name, with its addresses', { crypto_price: 'allow', read: 'allow', bash: 'ask' }, []],
  ['nothing said', {}, ['webfetch']],
  ['every tool allowed but this', { crypto_price: 'ask' }, ['crypto_price', 'webfetch']],
  ['addresses ask all the same', { crypto_price: 'allow', webfetch: 'ask' }, ['webfetch']],
])('the tool for crypto prices: %s', async (_what, settings, asks) => {
  const { run } = await load(
    { '.opencode/tools/cryptoPrice.ts': CRYPTO_PRICE },
    { settings, fetch: async () => Response.json({ cosmos: { usd: 4.23 } }) },
  );
  const call = new TestCall();
  call.rules = [...defaultRules, ...rulesOf(settings, 'settings')];
  const { output } = await run('crypto_price', { symbol: 'ATOM' }, call);
  expect(output).toBe('ATOM Price: $4.23 (for scripted/test)');
  expect(call.asks.map(({ permission }) => permission)).toEqual(asks);
});

test('a denied address stays denied for a tool that is allowed by name', async () => {
  const settings: PermissionSettings = { crypto_price: 'allow', webfetch: { '*coingecko*': 'deny' } };
  const { run } = await load({ '.opencode/tools/cryptoPrice.ts': CRYPTO_PRICE }, { settings });
  const call = new TestCall();
  call.rules = [...defaultRules, ...rulesOf(settings, 'settings')];
  await expect(run('crypto_price', { symbol: 'ATOM' }, call)).rejects.toThrow();
});
