import { expect, test } from 'vitest';
import { configuredRules } from '../agents/rules.ts';
import { systemPrompt } from '../agents/system-prompt.ts';
import { decide } from '../permissions/rules.ts';
import type { PermissionSettings } from '../permissions/settings.ts';
import { visibilityOf } from '../permissions/visibility.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { ownConfigFiles, workspaceConfigFiles } from './files.ts';
import type { Grants } from './grants.ts';
import type { Configuration } from './setup.ts';
import { WatchedConfiguration } from './watched.ts';

interface Scenario {
  readonly files?: Readonly<Record<string, string>>;
  readonly own?: Readonly<Record<string, string>>;
  readonly trusts?: (grants: Grants) => boolean;
  readonly addresses?: Readonly<Record<string, string>>;
}

function watching({ files = {}, own = {}, trusts = () => false, addresses = {} }: Scenario) {
  const workspace = new MemoryWorkspace({ files });
  const rules = () => configuredRules('build', {});
  const watched = new WatchedConfiguration({
    own: ownConfigFiles(() => own, '~/.config/opencode/'),
    workspace: workspaceConfigFiles(workspace, () => visibilityOf({ configured: rules(), saved: [] })),
    isTrusted: trusts,
    fetch: async (address) => addresses[address] ?? null,
  });
  return { workspace, watched };
}

const configurationFor = (given: Scenario) => watching(given).watched.refresh();

function actionFor(
  { setup }: Configuration,
  permission: string,
  pattern: string,
  { settings = {}, agent = 'build' }: { settings?: PermissionSettings; agent?: string } = {},
) {
  const configured = configuredRules(agent, settings, [], setup);
  return decide({ configured, saved: [] }, { permission, patterns: [pattern] }).action;
}

const JSONC = `{
  // what this project is careful about
  "permission": {
    "bash": { "*": "ask", "git push *": "deny", },
    "edit": "deny",
  },
}`;

test('JSON with comments and trailing commas is read, and its rules apply', async () => {
  const configuration = await configurationFor({ files: { 'opencode.jsonc': JSONC } });
  expect(configuration.problems).toEqual([]);
  expect(actionFor(configuration, 'edit', 'a.ts', { settings: 'allow' })).toBe('deny');
  expect(actionFor(configuration, 'bash', 'git push origin', { settings: 'allow' })).toBe('deny');
  expect(actionFor(configuration, 'bash', 'ls', { settings: 'allow' })).toBe('ask');
  expect(configuration.grants).toBeNull();
});

test('the same configuration can be written in TOML', async () => {
  const toml = `# careful
[permission]
bash = "ask"              # Always ask before bash
read = { "*" = "allow", "*.pem" = "deny" }
websearch = "deny"
`;
  const configuration = await configurationFor({ files: { '.opencode/config.toml': toml } });
  expect(actionFor(configuration, 'bash', 'ls', { settings: 'allow' })).toBe('ask');
  expect(actionFor(configuration, 'read', 'a.pem', { settings: 'allow' })).toBe('deny');
  expect(actionFor(configuration, 'websearch', 'x', { settings: 'allow' })).toBe('deny');
  expect(configuration.problems).toEqual([]);
});

test('the allow rules of a workspace take effect only once it is trusted', async () => {
  const files = {
    'opencode.json': '{"permission": {"bash": {"*": "deny", "git *": "allow"}, "edit": "allow"}}',
  };
  const wary = await configurationFor({ files });
  expect(actionFor(wary, 'edit', 'a.ts')).toBe('ask');
  expect(actionFor(wary, 'bash', 'git status')).toBe('deny');
  expect(wary.grants?.trusted).toBe(false);
  expect(wary.grants?.list.map(({ what }) => what)).toEqual(['bash git *', 'edit *']);

  const trusting = await configurationFor({ files, trusts: () => true });
  expect(actionFor(trusting, 'edit', 'a.ts')).toBe('allow');
  expect(actionFor(trusting, 'bash', 'git status')).toBe('allow');
  expect(actionFor(trusting, 'bash', 'ls')).toBe('deny');
  // A deny of the person stays.
  expect(actionFor(trusting, 'edit', 'a.ts', { settings: { edit: 'deny' } })).toBe('deny');
});

