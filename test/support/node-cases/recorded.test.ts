import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findNode22, runNatively } from '../../../scripts/native-node.mjs';
import { assertionsOf, parseCases, type NodeAnswer } from '../../../scripts/node-cases.mjs';
import { excused } from '../../fixtures/node/excused.ts';

interface Recorded {
  readonly answers: readonly (NodeAnswer & { readonly name: string })[];
}

const folder = new URL('../../fixtures/node/', import.meta.url);
const areas = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -'.txt'.length))
  .map((area) => {
    const { answers }: Recorded = JSON.parse(readFileSync(new URL(`${area}.json`, folder), 'utf8'));
    return { area, answers, cases: parseCases(readFileSync(new URL(`${area}.txt`, folder), 'utf8')) };
  });

test('every case of node was recorded, and they assert a lot', () => {
  for (const { cases, answers } of areas)
    expect(answers.map(({ name }) => name)).toEqual(cases.map(({ name }) => name));
  const assertions = areas.flatMap(({ answers }) => answers).map(assertionsOf);
  expect(assertions.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(2000);
});

test('what is excused is a case', () => {
  const keys = areas.flatMap(({ area, cases }) => cases.map(({ name }) => `${area}/${name}`));
  expect(Object.keys(excused).filter((key) => !keys.includes(key))).toEqual([]);
});

const node = findNode22();

/** npm and packages take long, and the same suite in the browser shows where they are out of date. */
describe.runIf(node)('what was recorded is what the Node 22 of this machine answers', () => {
  test.for(areas.filter(({ area }) => area !== 'npm' && !area.startsWith('packages')))(
    '$area',
    { timeout: 300_000 },
    ({ area, cases, answers }) => {
      expect(cases.map((each) => ({ name: each.name, ...runNatively(node ?? '', area, each) }))).toEqual(
        answers,
      );
    },
  );
});
