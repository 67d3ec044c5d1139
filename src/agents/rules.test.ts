import { expect, test } from 'vitest';
import { decide, deniedEntirely } from '../permissions/rules.ts';
import type { PermissionSettings } from '../permissions/settings.ts';
import type { Action, Ruleset } from '../permissions/types.ts';
import { agents, primaryAgents, subagents } from './agents.ts';
import { configuredRules, limitsFor } from './rules.ts';

interface Query {
  readonly permission: string;
  readonly pattern: string;
  readonly settings?: PermissionSettings;
  readonly limits?: Ruleset;
}

function actionOf(agent: string, { permission, pattern, settings = {}, limits = [] }: Query): Action {
  const configured = configuredRules(agent, settings, limits);
  return decide({ configured, saved: [] }, { permission, patterns: [pattern] }).action;
}

function hidden(agent: string, permission: string, limits: Ruleset = []): boolean {
  return deniedEntirely(configuredRules(agent, {}, limits), permission);
}

/** The limits of `child` when `parent` gives it work. */
function limits(child: string, parent: string, outer: Ruleset = []): Ruleset {
  return limitsFor(child, { agent: parent, settings: {}, limits: outer });
}

test('the built-in agents are these', () => {
  expect(primaryAgents.map(({ name }) => name)).toEqual(['build', 'plan']);
  expect(subagents.map(({ name }) => name)).toEqual(['general', 'explore', 'librarian', 'oracle']);
  expect(agents.flatMap(({ name, hidden }) => (hidden ? name : []))).toEqual([
    'compaction',
    'title',
    'summary',
  ]);
});

test('each agent takes at most 100 steps per turn', () => {
  expect(agents.map(({ steps }) => steps)).toEqual(agents.map(() => 100));
});

test('plan changes nothing but its plans, and shell commands ask whatever the settings allow', () => {
  const settings = 'allow';
  expect(actionOf('plan', { permission: 'edit', pattern: 'src/a.ts', settings })).toBe('deny');
  expect(actionOf('plan', { permission: 'edit', pattern: '.opencode/plans/a.md', settings })).toBe('allow');
  expect(actionOf('plan', { permission: 'edit', pattern: '.opencode/plans/a.ts', settings })).toBe('deny');
  expect(actionOf('plan', { permission: 'bash', pattern: 'ls', settings })).toBe('ask');
  expect(hidden('plan', 'edit')).toBe(false);
});

test.each(['explore', 'librarian', 'oracle'])('%s only reads, within the limits of the settings', (agent) => {
  expect(actionOf(agent, { permission: 'read', pattern: 'src/a.ts' })).toBe('allow');
  expect(actionOf(agent, { permission: 'read', pattern: 'src/.env' })).toBe('ask');
  expect(
    actionOf(agent, { permission: 'read', pattern: 'a.ts', settings: { read: { '*.ts': 'ask' } } }),
  ).toBe('ask');
  expect(actionOf(agent, { permission: 'read', pattern: 'a.ts', settings: { read: 'deny' } })).toBe('deny');
  expect(actionOf(agent, { permission: 'edit', pattern: 'a.ts', settings: 'allow' })).toBe('deny');
  expect(actionOf(agent, { permission: 'edit', pattern: 'a.ts', settings: { '*': { 'a*': 'allow' } } })).toBe(
    'deny',
  );
  expect(actionOf(agent, { permission: 'doom_loop', pattern: 'read' })).toBe('ask');
  for (const permission of ['edit', 'task', 'todowrite', 'question', 'mcp_thing'])
    expect(hidden(agent, permission)).toBe(true);
  expect(hidden(agent, 'read')).toBe(false);
});

test('sub-agents differ in what they can read', () => {
  expect(hidden('explore', 'bash')).toBe(false);
  expect(actionOf('explore', { permission: 'bash', pattern: 'ls' })).toBe('ask');
  expect(
    actionOf('explore', { permission: 'bash', pattern: 'ls', settings: { bash: { ls: 'allow' } } }),
  ).toBe('allow');
  expect(hidden('librarian', 'bash')).toBe(true);
  expect(hidden('librarian', 'webfetch')).toBe(false);
  expect(hidden('oracle', 'webfetch')).toBe(true);
});

test.each(['compaction', 'title', 'summary'])('%s has no tool', (agent) => {
  for (const permission of ['read', 'bash', 'edit', 'question', 'mcp_thing'])
    expect(hidden(agent, permission)).toBe(true);
});

test('a sub-agent starts no sub-agents and keeps no to-do list', () => {
  const bound = limits('general', 'build');
  expect(hidden('general', 'task', bound)).toBe(true);
  expect(hidden('general', 'todowrite', bound)).toBe(true);
  expect(actionOf('general', { permission: 'edit', pattern: 'a.ts', settings: 'allow', limits: bound })).toBe(
    'allow',
  );
});

test('no sub-agent of plan edits, at any depth', () => {
  const bound = limits('general', 'plan');
  const deeper = limits('general', 'general', bound);
  for (const limits of [bound, deeper]) {
    const asked = { settings: 'allow', limits } as const;
    expect(actionOf('general', { permission: 'edit', pattern: 'src/a.ts', ...asked })).toBe('deny');
    expect(actionOf('general', { permission: 'edit', pattern: '.opencode/plans/a.md', ...asked })).toBe(
      'allow',
    );
    expect(actionOf('general', { permission: 'bash', pattern: 'ls', ...asked })).toBe('ask');
  }
});

test("the parent's allows are no exceptions to the sub-agent's denies", () => {
  const asked = { permission: 'edit', pattern: '.opencode/plans/a.md', limits: limits('oracle', 'plan') };
  expect(actionOf('oracle', asked)).toBe('deny');
  // Nor is it an exception to what binds the parent itself.
  const bound = limits('general', 'plan', [{ permission: 'edit', pattern: '*', action: 'deny' }]);
  expect(actionOf('general', { ...asked, limits: bound })).toBe('deny');
  const looking = limits('general', 'oracle');
  expect(
    actionOf('general', { permission: 'edit', pattern: 'a.ts', settings: 'allow', limits: looking }),
  ).toBe('deny');
  expect(actionOf('general', { permission: 'read', pattern: 'a.ts', limits: looking })).toBe('allow');
});