test('trust covers these grants and no others, and survives a change of mere descriptions', async () => {
  const trusted = new Set<string>();
  const { workspace, watched } = watching({
    files: { 'opencode.json': '{"permission": {"edit": "allow"}}' },
    trusts: ({ hash }) => trusted.has(hash),
  });
  trusted.add((await watched.refresh()).grants!.hash);
  watched.invalidate();
  expect(actionFor(await watched.refresh(), 'edit', 'a.ts')).toBe('allow');
  workspace.files.put('opencode.json', '{"permission": {"edit": "allow"}, "theme": "dark"} // a note');
  expect(actionFor(await watched.refresh(), 'edit', 'a.ts')).toBe('allow');
  workspace.files.put('opencode.json', '{"permission": {"edit": "allow", "bash": "allow"}}');
  const changed = await watched.refresh();
  expect(changed.grants?.trusted).toBe(false);
  expect(actionFor(changed, 'edit', 'a.ts')).toBe('ask');
});

test.each([
  [
    'an agent that may edit is told something else',
    '"permission": {"edit": "allow"}, "prompt": "Mend it."',
    '"permission": {"edit": "allow"}, "prompt": "Delete it."',
  ],
  [
    'an agent that may edit takes more steps',
    '"permission": {"edit": "allow"}, "steps": 9',
    '"permission": {"edit": "allow"}, "steps": 99',
  ],
  [
    'an agent takes more steps than an untrusted one may',
    '"prompt": "Mend it."',
    '"prompt": "Mend it.", "steps": 500',
  ],
])('trust ends where %s', async (_what, before, after) => {
  const trusted = new Set<string>();
  const configured = (agent: string) => `{"permission": {"edit": "allow"}, "agent": {"mender": {${agent}}}}`;
  const { workspace, watched } = watching({
    files: { 'opencode.json': configured(before) },
    trusts: ({ hash }) => trusted.has(hash),
  });
  trusted.add((await watched.refresh()).grants!.hash);
  watched.invalidate();
  expect((await watched.refresh()).grants?.trusted).toBe(true);
  workspace.files.put('opencode.json', configured(after));
  expect((await watched.refresh()).grants?.trusted).toBe(false);
});

test('trust survives a new prompt of an agent without extra permissions', async () => {
  const trusted = new Set<string>();
  const configured = (prompt: string) =>
    `{"permission": {"edit": "allow"}, "agent": {"other": {"prompt": "${prompt}", "steps": 9}}}`;
  const { workspace, watched } = watching({
    files: { 'opencode.json': configured('Look.') },
    trusts: ({ hash }) => trusted.has(hash),
  });
  trusted.add((await watched.refresh()).grants!.hash);
  workspace.files.put('opencode.json', configured('Look twice.'));
  expect((await watched.refresh()).grants?.trusted).toBe(true);
});

test("the person's own files need no trust, and those of the workspace override them", async () => {
  const configuration = await configurationFor({
    own: { 'opencode.json': '{"permission": {"bash": "allow", "edit": "allow"}}' },
    files: { 'opencode.json': '{"permission": {"edit": "ask"}}' },
  });
  expect(actionFor(configuration, 'bash', 'ls')).toBe('allow');
  expect(actionFor(configuration, 'edit', 'a.ts')).toBe('ask');
});

test('the older `tools` hides a tool', async () => {
  const configuration = await configurationFor({ files: { 'opencode.json': '{"tools": {"write": false}}' } });
  expect(actionFor(configuration, 'edit', 'a.ts', { settings: 'allow' })).toBe('deny');
});

