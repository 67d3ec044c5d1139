import { describe, expect, test } from 'vitest';
import { defaultRules } from '../tools/permissions.ts';
import { consider, LISTED_PATTERNS, LISTED_RULES, decidingIndex } from './consider.ts';
import { decide, type Rules, type SourcedRule } from './rules.ts';
import { rulesOf, type PermissionSettings } from './settings.ts';
import type { Ask } from './types.ts';

const rules = (settings: PermissionSettings, saved: SourcedRule[] = []): Rules => ({
  configured: [...defaultRules, ...rulesOf(settings, 'settings')],
  saved,
});

/** Each matching rule as `permission pattern action source`; the one that decided has a star. */
function considered(given: Rules, ask: Pick<Ask, 'permission' | 'patterns' | 'opaque'>): string[][] {
  return consider(given, ask, decide(given, ask).decisions).map((decision) => {
    const list = decision.considered ?? [];
    return list.map(({ permission, pattern, action, source, aside }, at) =>
      [permission, pattern, action, source, aside && 'aside', at === decidingIndex(list, decision) && '*']
        .filter(Boolean)
        .join(' '),
    );
  });
}

describe('rules that were considered', () => {
  test('are the matching rules, in order, with the one that decided', () => {
    const given = rules({ bash: { 'git *': 'allow', 'git push *': 'deny', 'npm *': 'allow' } }, [
      { permission: 'bash', pattern: 'git push origin', action: 'allow', source: 'workspace' },
    ]);
    expect(considered(given, { permission: 'bash', patterns: ['git push origin', 'ls'] })).toEqual([
      [
        'bash * ask default',
        'bash git * allow settings',
        'bash git push * deny settings *',
        'bash git push origin allow workspace',
      ],
      ['bash * ask default *'],
    ]);
  });

  test('are empty if nothing matches, which asks', () => {
    expect(considered({ configured: [], saved: [] }, { permission: 'bash', patterns: ['ls'] })).toEqual([[]]);
  });

  test('mark the rules that cannot count for a script that cannot be analysed', () => {
    const given = rules({ bash: { 'git *': 'allow' } });
    expect(considered(given, { permission: 'bash', patterns: ['git log $(x)'], opaque: true })).toEqual([
      ['bash * ask default *', 'bash git * allow settings aside'],
    ]);
  });

  test('are limited in number, and include the one that decided', () => {
    const many = Array.from({ length: 60 }, (_, n) => ({
      permission: 'bash',
      pattern: `${'*'.repeat(n + 1)}s`,
      action: n === 0 ? ('deny' as const) : ('ask' as const),
      source: n === 0 ? ('agent' as const) : ('settings' as const),
    }));
    const given = { configured: many, saved: [] };
    const patterns = Array.from({ length: LISTED_PATTERNS + 5 }, () => 'ls');
    const ask = { permission: 'bash', patterns };
    const found = consider(given, ask, decide(given, ask).decisions);
    expect(found[0]?.considered).toHaveLength(LISTED_RULES + 1);
    expect(found[0]?.unlisted).toBe(60 - LISTED_RULES - 1);
    expect(found[0]?.considered?.[0]).toMatchObject({ action: 'deny', source: 'agent' });
    expect(found.at(-1)).toMatchObject({ pattern: 'ls', action: 'deny' });
    expect(found.at(-1)).not.toHaveProperty('considered');
  });
});
