import { expect, test } from 'vitest';
import { readGrid } from './grid.ts';
import { reportPage } from './report.ts';
import { cellsOf, changeOf, median, passRateInterval, readResults, type RunResult } from './results.ts';

const run = (task: string, model: string, number: number, given: Partial<RunResult> = {}): RunResult => ({
  ...{ task, model, run: number, failures: [], steps: 2, tokens: 100, cost: 0, ms: 1_000, calls: ['edit'] },
  ...given,
});

test('a cell has its pass rate, its interval, and the medians of its runs', () => {
  const [cell, other] = cellsOf([
    run('fix', 'a', 1, { steps: 2 }),
    run('fix', 'b', 1),
    run('fix', 'a', 2, { steps: 6, failures: ['no'] }),
    run('fix', 'a', 3, { steps: 4 }),
  ]);
  expect(cell).toMatchObject({ task: 'fix', model: 'a', passed: 2, runs: 3, steps: 4, ms: 1_000 });
  expect(other).toMatchObject({ model: 'b', passed: 1, runs: 1 });
});

test('the interval is that of Wilson: https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval', () => {
  const rounded = (passed: number, runs: number) =>
    passRateInterval(passed, runs).map((share) => Math.round(1000 * share) / 1000);
  // They follow from the formula with z = 1.96.
  expect(rounded(10, 10)).toEqual([0.722, 1]);
  expect(rounded(0, 10)).toEqual([0, 0.278]);
  expect(rounded(5, 10)).toEqual([0.237, 0.763]);
  expect(rounded(1, 1)).toEqual([0.207, 1]);
});

test('a median of an even number of values lies between two of them', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBe(0);
});

test('the change since the last evaluation is in percentage points, where there was one', () => {
  const before = cellsOf([run('fix', 'a', 1, { failures: ['no'] }), run('fix', 'a', 2)]);
  const [now, fresh] = cellsOf([run('fix', 'a', 1), run('new', 'a', 1)]);
  expect(now && changeOf(now, before)).toBe(50);
  expect(fresh && changeOf(fresh, before)).toBeUndefined();
});

test('the report shows every cell and run, links recordings, and shows text as text', () => {
  const runs = [
    run('<b>fix</b>', 'a', 1, { failures: ['<img src=x>'], recording: 'recordings/fix.a.1.json' }),
    run('<b>fix</b>', 'a', 2),
  ];
  const results = { vitrineEval: 1, title: 'T & T', started: 0, runs } as const;
  const page = reportPage(results, { ...results, runs: [run('<b>fix</b>', 'a', 1)] });
  expect(page).toContain('<strong>50 %</strong> (1 of 2)');
  expect(page).toContain('−50 points since last time');
  expect(page).toContain('href="recordings/fix.a.1.html"');
  expect(page).toContain('T &amp; T');
  expect(page).not.toContain('<img');
  expect(page).not.toContain('<b>');
  expect(readResults(JSON.stringify(results))).toEqual(results);
  expect(readResults('{}')).toBeUndefined();
});

const GRID = { tasks: [{ name: 'a', prompt: 'Do it' }], models: [{ name: 'm', script: 's.json' }] };

test('a grid has defaults', () => {
  expect(readGrid(JSON.stringify(GRID), 'grid.json')).toMatchObject({
    runs: 1,
    permission: 'allow',
    atLeast: 1,
  });
});

test.each([
  ['{', 'grid.json is not JSON'],
  [JSON.stringify({ ...GRID, tasks: [] }), 'at tasks'],
  [JSON.stringify({ ...GRID, apiKey: 'x' }), 'apiKey'],
  [
    JSON.stringify({ ...GRID, models: [{ name: 'm', provider: 'openai', model: 'x', apiKey: 'k' }] }),
    'at models[0]',
  ],
  [JSON.stringify({ ...GRID, models: [GRID.models[0], GRID.models[0]] }), 'the name "m" stands there twice'],
  [
    JSON.stringify({ ...GRID, models: [GRID.models[0], { ...GRID.models[0], name: 'M!' }] }),
    'the name "M!" gives recordings the same names',
  ],
  [JSON.stringify({ ...GRID, tasks: [{ name: 'a', prompt: 'b', said: '(' }] }), 'not a regular expression'],
])('a grid that is wrong is refused: %s', (text, what) => {
  expect(() => readGrid(text, 'grid.json')).toThrow(what);
});