test.each([
  [
    'opencode.json',
    '{\n  "permission": {\n    "edit": "alow"\n  }\n}',
    3,
    'permission.edit is not an action.',
  ],
  ['opencode.json', '{\n  "theme": "dark"\n}', 2, '"theme" has no effect here.'],
  ['opencode.json', '{\n  "permision": {"edit": "deny"}}', 2, 'permision is not a known key for rules.'],
  ['opencode.json', '{\n  "instructions": 3\n}', 2, 'instructions cannot be used'],
  ['opencode.json', '{\n  "agent": {"a": {\n "steps": "many"}}}', 3, 'agent.a.steps cannot be used'],
  [
    'opencode.json',
    '{\n  "mcp": {"t": {"type": "stdio"}}\n}',
    2,
    'mcp.t.type cannot be used: must be "remote" (an address) or "local" (a program of the workspace).',
  ],
  [
    'opencode.json',
    '{\n  "mcp": {"t": {"type": "remote", "url": "x"}}\n}',
    2,
    'mcp.t.url cannot be used: must be an https address (http only on this machine).',
  ],
  ['opencode.json', '{\n  "tools": {},\n  "tools": {}}', 3, '"tools" appears twice.'],
  ['opencode.json', '{\n  "permission": {\n', 3, 'The file cannot be read: it is not JSON'],
  [
    '.opencode/config.toml',
    '[permission]\nbash = "ask"\nedit = yes\n',
    3,
    'The file cannot be read: it is not TOML',
  ],
  [
    '.opencode/config.toml',
    '[permission]\nbash = "ask"\nedit = "no"\n',
    3,
    'permission.edit is not an action.',
  ],
])('%s: a problem is reported with its line: %s', async (file, text, line, what) => {
  const { problems } = await configurationFor({ files: { [file]: text } });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ file, line });
  expect(problems[0]!.what).toContain(what);
});

test.each(['{"permission": {"edit": "alow"}}', '{"permission": ', '[]'])(
  'what may have been meant to deny does not allow: %s',
  async (text) => {
    const configuration = await configurationFor({ files: { 'opencode.json': text } });
    expect(actionFor(configuration, 'edit', 'a.ts', { settings: 'allow' })).toBe('ask');
  },
);

test('the last of two equal keys counts, at its own position', async () => {
  const text = '{"permission": {"bash": "deny", "edit": "deny", "bash": "ask"}}';
  const configuration = await configurationFor({ files: { 'opencode.json': text } });
  expect(actionFor(configuration, 'bash', 'ls', { settings: 'allow' })).toBe('ask');
  expect(configuration.rules.map(({ permission }) => permission)).toEqual(['edit', 'bash']);
});

test('rules keep the order of the file, even if their keys look like numbers', async () => {
  const text = '{"permission": {"bash": {"b": "ask", "2": "deny", "1": "ask"}}}';
  const { rules } = await configurationFor({ files: { 'opencode.json': text } });
  expect(rules.map(({ pattern }) => pattern)).toEqual(['b', '2', '1']);
});

test('agents come from the configuration and from files, with their rules', async () => {
  const configuration = await configurationFor({
    files: {
      'opencode.json':
        '{"agent": {"build": {"steps": 7}, "reviewer": {"mode": "subagent", "prompt": "{file:./review.txt}"}}}',
      'review.txt': 'Look twice.',
      '.opencode/agent/docs.md':
        '---\ndescription: Writes documentation\nmode: primary\nsteps: 500\npermission:\n  bash: deny\n  edit:\n    "*": deny\n    "docs/*": ask\n---\nYou write documentation.',
    },
  });
  const { agents } = configuration.setup;
  const named = (name: string) => agents.find((agent) => agent.name === name);
  expect(named('build')?.steps).toBe(7);
  expect(named('reviewer')).toMatchObject({ kind: 'subagent' });
  expect(await named('reviewer')?.prompt()).toBe('Look twice.');
  expect(named('docs')).toMatchObject({ kind: 'primary', description: 'Writes documentation', steps: 100 });
  expect(await named('docs')?.prompt()).toBe('You write documentation.');
  const asked = { settings: 'allow', agent: 'docs' } as const;
  expect(actionFor(configuration, 'bash', 'ls', asked)).toBe('deny');
  expect(actionFor(configuration, 'edit', 'docs/a.md', asked)).toBe('ask');
  expect(actionFor(configuration, 'edit', 'a.ts', asked)).toBe('deny');
  expect(actionFor(configuration, 'edit', 'a.ts', { settings: 'allow' })).toBe('allow');
});

test('plan changes no files, whatever a trusted file configures', async () => {
  const configuration = await configurationFor({
    files: {
      'opencode.json': '{"agent": {"plan": {"permission": {"edit": "allow"}}}}',
    },
    trusts: () => true,
  });
  expect(actionFor(configuration, 'edit', 'a.ts', { settings: 'allow', agent: 'plan' })).toBe('deny');
});

test('`mode` is the older name of agents to talk to', async () => {
  const { setup } = await configurationFor({
    files: { 'opencode.json': '{"mode": {"poet": {"prompt": "Rhyme."}}}' },
  });
  expect(setup.agents.find(({ name }) => name === 'poet')?.kind).toBe('primary');
});

