import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lockTest, visibilityTest } from '../protocol/visibility.ts';
import { KEPT_OUTPUTS } from '../base/places.ts';
import { defaultRules } from '../tools/permissions.ts';
import { decide, deniedEntirely, type Rules, type SourcedRule } from './rules.ts';
import { permissionSettingsSchema, rulesOf, type PermissionSettings } from './settings.ts';
import type { RuleSource } from './types.ts';
import { locksOf, visibilityOf } from './visibility.ts';
import { covers, matches } from './wildcard.ts';

const withSettings = (settings: PermissionSettings, saved: SourcedRule[] = []): Rules => ({
  configured: [...defaultRules, ...rulesOf(settings, 'settings')],
  saved,
});
const allow = (permission: string, pattern: string, source: RuleSource = 'workspace'): SourcedRule => ({
  permission,
  pattern,
  action: 'allow',
  source,
});
const action = (rules: Rules, permission: string, ...patterns: string[]) =>
  decide(rules, { permission, patterns }).action;

describe('wildcards', () => {
  test.each([
    ['ls *', 'ls', true],
    ['ls *', 'ls -la', true],
    ['ls *', 'lsof', false],
    ['git', 'git status', false],
    ['*.env', 'a/b/.env', true],
    ['src/*', 'src/a/b.ts', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['**', 'x\ny', true],
    ['', '', true],
    ['[a].(b)', '[a].(b)', true],
    ['[a]', 'a', false],
  ])('%s on %s: %s', (pattern, text, expected) => expect(matches(pattern, text)).toBe(expected));

  test('matching a pattern from a settings file takes bounded time', () => {
    expect(matches(`${'*a'.repeat(40)}b`, 'a'.repeat(20_000))).toBe(false);
  });

  test('a covering pattern matches everything that the covered one matches', () => {
    const pattern = fc.stringMatching(/^[ab*? ]{0,6}$/);
    const text = fc.stringMatching(/^[ab ]{0,6}$/);
    fc.assert(
      fc.property(pattern, pattern, text, (outer, inner, sample) => {
        fc.pre(covers(outer, inner) && !inner.endsWith(' *'));
        expect(!matches(inner, sample) || matches(outer, sample)).toBe(true);
      }),
    );
  });
});

describe('defaults', () => {
  const rules = withSettings({});
  test.each([
    ['read', 'src/a.ts', 'allow'],
    ['read', '.env', 'ask'],
    ['read', 'deep/.env.local', 'ask'],
    ['read', '.env.example', 'allow'],
    ['grep', 'TODO', 'allow'],
    ['glob', '**', 'allow'],
    ['list', '.', 'allow'],
    ['edit', 'a.ts', 'ask'],
    ['bash', 'ls', 'ask'],
    ['webfetch', 'https://x', 'ask'],
  ])('%s %s: %s', (permission, pattern, expected) =>
    expect(action(rules, permission, pattern)).toBe(expected),
  );
});

describe('decide', () => {
  test('the last matching rule wins, and its source is given', () => {
    const rules = withSettings({ bash: { '*': 'allow', 'git push *': 'ask' } });
    expect(action(rules, 'bash', 'git status')).toBe('allow');
    expect(decide(rules, { permission: 'bash', patterns: ['git push origin'] }).decisions).toEqual([
      {
        pattern: 'git push origin',
        action: 'ask',
        rule: { permission: 'bash', pattern: 'git push *', action: 'ask' },
        source: 'settings',
      },
    ]);
  });

  test('a deny overrides later and broader rules, other sources and saved answers', () => {
    const rules: Rules = {
      configured: [
        ...rulesOf({ bash: { 'rm *': 'deny', '*': 'allow' } }, 'settings'),
        allow('bash', 'rm -i *', 'agent'),
      ],
      saved: [allow('bash', '*'), allow('*', '*', 'session')],
    };
    expect(action(rules, 'bash', 'rm x')).toBe('deny');
    expect(action(rules, 'bash', 'rm -i x')).toBe('deny');
    expect(action(rules, 'bash', 'ls')).toBe('allow');
  });

  test('a narrower rule after a deny in the same source is an exception to it', () => {
    const rules = withSettings({ bash: { '*': 'deny', 'git *': 'allow', 'git push *': 'ask' } });
    expect(action(rules, 'bash', 'git log')).toBe('allow');
    expect(action(rules, 'bash', 'git push')).toBe('ask');
    expect(action(rules, 'bash', 'curl x')).toBe('deny');
    expect(action(withSettings({ '*': 'deny', read: 'allow' }), 'read', 'a')).toBe('allow');
  });

  test('a saved answer turns an ask into an allow, never more', () => {
    expect(action(withSettings({}, [allow('bash', 'git *')]), 'bash', 'git log')).toBe('allow');
    expect(action(withSettings({}, [allow('bash', 'git *')]), 'bash', 'rm x')).toBe('ask');
    expect(action(withSettings({ bash: 'deny' }, [allow('bash', '*')]), 'bash', 'ls')).toBe('deny');
    const forged: SourcedRule = { permission: 'bash', pattern: '*', action: 'deny', source: 'session' };
    expect(action(withSettings({ bash: 'allow' }, [forged]), 'bash', 'ls')).toBe('allow');
  });

  test('with several patterns one deny denies all, otherwise one ask asks', () => {
    const rules = withSettings({ bash: { '*': 'allow', 'rm *': 'deny', 'git push *': 'ask' } });
    expect(action(rules, 'bash', 'git push', 'rm x')).toBe('deny');
    expect(action(rules, 'bash', 'ls', 'git push')).toBe('ask');
    expect(action(rules, 'bash', 'ls', 'pwd')).toBe('allow');
  });

  test('a request without patterns counts as everything', () => {
    expect(decide(withSettings({}), { permission: 'bash', patterns: [] })).toMatchObject({
      action: 'ask',
      decisions: [{ pattern: '*' }],
    });
    expect(action(withSettings({ bash: { '*': 'ask', 'git *': 'allow' } }), 'bash')).toBe('ask');
  });

  test('permissions may contain wildcards, and one action may apply to everything', () => {
    expect(action(withSettings({ 'mcp_*': 'deny' }), 'mcp_github_push', '*')).toBe('deny');
    expect(action(withSettings('allow'), 'bash', 'rm x')).toBe('allow');
  });

  test('a path may be absolute or below the home directory', () => {
    expect(action(withSettings({ read: { '/home/project/secret/*': 'deny' } }), 'read', 'secret/a')).toBe(
      'deny',
    );
    expect(action(withSettings({ edit: { '~/project/*': 'allow' } }), 'edit', 'a')).toBe('allow');
    expect(action(withSettings({ edit: { '$HOME/project/*': 'allow' } }), 'edit', 'a')).toBe('allow');
  });
});

describe('a script that no pattern describes', () => {
  const opaque = (rules: Rules) =>
    decide(rules, { permission: 'bash', patterns: ['git log $(x)'], opaque: true }).action;
  test('is allowed only by a rule for everything', () => {
    expect(opaque(withSettings({ bash: 'allow' }))).toBe('allow');
    expect(opaque(withSettings({ bash: { '*': 'ask', 'git *': 'allow' } }))).toBe('ask');
    expect(opaque(withSettings({ bash: { 'git *': 'allow' } }))).toBe('ask');
  });
  test('asks if a narrower rule could be violated in it', () => {
    expect(opaque(withSettings({ bash: { '*': 'allow', 'rm *': 'deny' } }))).toBe('ask');
    expect(opaque(withSettings({ bash: { '*': 'allow', 'git push *': 'ask' } }))).toBe('ask');
  });
  test('is allowed by a saved rule for exactly this text', () => {
    expect(opaque(withSettings({}, [allow('bash', 'git *')]))).toBe('ask');
    expect(opaque(withSettings({}, [allow('bash', 'git log $(x)')]))).toBe('allow');
    expect(opaque(withSettings({ bash: { 'rm *': 'deny' } }, [allow('bash', '*')]))).toBe('ask');
  });
  test('is denied if its text is denied', () => {
    expect(opaque(withSettings({ bash: { '*': 'allow', 'git log *': 'deny' } }))).toBe('deny');
  });
});

test('a tool is hidden if everything it could ask for is denied', () => {
  expect(deniedEntirely(withSettings({ bash: 'deny' }).configured, 'bash')).toBe(true);
  expect(deniedEntirely(withSettings({ bash: { '*': 'deny', ls: 'allow' } }).configured, 'bash')).toBe(false);
  expect(deniedEntirely(withSettings({ bash: { 'rm *': 'deny' } }).configured, 'bash')).toBe(false);
  expect(deniedEntirely(withSettings({ '*': 'deny', read: 'allow' }).configured, 'read')).toBe(false);
  expect(deniedEntirely(withSettings({ '*': 'deny', read: 'allow' }).configured, 'bash')).toBe(true);
});

describe('settings', () => {
  test('keep the order of keys', () => {
    const parsed = permissionSettingsSchema.parse(
      JSON.parse('{"bash":{"z *":"allow","a *":"deny"},"edit":"ask","*":"ask"}'),
    );
    expect(rulesOf(parsed, 'settings').map((rule) => [rule.permission, rule.pattern, rule.action])).toEqual([
      ['bash', 'z *', 'allow'],
      ['bash', 'a *', 'deny'],
      ['edit', '*', 'ask'],
      ['*', '*', 'ask'],
    ]);
  });
  test('a rule for write is a rule for edit', () => {
    expect(action(withSettings({ write: 'deny' }), 'edit', 'a')).toBe('deny');
    expect(rulesOf(JSON.parse('{"constructor":"deny"}'), 'settings')[0]?.permission).toBe('constructor');
  });
  test('an unknown action is refused', () => {
    expect(permissionSettingsSchema.safeParse({ bash: 'maybe' }).success).toBe(false);
    expect(permissionSettingsSchema.safeParse({ bash: { '*': true } }).success).toBe(false);
  });
});

describe('visibility', () => {
  const isVisible = (rules: Rules, path: string) =>
    visibilityOf(rules).findLast(({ pattern }) => matches(pattern, `/home/project/${path}`))?.visible;

  test('shows files that may be read without asking', () => {
    const rules = withSettings({ read: { 'secret/*': 'deny', 'secret/open.txt': 'allow' } });
    expect(isVisible(rules, 'a.ts')).toBe(true);
    expect(isVisible(rules, '.env')).toBe(false);
    expect(isVisible(rules, '.env.example')).toBe(true);
    expect(isVisible(rules, 'secret/key')).toBe(false);
    expect(isVisible(rules, 'secret/open.txt')).toBe(true);
    expect(isVisible(withSettings({}, [allow('read', '.env')]), '.env')).toBe(true);
  });

  test('never shows files whose reading would ask or be denied', () => {
    const rule = fc.record({
      permission: fc.constantFrom('read', '*'),
      pattern: fc.constantFrom('*', 'a/*', 'a/b', '*b', 'a/?', '/home/project/a/*', 'c'),
      action: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      source: fc.constantFrom('settings' as const, 'agent' as const),
      strict: fc.constantFrom(undefined, true as const),
    });
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 6 }),
        fc.array(rule, { maxLength: 2 }),
        fc.constantFrom('a/b', 'a/c', 'c', 'b', 'a'),
        (configured, saved, path) => {
          const rules = { configured, saved };
          if (isVisible(rules, path)) expect(action(rules, 'read', path)).toBe('allow');
          const exceptionless = !configured.some((one) => one.action === 'deny' || one.strict);
          if (exceptionless) expect(isVisible(rules, path)).toBe(action(rules, 'read', path) === 'allow');
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('locks', () => {
  const isLocked = (rules: Rules, path: string) => lockTest(locksOf(rules))(`/home/project/${path}`);

  test('are the denies of edit without their exceptions, whatever was answered', () => {
    const rules = withSettings(
      { edit: { '*': 'ask', 'lock/**': 'deny', 'lock/free/*': 'allow', '*.lock': 'deny', 'b.txt': 'allow' } },
      [allow('edit', 'lock/a')],
    );
    for (const path of ['lock/a', 'lock/in/a', 'yarn.lock', 'lock/free/b.lock'])
      expect(isLocked(rules, path), path).toBe(true);
    for (const path of ['a.txt', 'lock/free/a', 'b.txt', 'lock'])
      expect(isLocked(rules, path), path).toBe(false);
    expect(isLocked(withSettings({ read: { '*': 'deny' } }), 'a.txt')).toBe(false);
    expect(isLocked(withSettings({ write: 'deny' }), 'a.txt')).toBe(true);
    expect(isLocked(withSettings({ edit: { '/home/project/a.txt': 'deny' } }), 'a.txt')).toBe(true);
  });

  test('are never fewer than what is denied', () => {
    const rule = fc.record({
      permission: fc.constantFrom('edit', '*'),
      pattern: fc.constantFrom('*', 'a/*', 'a/b', '*b', 'a/?', '/home/project/a/*', 'c'),
      action: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      source: fc.constantFrom('settings' as const, 'agent' as const),
    });
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 6 }),
        fc.constantFrom('a/b', 'a/c', 'c', 'b', 'a'),
        (configured, path) => {
          const rules = { configured, saved: [] };
          const isDenied = action(rules, 'edit', path) === 'deny';
          if (isDenied) expect(isLocked(rules, path)).toBe(true);
          const denies = configured.filter((one) => one.action === 'deny');
          if (denies.length < 2) expect(isLocked(rules, path)).toBe(isDenied);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test('a name is the same in every Unicode normalization form', () => {
  const composed = 'cl\u00e9s/a';
  const apart = composed.normalize('NFD');
  expect(apart).not.toBe(composed);
  for (const [pattern, path] of [
    [composed, apart],
    [apart, composed],
  ] as const) {
    const configured = [
      { permission: 'read', pattern: '*', action: 'allow', source: 'default' },
      { permission: 'read', pattern, action: 'deny', source: 'settings' },
    ] as const;
    expect(decide({ configured, saved: [] }, { permission: 'read', patterns: [path] }).action).toBe('deny');
    expect(visibilityTest(visibilityOf({ configured, saved: [] }))(`/home/project/${path}`)).toBe(false);
  }
});

describe('places outside', () => {
  const outside = (settings: PermissionSettings, path: string) =>
    decide(withSettings(settings), { permission: 'external_directory', patterns: [path] }).action;
  const kept = `${KEPT_OUTPUTS}/ses_1/*`;

  test('stored outputs can be read, nothing else, and no setting opens more', () => {
    expect(outside({}, kept)).toBe('allow');
    expect(outside({}, '/etc/*')).toBe('deny');
    expect(outside({ external_directory: 'allow' }, '/etc/*')).toBe('deny');
  });

  test('a rule for all places does not affect stored outputs, one that names them does', () => {
    expect(outside({ external_directory: 'deny' }, kept)).toBe('allow');
    expect(outside({ external_directory: { '~/*': 'ask' } }, kept)).toBe('allow');
    expect(outside({ external_directory: { '~/.opencode/truncate/*': 'deny' } }, kept)).toBe('deny');
  });
});

test('saved rules answer a strict ask only if they were the answer to one', () => {
  const ask = { permission: 'bash', pattern: '*', action: 'ask', source: 'agent', strict: true } as const;
  const allow = { permission: '*', pattern: '*', action: 'allow' } as const;
  const saved = (['workspace', 'everywhere', 'session', 'mode'] as const).map((source) => ({
    ...allow,
    source,
  }));
  const asked = { permission: 'bash', patterns: ['ls'] };
  expect(decide({ configured: [ask], saved }, asked)).toMatchObject({
    action: 'ask',
    decisions: [{ strict: true }],
  });
  const given = { ...allow, source: 'session', strict: true } as const;
  const { action, decisions } = decide({ configured: [ask], saved: [given, ...saved] }, asked);
  expect(action).toBe('allow');
  expect(decisions).toEqual([{ pattern: 'ls', action: 'allow', rule: allow, source: 'session' }]);
  expect(decide({ configured: [], saved }, asked).action).toBe('allow');
});

test('an allow for everything does not cover an unknown script if something is denied or asks', () => {
  const about = (settings: PermissionSettings) =>
    decide(
      { configured: rulesOf(settings, 'settings'), saved: [] },
      { permission: 'webfetch', patterns: ['*'], opaque: true },
    ).action;
  expect(about({ webfetch: { '*': 'allow' } })).toBe('allow');
  expect(about({ webfetch: { '*': 'allow', 'https://e.org/*': 'deny' } })).toBe('ask');
  expect(about({ webfetch: { '*': 'allow', 'https://e.org/*': 'ask' } })).toBe('ask');
});
