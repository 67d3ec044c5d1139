import { expect, expectTypeOf, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { checkOptions, checkTool, PARAMETERS } from './check-options.ts';
import type { PermissionRules, TestOptions, VitrineOptions } from '../playwright/options.ts';

test.each<VitrineOptions>([
  {},
  { files: { 'a.txt': 'a' }, permission: 'allow', script: [{ text: 'Hello.' }], seed: 1, time: new Date(0) },
  { permission: { bash: { '*': 'ask' } }, model: { provider: 'openai', model: 'gpt-5' }, hosts: ['a.test'] },
  { script: { version: 1, title: 'one', turns: [] }, tools: [{ name: 'a', execute: () => 'b' }] },
  {
    permission: {
      '*': 'deny',
      'mcp_*': 'ask',
      'issues/close': 'allow',
      shop_cart_add: 'allow',
      write: 'deny',
    },
  },
  { permission: { raed: 'allow' }, tools: [{ name: 'raed', execute: () => 'b' }] },
  { config: { theme: 'dark', agent: { plan: { model: 'a/b' } }, permission: { bash: 'ask' } } },
  { parameters: { workspace: 'webcontainer', lang: 'de' } },
])('good options pass: %j', (options) => {
  checkOptions(options);
});

test.each([
  ['{"permision":"allow"}', 'Unrecognized key: "permision"'],
  ['{"permision":"allow"}', 'Its members are files, folder, config'],
  ['{"files":["a"]}', 'files'],
  ['{"files":{"a.txt":1}}', 'files["a.txt"]'],
  ['{"model":{"provider":"openai","name":"gpt-5"}}', 'Unrecognized key: "name"'],
  ['{"tools":[{"name":"a"}]}', 'tools[0].execute'],
  ['{"script":[],"model":{"provider":"openai","model":"gpt-5"}}', '"script" and "model" exclude each other'],
  ['{"time":"2026-01-01"}', 'The option "time" needs a "seed"'],
  ['null', 'expected object, received null'],
  ['{"seed":1,"time":"noon"}', 'time is "noon", which is no time. Write it like "2026-01-01T12:00:00Z".'],
  ['{"seed":1.5}', 'seed'],
  ['{"parameters":{"worspace":"embedded"}}', 'parameters has "worspace", which the address of the page does'],
  ['{"parameters":{"worspace":"embedded"}}', 'Did you mean "workspace"?'],
  ['{"parameters":{"seed":"1"}}', 'test.use({ vitrine: { seed: … } })'],
  [
    '{"config":{"permision":"allow"}}',
    'config has "permision", which opencode.json has not. Did you mean "perm',
  ],
  ['{"config":{"agnets":{}}}', 'Did you mean "agents"?'],
  ['{"config":{"colour":"red"}}', 'config has "colour", which opencode.json has not. Its keys are $schema'],
  ['{"config":{"agent":{"plan":{"steps":"5"}}}}', 'config.agent.plan.steps: '],
  ['{"config":{"permission":{"bsah":"ask"}}}', 'config.permission has "bsah", which is no permission'],
  [
    '{"permission":{"bahs":"allow"}}',
    'permission has "bahs", which is no permission and no tool. Did you mean',
  ],
  ['{"permission":{"Bash(git *)":"allow"}}', 'Did you mean { bash: { "git *": … } }?'],
  ['{"permission":{"Edit":"allow"}}', 'Did you mean "edit"?'],
  ['{"permission":{"bash":"alow"}}', 'permission["bash"] is "alow". Write "allow", "ask" or "deny"'],
  [
    '{"permission":{"bash":{"ls *":true}}}',
    'permission["bash"]["ls *"] is true. Write "allow", "ask" or "deny".',
  ],
  ['{"permission":"yes"}', 'permission is "yes". Write "allow", "ask" or "deny"'],
])('options that cannot be meant are refused: %s', (json, reason) => {
  const options: VitrineOptions = JSON.parse(json);
  expect(() => checkOptions(options)).toThrow(reason);
});

test.each([
  [
    { properties: { id: { type: 'strng' } } },
    'schema.properties.id.type is "strng". JSON Schema has the types',
  ],
  [{ properties: { a: { items: { type: 'int' } } } }, 'schema.properties.a.items.type is "int"'],
  [{ product: { type: 'string' } }, 'schema has "product", which JSON Schema has not. Arguments stand below'],
  [{ properties: { id: { type: 'string' } }, required: ['di'] }, 'schema.required names "di"'],
  [{ properties: {}, required: true }, 'schema.required is true. Write a list'],
  [{ type: 'string' }, 'schema.type is "string". It describes all arguments together'],
])('a schema of a tool that cannot be meant is refused: %j', (schema, reason) => {
  const tool = { name: 'stock', schema, execute: () => '' };
  expect(() => checkTool(tool)).toThrow(reason);
  expect(() => checkOptions({ tools: [tool] })).toThrow(`tools[0].${reason}`);
});

test('a schema of a tool may have what JSON Schema has', () => {
  const id = { type: ['string', 'null'], 'x-note': 'any' };
  const list = { type: 'array', items: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/id' }] } };
  const properties = { id, list, type: { type: 'string' } };
  const schema = { type: 'object', properties, required: ['id', 'type'], $defs: { id } };
  checkTool({ name: 'stock', schema, execute: () => '' });
});

test('a name that no tool can have is refused', () => {
  expect(() => checkTool({ name: 'a b', execute: () => '' })).toThrow(
    'begins with a letter; letters, digits',
  );
});

test('a tool with an unknown member is refused', () => {
  const tool = { name: 'stock', execute: () => '', parameters: {} };
  expect(() => checkTool(tool)).toThrow('Unrecognized key: "parameters"');
});

test('the parameters are those that are described', async () => {
  const text = await readFile(new URL('../../docs/automation.md', import.meta.url), 'utf8');
  const [, links = ''] = /## Links([^]*?)\n## /.exec(text) ?? [];
  const described = links.split('\n').flatMap((line) => /^\| `[?&]([\w-]+)=/.exec(line)?.[1] ?? []);
  const other = ['automation', 'seed'];
  expect(described.filter((name) => !other.includes(name)).toSorted()).toEqual(PARAMETERS.toSorted());
});

test('types object to misspelt actions and providers', () => {
  expectTypeOf<'allow'>().toExtend<PermissionRules>();
  expectTypeOf<{ bash: { '*': 'ask' } }>().toExtend<PermissionRules>();
  expectTypeOf<'alow'>().not.toExtend<PermissionRules>();
  expectTypeOf<{ bash: 'maybe' }>().not.toExtend<PermissionRules>();
  expectTypeOf<{ model: { provider: 'openai'; model: 'a' } }>().toExtend<TestOptions>();
  expectTypeOf<{ model: { provider: 'opnai'; model: 'a' } }>().not.toExtend<TestOptions>();
});