test('commands come from the configuration and from files', async () => {
  const { commands, problems } = await configurationFor({
    files: {
      'opencode.json': '{"command": {"test": {"template": "Run the tests of $ARGUMENTS"}}}',
      '.opencode/command/review.md': '---\ndescription: Reviews\nagent: plan\n---\nReview $1.',
      '.opencode/commands/bare.md': 'Just do it.',
    },
  });
  expect(problems).toEqual([]);
  expect(commands.map(({ name, template, agent }) => [name, template, agent])).toEqual([
    ['test', 'Run the tests of $ARGUMENTS', undefined],
    ['review', 'Review $1.', 'plan'],
    ['bare', 'Just do it.', undefined],
  ]);
});

test('instructions are the own file, the first of AGENTS.md and CLAUDE.md, and the files that are named', async () => {
  const { setup, problems } = await configurationFor({
    own: { 'AGENTS.md': 'Be brief.' },
    files: {
      'AGENTS.md': 'Use tabs.',
      'CLAUDE.md': 'Use spaces.',
      'opencode.json': '{"instructions": ["docs/*.md", "gone.md"]}',
      'docs/style.md': 'No semicolons.',
    },
  });
  expect(setup.instructions).toEqual([
    { from: '~/.config/opencode/AGENTS.md', text: 'Be brief.' },
    { from: 'AGENTS.md', text: 'Use tabs.' },
    { from: 'docs/style.md', text: 'No semicolons.' },
  ]);
  expect(problems).toMatchObject([{ file: 'gone.md' }]);
  const place = { root: '/home/project', title: 'T', commands: [], notes: [], date: '2026-11-22' };
  expect(systemPrompt('You are.', place, setup.instructions)).toContain(
    '</environment>\n\nInstructions from: ~/.config/opencode/AGENTS.md\nBe brief.\n\nInstructions from: AGENTS.md\nUse tabs.',
  );
});

test('files that the read rules hide are never quoted, not even through a link', async () => {
  const { workspace, watched } = watching({
    files: {
      '.env': 'KEY=1',
      'opencode.json': '{"instructions": [".env"], "agent": {"a": {"prompt": "{file:.env}"}}}',
    },
  });
  workspace.files.link('AGENTS.md', '.env');
  const { setup } = await watched.refresh();
  expect(setup.instructions).toEqual([]);
  expect(await setup.agents.find(({ name }) => name === 'a')?.prompt()).not.toContain('KEY');
});

test('addresses are fetched only for trusted files', async () => {
  const given = {
    files: { 'opencode.json': '{"instructions": ["https://example.com/rules.md"]}' },
    addresses: { 'https://example.com/rules.md': 'From afar.' },
  };
  expect((await configurationFor(given)).setup.instructions).toEqual([]);
  const { setup } = await configurationFor({ ...given, trusts: () => true });
  expect(setup.instructions).toEqual([{ from: 'https://example.com/rules.md', text: 'From afar.' }]);
});

test('any file may turn a switch off, only a trusted file may turn one on', async () => {
  const files = {
    'opencode.json': '{"experimental": {"batch_tool": false, "other": true, "primary_tools": ["bash"]}}',
  };
  const wary = await configurationFor({ files });
  expect(wary.setup.flags).toEqual({ 'experimental.batch_tool': false });
  expect(wary.setup.primaryTools).toEqual(['bash']);
  const trusting = await configurationFor({ files, trusts: () => true });
  expect(trusting.setup.flags).toEqual({ 'experimental.batch_tool': false, 'experimental.other': true });
});

test.each<[string, readonly string[]]>([
  ['false', ['experimental.lsp_tool', 'lsp.after_changes']],
  ['{"typescript": {"enabled": false}}', ['experimental.lsp_tool', 'lsp.after_changes']],
  ['{"typescript": {"disabled": true}}', ['experimental.lsp_tool', 'lsp.after_changes']],
  ['{"typescript": {"command": ["typescript-language-server", "--stdio"]}}', []],
  ['true', []],
])('language services: "lsp": %s', async (lsp, off) => {
  const { setup, problems } = await configurationFor({ files: { 'opencode.json': `{"lsp": ${lsp}}` } });
  expect(setup.flags).toEqual(Object.fromEntries(off.map((name) => [name, false])));
  expect(problems).toEqual([]);
});

