import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { answerOfBash, areaNames, areasFolder, settingOf } from '../../scripts/bash-answers.mjs';
import agreement from '../../test/fixtures/shell/agreement.json' with { type: 'json' };
import excused from '../../test/fixtures/shell/excused.json' with { type: 'json' };
import oneLiners from '../../test/fixtures/shell/oneliners.json' with { type: 'json' };
import home from '../../test/fixtures/shell/home.json' with { type: 'json' };
import { differences, shown, type Case, type Home } from '../../test/support/shell-suite.ts';

/**
 * `AGREEMENT=write` raises what test/fixtures/shell/agreement.json promises to what agrees now. `SHOW=sed,awk` shows what
 * differs in those areas.
 */
const WRITES = process.env['AGREEMENT'] === 'write';
const SHOWN = process.env['SHOW']?.split(',') ?? [];
const LEAST_CASES = 15;
const MINUTES_MS = 180_000;

const floors = new Map<string, number>(Object.entries(agreement));
const excuses = new Map<string, string>(excused.map(({ script, why }) => [script, why]));
const counted = new Map<
  string,
  { readonly agreeing: number; readonly of: number; readonly excused: number }
>();

interface Area extends Partial<Pick<Home, 'env' | 'files'>> {
  readonly recorded: string;
  readonly cases: readonly Case[];
}

function casesOf(area: string): Area {
  return JSON.parse(readFileSync(new URL(`${area}.json`, areasFolder), 'utf8'));
}

function bashVersion(): string {
  try {
    return execFileSync('bash', ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '';
  } catch {
    return '';
  }
}

/** Areas whose answers hang on bash and coreutils alone, which are the same wherever bash is this one. */
const OF_BASH_ALONE = ['arrays', 'arithmetic', 'functions', 'quoting', 'redirections', 'tests', 'printf'];

describe('areas of the shell against real bash and GNU tools', () => {
  afterAll(() => {
    const all = [...counted.values()];
    const sum = (key: 'agreeing' | 'of' | 'excused') => all.reduce((total, one) => total + one[key], 0);
    const lines = [...counted].map(
      ([area, { agreeing, of, excused }]) =>
        `${String(agreeing).padStart(5)} of ${of} agree${excused ? `, ${excused} excused` : ''}: ${area}`,
    );
    console.log(`${lines.join('\n')}\n${sum('agreeing')} of ${sum('of')} agree, ${sum('excused')} excused`);
    if (!WRITES) return;
    for (const [area, { agreeing }] of counted) floors.set(area, Math.max(agreeing, floors.get(area) ?? 0));
    const file = new URL('../../test/fixtures/shell/agreement.json', import.meta.url);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries([...floors].sort()), null, 2)}\n`);
  });

  it.each(areaNames())(
    'agrees in %s as far as promised',
    async (area) => {
      const given = casesOf(area);
      const { cases } = given;
      expect(cases.length).toBeGreaterThanOrEqual(LEAST_CASES);
      const differing = await differences(cases, settingOf(given, home));
      const agreeing = cases.length - differing.length;
      const excusedHere = differing.filter(({ script }) => excuses.has(script)).length;
      counted.set(area, { agreeing, of: cases.length, excused: excusedHere });
      if (SHOWN.includes(area)) console.log(differing.map(shown).join('\n'));
      expect(agreeing, differing.map(shown).join('\n')).toBeGreaterThanOrEqual(floors.get(area) ?? 0);
    },
    MINUTES_MS,
  );

  it('excuses only cases that are there, and says why', () => {
    const all = [...oneLiners.cases, ...areaNames().flatMap((area) => casesOf(area).cases)];
    const scripts = new Set(all.map(({ script }) => script));
    expect([...excuses].filter(([script, why]) => !scripts.has(script) || why.length < 10)).toEqual([]);
  });

  it.runIf(bashVersion() === casesOf('arrays').recorded).each(OF_BASH_ALONE)(
    'has in %s what the bash of this machine answers',
    (area) => {
      for (const { script, ...recorded } of casesOf(area).cases) {
        expect(answerOfBash(script, home), script).toEqual(recorded);
      }
    },
    MINUTES_MS,
  );
});
