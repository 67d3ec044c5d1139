import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readGrid } from './grid.ts';
import { preparedModels, requireFolders, requireInstructions } from './prepare.ts';
import { runGrid } from './run-grid.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-grid-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const grid = (models: readonly object[], task: object = {}) =>
  JSON.stringify({ tasks: [{ name: 'a task', prompt: 'Go', ...task }], models });

test('what is missing is told before the first run, and no result is written', async () => {
  const file = path.join(folder, 'grid.json');
  vi.stubEnv('KIT_TEST_KEY', '');
  const models = [
    { name: 'gone', script: 'gone.json' },
    { name: 'keyless', provider: 'openai', model: 'm', keyFrom: 'KIT_TEST_KEY' },
    { name: 'misspelt', provider: 'opnai', model: 'm' },
    { name: 'unnamed', provider: 'openai', model: 'm' },
  ];
  await writeFile(file, grid(models));
  const said: string[] = [];
  const run = runGrid({ grid: file, out: path.join(folder, 'out'), workers: 1 }, (line) => said.push(line));
  await expect(run).rejects.toThrow(
    /no file .*gone\.json\.\n.*KIT_TEST_KEY for keyless is not set\.\nThere is no provider "opnai" .*openrouter.*\nOpenAI needs a key, .*"keyFrom" of the model "unnamed"/,
  );
  expect(said).toEqual([]);
});

test('rules and configurations that cannot be meant are refused', () => {
  const models = [{ name: 'a', script: 'a.json', config: { permision: 'allow' } }];
  const text = JSON.stringify({ ...JSON.parse(grid(models)), permission: { bahs: 'allow' } });
  expect(() => readGrid(text, 'grid.json')).toThrow(
    /grid\.json is no grid:\npermission has "bahs".*\nmodels\[0\]\.config has "permision"/,
  );
});

test('a script that is none is named with what is wrong', async () => {
  await writeFile(path.join(folder, 'bad.json'), '{"version":1,"turns":[]}');
  const read = readGrid(grid([{ name: 'bad', script: 'bad.json' }]), 'grid.json');
  await expect(preparedModels(read, path.join(folder, 'grid.json'))).rejects.toThrow(
    /bad\.json: The script is not valid: turns/,
  );
});

test('instructions that no task has are named', async () => {
  const file = path.join(folder, 'grid.json');
  const read = (instructions: readonly string[], task: object) =>
    readGrid(grid([{ name: 'planner', script: 'a.json', config: { instructions } }], task), 'grid.json');
  const plan = ['PLAN.md'];
  await expect(requireInstructions(read(plan, {}), file)).rejects.toThrow(
    'The instructions of the model "planner" name PLAN.md, which no task has among its files.',
  );
  await writeFile(path.join(folder, 'PLAN.md'), 'Plan.');
  await requireInstructions(read(plan, { folder: '.' }), file);
  await requireInstructions(read(plan, { files: { 'PLAN.md': 'Plan.' } }), file);
  await requireInstructions(read(['docs/*.md', 'https://a.example/b.md', '~/a.md'], {}), file);
});

test('a recording answers as its model did', async () => {
  const recording = path.resolve('public/examples/demo.vitrine.json');
  const read = readGrid(grid([{ name: 'recorded', script: recording }]), 'grid.json');
  const [model] = await preparedModels(read, 'grid.json');
  expect(JSON.stringify(model)).toContain('"tool":"edit"');
});

test('keys and scripts are found beside the grid', async () => {
  vi.stubEnv('KIT_TEST_KEY', 'secret');
  const script = { version: 1, title: 'ok', chunkDelayMs: 0, turns: [{ steps: [{ text: 'Hi' }] }] };
  await writeFile(path.join(folder, 'ok.json'), JSON.stringify(script));
  const models = [
    { name: 'a', script: 'ok.json', config: { instructions: ['A.md'] } },
    { name: 'b', provider: 'openai', model: 'm', keyFrom: 'KIT_TEST_KEY' },
  ];
  const read = readGrid(grid(models), 'grid.json');
  expect(await preparedModels(read, path.join(folder, 'grid.json'))).toEqual([
    { kind: 'script', name: 'a', config: { instructions: ['A.md'] }, script },
    { kind: 'provider', name: 'b', settings: { provider: 'openai', model: 'm', apiKey: 'secret' } },
  ]);
});

test("a task's folder must be there", async () => {
  const read = readGrid(grid([{ name: 'a', script: 'a.json' }], { folder: 'none' }), 'grid.json');
  await expect(requireFolders(read, path.join(folder, 'grid.json'))).rejects.toThrow(
    /no folder .*none for a task/,
  );
});