test('a language server that cannot be started here is reported', async () => {
  const files = {
    'opencode.json':
      '{\n"lsp": {"python": {"enabled": true, "command": ["pylsp"]}, "go": {"disabled": true}}}',
  };
  const { setup, problems } = await configurationFor({ files });
  expect(setup.flags).toEqual({});
  expect(problems).toEqual([
    expect.objectContaining({ file: 'opencode.json', line: 2, what: expect.stringContaining('lsp.python') }),
  ]);
});

test('nothing is read again until something changed', async () => {
  const { workspace, watched } = watching({ files: { 'opencode.json': '{}' } });
  const first = await watched.refresh();
  workspace.files.put('src/other.ts', '');
  expect(await watched.refresh()).toBe(first);
  workspace.files.put('.opencode/agents/new.md', 'You are new.');
  expect((await watched.refresh()).setup.agents.map(({ name }) => name)).toContain('new');
});

test.each<[string, string, string]>([
  ['opencode.json', 'keys that are there twice', `{${'"a":1,\n'.repeat(30_000)}"a":1}`],
  [
    'opencode.json',
    'keys that say nothing',
    `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',\n')}}`,
  ],
  [
    'opencode.json',
    'actions that are none',
    `{"permission":{${Array.from({ length: 12_000 }, (_, n) => `"k${n}":"no"`).join(',\n')}}}`,
  ],
  ['opencode.json', 'lists in lists', `{"permission":${'['.repeat(200_000)}`],
  [
    '.opencode/config.toml',
    'keys that say nothing',
    Array.from({ length: 20_000 }, (_, n) => `k${n} = 1`).join('\n'),
  ],
])('%s full of %s is read quickly, and its problems are limited', async (file, _, text) => {
  const started = performance.now();
  const { problems } = await configurationFor({ files: { [file]: text } });
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.length).toBeLessThanOrEqual(101);
});

test('a file that is too large is not read, and everything asks', async () => {
  const text = `{"permission": {"edit": "allow"}} // ${'x'.repeat(300_000)}`;
  const configuration = await configurationFor({ files: { 'opencode.json': text }, trusts: () => true });
  expect(configuration.problems[0]?.what).toContain('larger than');
  expect(actionFor(configuration, 'edit', 'a.ts', { settings: 'allow' })).toBe('ask');
});

test.each([
  [
    'opencode.json',
    '{"permission": {"__proto__": {"edit": "allow"}, "constructor": "deny", "edit": "deny"}}',
  ],
  ['.opencode/config.toml', '[permission]\nconstructor = "deny"\nedit = "deny"\n"__proto__" = "deny"'],
  [
    'opencode.json',
    '{"agent": {"__proto__": {"permission": "allow"}}, "mcp": {"__proto__": {"enabled": true}}, "permission": {"edit": "deny"}}',
  ],
])('%s: names of built-in object properties are ordinary keys: %s', async (file, text) => {
  const configuration = await configurationFor({ files: { [file]: text }, trusts: () => true });
  expect(actionFor(configuration, 'edit', 'a.ts', { settings: 'allow' })).toBe('deny');
  expect(Reflect.get({}, 'edit')).toBeUndefined();
  expect(Reflect.get({}, 'permission')).toBeUndefined();
});

test('rules keep the order of the file in TOML too, even if their keys look like numbers', async () => {
  const inline = '[permission]\nbash = { "b" = "ask", "2" = "deny", 1 = "ask" }';
  const table = '[permission.bash]\n"b" = "ask"\n"2" = "deny"\n1 = "ask"';
  for (const text of [inline, table]) {
    const { rules } = await configurationFor({ files: { '.opencode/config.toml': text } });
    expect(rules.map(({ pattern }) => pattern)).toEqual(['b', '2', '1']);
  }
});

test("rules keep the order in the front matter of an agent's file", async () => {
  const text = '---\npermission:\n  bash:\n    b: ask\n    2: deny\n    1: ask\n---\nYou test.';
  const { setup } = await configurationFor({ files: { '.opencode/agent/tester.md': text } });
  const tester = setup.agents.find(({ name }) => name === 'tester');
  expect(
    tester?.rules.filter(({ permission }) => permission === 'bash').map(({ pattern }) => pattern),
  ).toEqual(['b', '2', '1']);
});

