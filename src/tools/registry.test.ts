import { expect, test } from 'vitest';
import * as z from 'zod';
import type { SourcedRule } from '../permissions/rules.ts';
import { define } from './define.ts';
import { resolveName, ToolRegistry } from './registry.ts';
import type { ToolInfo } from './tool.ts';

const tool = (id: string, description = id, options: Pick<ToolInfo, 'filter' | 'permission'> = {}) =>
  define(id, { description, parameters: z.object({}), execute: async () => '' }, options);
const model = { provider: 'anthropic', model: 'claude-x' };
const deny = (permission: string, pattern = '*'): SourcedRule => ({
  permission,
  pattern,
  action: 'deny',
  source: 'settings',
});

test('registering a known id replaces it, unregistering restores what it hid', async () => {
  const builtin = tool('bash', 'built in');
  const custom = tool('bash', 'custom');
  const registry = new ToolRegistry([builtin, tool('read')]);
  const undo = registry.register(custom);
  expect(registry.get('bash')).toBe(custom);
  expect(registry.lookup('bash')).toBe(custom);
  expect(registry.ids()).toEqual(['bash', 'read']);
  expect(registry.all()).toEqual(registry.getAll());
  expect((await registry.tools(model, 'build')).map((made) => made.description)).toEqual(['custom', 'read']);

  expect(registry.unregister('bash')).toBe(true);
  expect(registry.get('bash')).toBe(builtin);
  undo();
  expect(registry.get('bash')).toBe(builtin);
  expect(registry.unregister('bash')).toBe(true);
  expect(registry.unregister('bash')).toBe(false);
  expect(registry.ids()).toEqual(['read']);
});

test('unregistering out of order removes only that registration', () => {
  const registry = new ToolRegistry([tool('a', 'first')]);
  const second = tool('a', 'second');
  const undo = registry.register(second);
  const third = tool('a', 'third');
  registry.register(third);
  undo();
  expect(registry.get('a')).toBe(third);
  registry.unregister('a');
  expect(registry.get('a')).not.toBe(second);
});

test('a tool that the rules deny entirely is not offered', async () => {
  const registry = new ToolRegistry([tool('bash'), tool('edit'), tool('write', 'w', { permission: 'edit' })]);
  const shown = async (...rules: SourcedRule[]) =>
    (await registry.tools(model, 'build', { rules })).map((made) => made.id);
  expect(await shown()).toEqual(['bash', 'edit', 'write']);
  expect(await shown(deny('edit'))).toEqual(['bash']);
  expect(await shown(deny('edit', 'src/*'))).toEqual(['bash', 'edit', 'write']);
});

test.each<[string, ToolInfo['filter'], boolean]>([
  ['provider', { providers: ['anthropic'] }, true],
  ['another provider', { providers: ['openai'] }, false],
  ['model', { models: ['claude-*'] }, true],
  ['another model', { models: ['gpt-*'] }, false],
  ['agent', { agents: ['build'] }, true],
  ['another agent', { agents: ['plan'] }, false],
  ['a flag that is on', { flag: 'experimental.batch_tool' }, true],
  ['a flag that is off', { flag: 'experimental.lsp' }, false],
  ['this client', { clients: ['cli', 'app'] }, true],
  ['another client', { clients: ['cli'] }, false],
  ['one of two that does not fit', { providers: ['anthropic'], agents: ['plan'] }, false],
])('offered by %s', async (_, filter, expected) => {
  const registry = new ToolRegistry([tool('x', 'x', filter ? { filter } : {})]);
  const flags = new Set(['experimental.batch_tool']);
  expect((await registry.tools(model, 'build', { flags })).length === 1).toBe(expected);
});

test('a name is found as written or in lower case, else the error lists the names', () => {
  const ids = ['bash', 'read', 'Mixed'];
  expect(resolveName('bash', ids)).toEqual({ ok: true, id: 'bash' });
  expect(resolveName('BASH', ids)).toEqual({ ok: true, id: 'bash' });
  expect(resolveName('Mixed', ids)).toEqual({ ok: true, id: 'Mixed' });
  expect(resolveName('shell', ids)).toEqual({
    ok: false,
    message: "There is no tool named 'shell'. The tools are: bash, read, Mixed. Call one of these.",
  });
  const long = resolveName('x'.repeat(5000), ids);
  expect(long.ok || long.message.length).toBeLessThan(320);
});
