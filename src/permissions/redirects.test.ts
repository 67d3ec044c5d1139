import { expect, test } from 'vitest';
import { defaultRules } from '../tools/permissions.ts';
import { redirectRules } from './redirects.ts';
import { rulesOf } from './settings.ts';
import type { Action } from './types.ts';
import type { SourcedRule } from './rules.ts';

const given = (webfetch: Action | Record<string, Action>, saved: readonly string[] = []) =>
  redirectRules({
    configured: [...defaultRules, ...rulesOf({ webfetch }, 'settings')],
    saved: saved.map((pattern): SourcedRule => ({
      permission: 'webfetch',
      pattern,
      action: 'allow',
      source: 'workspace',
    })),
  });
const E = 'https://e.org';

test('every redirect may be followed only if nothing is denied or asks', () => {
  expect(given('allow').anywhere).toBe(true);
  expect(given('ask', ['*']).anywhere).toBe(true);
  expect(given('ask').anywhere).toBe(false);
  expect(given({ '*': 'allow', 'https://e.org/*': 'deny' }).anywhere).toBe(false);
  expect(given({ '*': 'allow', 'https://e.org/*': 'ask' }).anywhere).toBe(false);
  expect(given({ '*': 'deny', 'https://e.org/*': 'allow' }, ['*']).anywhere).toBe(false);
  expect(given({ '*': 'allow', 'https://e.org/*': 'ask' }, ['*']).anywhere).toBe(true);
});

const whole: readonly (readonly [Record<string, Action>, Action])[] = [
  [{ '*': 'ask' }, 'ask'],
  [{ 'https://e.org/*': 'allow' }, 'allow'],
  // One page is not a whole host.
  [{ 'https://e.org/docs/*': 'allow' }, 'ask'],
  [{ '*': 'allow', 'https://e.org/docs/*': 'ask' }, 'ask'],
  [{ '*': 'allow', 'https://e.org/docs/*': 'deny' }, 'deny'],
  [{ '*': 'allow', 'https://evil.org/*': 'deny' }, 'allow'],
  // An address of e.org may contain that, too.
  [{ '*': 'allow', '*evil*': 'deny' }, 'deny'],
  [{ '*': 'deny', 'https://e.org/*': 'allow' }, 'allow'],
  [{ '*': 'deny', 'https://e.org/a': 'allow' }, 'deny'],
];

test.each(whole)('%j decides about every address of one host: %s', (rules, action) => {
  expect(given(rules).actionWithin(E)).toBe(action);
});

test('fully allowed hosts are listed', () => {
  expect(given('ask', [`${E}/*`, 'https://a.org/x', 'https://*.b.org/*']).allowed).toEqual([E]);
  expect(given({ '*': 'ask', [`${E}/*`]: 'allow', [`${E}/x`]: 'deny' }).allowed).toEqual([]);
});