test("the model of a workspace's command takes effect only once it is trusted", async () => {
  const given = {
    files: { 'opencode.json': '{"command": {"dear": {"template": "x", "model": "openai/dear"}}}' },
  };
  const wary = await configurationFor(given);
  expect(wary.grants?.list).toEqual([{ file: 'opencode.json', kind: 'model', what: '/dear: openai/dear' }]);
  expect(wary.commands).toMatchObject([{ name: 'dear', template: 'x' }]);
  expect(wary.commands[0]?.model).toBeUndefined();
  const trusting = await configurationFor({ ...given, trusts: () => true });
  expect(trusting.commands[0]?.model).toBe('openai/dear');
});

test("a workspace's model takes effect only once it is trusted", async () => {
  const given = {
    files: { 'opencode.json': '{"model": "openai/of/theirs"}' },
    own: { 'opencode.json': '{"model": "openai/mine"}' },
  };
  const mine = { provider: 'openai', model: 'mine', file: '~/.config/opencode/opencode.json' };
  const wary = await configurationFor(given);
  expect(wary.grants?.list).toEqual([{ file: 'opencode.json', kind: 'model', what: 'openai/of/theirs' }]);
  expect(wary.model).toEqual(mine);
  const trusting = await configurationFor({ ...given, trusts: () => true });
  expect(trusting.model).toEqual({ provider: 'openai', model: 'of/theirs', file: 'opencode.json' });
  expect((await configurationFor({ own: given.own })).model).toEqual(mine);
});

const PROVIDER = `{
  "provider": {
    "lab": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Our lab",
      "options": { "baseURL": "http://models.lab:8000/v1/", "apiKey": "sk-1", "headers": { "X-Team": "glass" } },
      "models": {
        "big": { "id": "big-2026", "limit": { "context": 64000, "output": 8000 }, "cost": { "input": 1, "output": 2, "cache_read": 0.1 } },
      },
    },
    "anthropic": { "models": { "claude-x": { "limit": { "context": 500000 }, "temperature": false } } },
  },
  "default_agent": "plan",
  "agent": { "build": { "temperature": 0.2, "top_p": 0.9 } },
}`;

test('providers, temperature and the default agent take effect once they are trusted', async () => {
  const files = { 'opencode.json': PROVIDER };
  const wary = await configurationFor({ files });
  expect(wary.providers).toEqual([]);
  expect(wary.setup.agents[0]?.name).toBe('build');
  expect(wary.setup.agents[0]?.sampling).toBeUndefined();
  expect(wary.grants?.list.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    'setting build: temperature 0.2',
    'setting build: top_p 0.9',
    'setting default_agent plan',
    'provider lab: http://models.lab:8000/v1 (X-Team)',
    'provider anthropic: claude-x',
  ]);

  const { providers, setup, problems } = await configurationFor({ files, trusts: () => true });
  expect(providers).toEqual([
    {
      ...{
        id: 'lab',
        file: 'opencode.json',
        name: 'Our lab',
        speaks: 'openai-compatible',
        baseURL: 'http://models.lab:8000/v1',
      },
      headers: { 'X-Team': 'glass' },
      models: {
        big: {
          ...{ id: 'big-2026', contextLimit: 64_000, outputLimit: 8_000 },
          price: { input: 1, output: 2, cacheRead: 0.1 },
        },
      },
    },
    {
      ...{ id: 'anthropic', file: 'opencode.json', speaks: 'anthropic' },
      models: { 'claude-x': { contextLimit: 500_000, takesNoTemperature: true } },
    },
  ]);
  expect(setup.agents[0]?.name).toBe('plan');
  expect(setup.agents.find(({ name }) => name === 'build')?.sampling).toEqual({
    temperature: 0.2,
    topP: 0.9,
  });
  // A key in a file is reported, and never quoted.
  expect(problems).toMatchObject([{ line: 6, what: 'Keys are not read from files.' }]);
  expect(JSON.stringify([providers, problems])).not.toContain('sk-1');
});

test('a provider can be written with the names of opencode 2', async () => {
  const file = `{"providers": {"lab": {
    "package": "aisdk:@ai-sdk/anthropic", "settings": {"baseURL": "https://models.lab/v1"},
    "models": {"big": {"modelID": "big-2026"}}
  }}}`;
  const { providers } = await configurationFor({ own: { 'opencode.json': file } });
  expect(providers).toMatchObject([
    { speaks: 'anthropic', baseURL: 'https://models.lab/v1', models: { big: { id: 'big-2026' } } },
  ]);
});

