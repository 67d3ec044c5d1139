import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import packages from '../fixtures/node/packages.json' with { type: 'json' };
import { nativeProject, printTree } from '../support/npm-registry/native-npm.ts';
import type { NpmRegistry } from '../support/npm-registry/server.ts';
import { npmrcOf, openWith, test } from './installing.ts';
import { expect } from './test.ts';

// These tests compare the files that `npm ci` of the workspace writes with those of native npm, by the same lockfile.

type Files = Readonly<Record<string, string>>;

const project = (manifest: object, files: Files = {}): Files => ({
  'package.json': JSON.stringify({ name: 'app', version: '1.0.0', ...manifest }, null, 2),
  ...files,
});
const using = (...names: string[]) => ({
  dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
});
const library = (name: string, manifest: object) => JSON.stringify({ name, version: '1.0.0', ...manifest });

const PROJECTS: Readonly<Record<string, Files>> = {
  'a-server': project(using('express', 'undici', 'dotenv')),
  'a-command': project(using('commander', 'chalk', 'yargs', 'execa', 'globby')),
  'a-linter': project({ devDependencies: { eslint: '*', prettier: '*' } }),
  'tests-with-mocha': project({ devDependencies: { mocha: '*' } }),
  'tests-with-Vitest': project({ devDependencies: { vitest: '*' } }),
  'a-page-with-Svelte': project({
    devDependencies: { vite: '*', svelte: '*', '@sveltejs/vite-plugin-svelte': '*' },
  }),
  types: project({ devDependencies: { typescript: '*', '@types/node': '*' } }),
  'packages-of-a-scope': project(using('@codemirror/lang-javascript', '@ai-sdk/openai', 'zod')),
  'a-package-under-another-name': project({ dependencies: { match: 'npm:minimatch@*', lodash: '*' } }),
  'an-override': project({ ...using('rimraf', 'glob'), overrides: { minimatch: 'npm:minimatch@*' } }),
  'optional-packages': project({
    ...using('chokidar'),
    optionalDependencies: { fsevents: '*', '@rolldown/binding-darwin-arm64': '*' },
  }),
  workspaces: project(
    { workspaces: ['packages/*'], devDependencies: { semver: '*' } },
    {
      'packages/one/package.json': library('one', { ...using('two', 'debug'), bin: 'one.js' }),
      'packages/one/one.js': '#!/usr/bin/env node\n',
      'packages/two/package.json': library('two', using('picocolors')),
    },
  ),
};

/** Packages whose files are replaced after an install, because they are native code; docs/projects.md lists them. */
const REPLACED = ['esbuild', 'lightningcss', 'rollup'];
const TREE = printTree(REPLACED);

/** Installs a project natively, then in the workspace by the lockfile that this wrote, and compares the files. */
async function installed({ page, exec, registry }: Opened, folder: string, files: Files): Promise<void> {
  const there = nativeProject(files, registry.url);
  const nativeOutput = await there.npm('install');
  const lock = await there.shell('cat package-lock.json');
  await write(page, folder, { ...files, 'package-lock.json': lock });
  const { output, exitCode } = await exec(`cd ${folder} && npm ci`);
  expect(exitCode, output).toBe(0);
  const tree = (await exec(`cd ${folder} && ${TREE}`)).output;
  const nativeTree = await there.shell(TREE);
  expect(tree.split('\n'), `${folder}, where native npm printed ${nativeOutput}`).toEqual(
    nativeTree.split('\n'),
  );
  expect((await exec(`cd ${folder} && cat package-lock.json`)).output, folder).toBe(lock);
  there.remove();
}

async function write(page: Page, folder: string, files: Files): Promise<void> {
  await page.evaluate(
    async ([top, given]) => {
      for (const [name, text] of Object.entries(given))
        await window.vitrine.workspace.writeFile(`${top}/${name}`, text);
    },
    [folder, files] as const,
  );
}

interface Opened {
  readonly page: Page;
  readonly registry: NpmRegistry;
  readonly exec: Awaited<ReturnType<typeof openWith>>;
}

async function opened(page: Page, registry: NpmRegistry): Promise<Opened> {
  const exec = await openWith(page, [registry.host], { '.npmrc': npmrcOf(registry) });
  await exec('mv .npmrc ~');
  return { page, registry, exec };
}

test('npm ci of twelve lockfiles writes what native npm writes, byte for byte', async ({
  page,
  registry,
}) => {
  test.setTimeout(600_000);
  const app = await opened(page, registry);
  expect(Object.keys(PROJECTS)).toHaveLength(12);
  for (const [folder, files] of Object.entries(PROJECTS)) await installed(app, folder, files);
});

// That these packages work, src/workspace/embedded/node.packages.browser.test.ts shows with the same files.
test('the packages that are met most are installed as native', async ({ page, registry }) => {
  test.setTimeout(600_000);
  const app = await opened(page, registry);
  const names = [...packages.libraries, ...packages.programs];
  expect(names.length).toBeGreaterThan(60);
  const versions = names.map((name) => [name, read(`../../node_modules/${name}/package.json`)] as const);
  const dependencies = Object.fromEntries(
    versions.map(([name, manifest]) => [name, (JSON.parse(manifest) as { version: string }).version]),
  );
  await installed(app, '.', project({ dependencies }));
});

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
