import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFor } from './names.ts';
import { decide } from './rules.ts';
import { permissionSettingsSchema, rulesOf } from './settings.ts';
import type { Action } from './types.ts';

function action(settings: unknown, permission: string): Action {
  const configured = rulesOf(permissionSettingsSchema.parse(settings), 'settings');
  return decide({ configured, saved: [] }, { permission, patterns: ['*'] }).action;
}

test.each(['github/push', 'github_push', 'mcp_github_push', 'mcp_*', 'mcp_github_*', 'github/*', 'github_*'])(
  'the tool of a server is named by %s',
  (name) => {
    expect(action({ '*': 'allow', [name]: 'deny' }, 'github/push')).toBe('deny');
    expect(action({ [name]: 'allow' }, 'github/push')).toBe('allow');
    expect(action({ [name]: 'allow' }, 'bash')).toBe('ask');
  },
);

test('names of other tools or servers do not match', () => {
  for (const name of ['github/pull', 'push', 'github', 'mcp_push', 'git/hub_push', 'hub/push', 'gitlab/*'])
    expect(isFor(name, 'github/push'), name).toBe(false);
});

test('a tool that asks under its plain name matches that name and its server', () => {
  expect(isFor('github_push', 'github_push')).toBe(true);
  expect(isFor('github/push', 'github_push')).toBe(true);
  expect(isFor('mcp_*', 'mcp_github_push')).toBe(true);
  expect(isFor('mcp_*', 'bash')).toBe(false);
});

test.each([
  { 'mcp_*': 'deny', 'github/push': 'allow' },
  { 'mcp_*': 'deny', github_push: 'allow' },
  { 'mcp_*': 'deny', mcp_github_push: 'allow' },
  { 'github_*': 'deny', 'github/push': 'allow' },
  { 'github/*': 'deny', github_push: 'allow' },
])('one tool is an exception to a rule for many: %j', (settings) => {
  expect(action(settings, 'github/push')).toBe('allow');
  expect(action(settings, 'github/pull')).toBe('deny');
});

test('a deny that comes later, or from another source, has no exception', () => {
  expect(action({ github_push: 'allow', 'mcp_*': 'deny' }, 'github/push')).toBe('deny');
});

test('rules are the same in every spelling of a tool', () => {
  const word = fc.stringMatching(/^[a-z][a-z_-]{0,6}$/);
  fc.assert(
    fc.property(word, word, word, (server, tool, other) => {
      for (const rule of [`${server}/${tool}`, `${server}_${tool}`, `mcp_${server}_${tool}`]) {
        expect(isFor(rule, `${server}/${tool}`)).toBe(true);
        expect(isFor(rule, `${server}/${tool}${other}`)).toBe(false);
      }
    }),
  );
});