test.each([
  ['"npm": "@ai-sdk/amazon-bedrock"', 'the package @ai-sdk/amazon-bedrock is not supported'],
  ['"models": {}', 'it has no options.baseURL'],
  ['"options": {"baseURL": "file:///etc"}', 'must be an address'],
  ['"options": {"baseURL": "https://a.b/v1", "headers": {"x": "{env:KEY}"}}', 'its headers refer to secrets'],
])('a provider that cannot be used is reported: %s', async (provider, why) => {
  const text = `{\n"provider": {\n"lab": {${provider}}}}`;
  const { providers, problems } = await configurationFor({ own: { 'opencode.json': text } });
  expect(providers).toEqual([]);
  expect(problems).toMatchObject([{ line: 3, what: expect.stringContaining(why) }]);
});

test('a disabled agent is gone, and that is reported', async () => {
  const text = '{"agent": {"build": {"disable": true}, "explore": {"disable": true}}}';
  const { setup, problems } = await configurationFor({ files: { 'opencode.json': text } });
  expect(setup.agents.some(({ name }) => name === 'build' || name === 'explore')).toBe(false);
  expect(setup.agents[0]?.name).toBe('plan');
  expect(problems.map(({ what }) => what)).toEqual([
    'The agent build is disabled here.',
    'The agent explore is disabled here.',
  ]);
});

test('one agent to talk to always stays', async () => {
  const text =
    '{"agent": {"build": {"disable": true}, "plan": {"disable": true}}, "default_agent": "nobody"}';
  const { setup, problems } = await configurationFor({ own: { 'opencode.json': text } });
  expect(setup.agents[0]?.name).toBe('build');
  expect(problems.map(({ what }) => what)).toEqual([
    'The agent build stays enabled: there must be an agent to talk to.',
    'The agent plan is disabled here.',
    'default_agent nobody is not an agent that you can talk to.',
  ]);
});

const V2 = `{
  "permissions": [
    { "action": "shell", "resource": "*", "effect": "allow" },
    { "action": "shell", "resource": "git push *", "effect": "deny" },
    { "action": "subagent", "resource": "*", "effect": "ask" },
    { "action": "edit", "resource": "*", "effect": "allow" },
    { "action": "edit", "resource": "*.lock", "effect": "deny" }
  ],
  "agents": {
    "reviewer": { "system": "You review.", "permissions": [{ "action": "edit", "resource": "*", "effect": "deny" }] }
  }
}`;

test('rules of opencode 2 work for all agents and for one', async () => {
  const configuration = await configurationFor({ files: { 'opencode.json': V2 }, trusts: () => true });
  expect(configuration.problems).toEqual([]);
  expect(actionFor(configuration, 'bash', 'ls')).toBe('allow');
  expect(actionFor(configuration, 'bash', 'git push origin')).toBe('deny');
  expect(actionFor(configuration, 'task', 'explore')).toBe('ask');
  expect(actionFor(configuration, 'edit', 'a.ts')).toBe('allow');
  expect(actionFor(configuration, 'edit', 'yarn.lock')).toBe('deny');
  expect(actionFor(configuration, 'edit', 'a.ts', { agent: 'reviewer' })).toBe('deny');
  // Until the workspace is trusted, its rules may only restrict.
  const untrusted = await configurationFor({ files: { 'opencode.json': V2 } });
  expect(actionFor(untrusted, 'bash', 'ls')).toBe('ask');
  expect(actionFor(untrusted, 'bash', 'git push origin', { settings: 'allow' })).toBe('deny');
  expect(untrusted.grants?.list.map(({ what }) => what)).toContain('bash *');
});

