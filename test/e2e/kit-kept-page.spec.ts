import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { inChromium, testCommand } from '../../scripts/kit-project.mjs';
import { KitProject, root, test } from './kit-project.ts';
import { expect } from './test.ts';

/** Tests of the kit use one page after the other where nobody can tell it from a new one. */

// One worker for the file: the tests share the project.
test.describe.configure({ mode: 'default' });

let kit: KitProject;
test.beforeAll(async ({ packedKit }) => {
  kit = await KitProject.make(packedKit);
  const file = 'kept-page.spec.ts';
  await copyFile(path.join(root, 'test/fixtures/kit', file), path.join(kit.folder, file));
});
test.afterAll(() => kit.remove());

test('a test has the page of the one before if nothing is left on it', async () => {
  const all = await kit.results('kept-page');
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter(({ ok }) => !ok)).toEqual([]);
});

test('each test on a kept page has a trace of its own', async () => {
  kit.browser = { ...inChromium(), trace: 'on' };
  const all = await kit.results('kept-page', '-g', 'what a page can hold|none of it');
  expect(all.map(({ ok }) => ok)).toEqual([true, true]);
  for (const { result } of all)
    expect(result?.attachments.filter(({ name }) => name === 'trace')).toHaveLength(1);
});

test('reports do not show how a page is opened and cleared', async () => {
  const reporter = 'export default class { onStepEnd(_test, _result, { title }) { console.log(title); } }';
  await writeFile(path.join(kit.folder, 'steps.mjs'), reporter);
  const command = testCommand(kit.folder, inChromium());
  const two = ['kept-page', '-g', 'what a page can hold|none of it'];
  const { stdout } = await kit.run(...command, '--reporter=./steps.mjs', ...two);
  expect(stdout).toContain('Fixture "agent"');
  expect(stdout).toContain('agent.prompt(');
  for (const own of ['Create page', 'Clear console messages', 'Mouse move'])
    expect(stdout).not.toContain(own);
});

test('a project can have a new page for each test', async () => {
  kit.browser = { ...inChromium(), vitrineKeepPage: false };
  const [, second] = await kit.results('kept-page', '-g', 'what a page can hold|none of it');
  // The first thing that the second test expects is to have the page of the first one.
  const message = stripVTControlCharacters(second?.result?.error?.message ?? '');
  expect(message).toContain('Expected: true\nReceived: false');
});