const closes: readonly (readonly [string, string, string, number])[] = [
  // Each row: the file, the permission that then asks despite every allow, and the line that the problem names.
  [
    '{\n"permissions": [\n{ "action": "shell", "resource": "rm *", "efect": "deny" },\nALLOW] }',
    'bash',
    'rm x',
    3,
  ],
  ['{\n"permissions": [{ "action": "shell", "effect": "deny" },\nALLOW] }', 'bash', 'rm x', 2],
  ['{\n"permissions": [{ "resource": "rm *", "effect": "deny" }, ALLOW] }', 'bash', 'rm x', 2],
  ['{\n"permissions": [["shell", "rm *", "deny"], ALLOW] }', 'bash', 'rm x', 2],
  [
    '{\n"permissions": [{ "action": ["shell"], "resource": "rm *", "effect": "deny" }, ALLOW] }',
    'bash',
    'rm x',
    2,
  ],
  [
    '{\n"permissions": [{ "action": "shell", "resource": "*", "effect": "allow", "when": "x" }] }',
    'bash',
    'ls',
    2,
  ],
  ['{\n"permissions": { "bash": { "rm *": "dney", "*": "allow" } } }', 'bash', 'rm x', 2],
  ['{\n"permission": { "bash": { "rm *": { "x": "deny" }, "*": "allow" } } }', 'bash', 'rm x', 2],
  ['{\n"permission": { "bash": ["deny"], "*": "allow" } }', 'bash', 'ls', 2],
  ['{\n"permissions": "all" }', 'bash', 'ls', 2],
  ['{\n"permissions": 7 }', 'edit', 'a', 2],
  ['{\n"Permission": { "bash": "deny" } }', 'bash', 'ls', 2],
  ['{\n"permision": { "bash": "deny" } }', 'bash', 'ls', 2],
  ['{\n"tools": { "bash": "false" } }', 'bash', 'ls', 2],
  ['{\n"tools": ["bash"] }', 'bash', 'ls', 2],
  ['{\n"agents": [{ "name": "build", "permissions": [] }] }', 'bash', 'ls', 2],
  [
    '{\n"agents": { "build": {\n"permissions": [{ "action": "shell", "resource": "rm *" }, ALLOW] } } }',
    'bash',
    'rm x',
    3,
  ],
  [
    '{\n"agent": { "build": { "permission": { "bash": { "rm *": "no", "*": "allow" } } } } }',
    'bash',
    'rm x',
    2,
  ],
  ['{\n"agents": { "build": { "tools": { "bash": 0 } } } }', 'bash', 'ls', 2],
];

test.each(closes)('%s makes its permission ask', async (text, permission, pattern, line) => {
  const allow = '{ "action": "*", "resource": "*", "effect": "allow" }';
  const files = { 'opencode.json': text.replace('ALLOW', allow) };
  const configuration = await configurationFor({ files, trusts: () => true });
  expect(actionFor(configuration, permission, pattern, { settings: 'allow' })).toBe('ask');
  expect(configuration.problems).toContainEqual(expect.objectContaining({ file: 'opencode.json', line }));
});

test('an entry that is not understood never weakens a deny', async () => {
  for (const text of [
    '{ "permission": { "bash": { "*": "deny", "git *": "alow" } } }',
    '{ "permissions": [{ "action": "*", "resource": "*", "effect": "deny" }, { "action": "shell", "resource": "git *" }] }',
    '{ "agent": { "build": { "permission": { "bash": { "*": "deny", "git *": "alow" } } } } }',
    '{ "agents": { "explore": { "permissions": [{ "action": "edit", "resource": "git *" }] } } }',
  ]) {
    const configuration = await configurationFor({ files: { 'opencode.json': text }, trusts: () => true });
    const agent = text.includes('explore') ? 'explore' : 'build';
    const permission = agent === 'explore' ? 'edit' : 'bash';
    expect(actionFor(configuration, permission, 'git push', { settings: 'allow', agent }), text).toBe('deny');
  }
});

test('the front matter of an agent’s file may contain the rules of opencode 2', async () => {
  const file = (effect: string) =>
    `---\nsystem: x\npermissions:\n  - { action: shell, resource: "git *", effect: ${effect} }\n---\nYou review.`;
  const at = '.opencode/agents/reviewer.md';
  const denied = await configurationFor({ files: { [at]: file('deny') } });
  expect(actionFor(denied, 'bash', 'git log', { settings: 'allow', agent: 'reviewer' })).toBe('deny');
  const unclear = await configurationFor({ files: { [at]: file('never') } });
  expect(actionFor(unclear, 'bash', 'git log', { settings: 'allow', agent: 'reviewer' })).toBe('ask');
  expect(unclear.problems).toContainEqual(expect.objectContaining({ file: at, line: 3 }));
});
