import { nativeProject, printTree } from '../support/npm-registry/native-npm.ts';
import { checkEverywhere } from './accessible-states.ts';
import { npmrcOf, openWith, test } from './installing.ts';
import { expect } from './test.ts';

// npm itself, in the built app, from a registry on loopback.

const MANIFEST = '{ "name": "app", "version": "1.0.0" }\n';
const TREE = printTree();

test('express is installed as npm installs it anywhere, serves, and is removed again', async ({
  page,
  registry,
}) => {
  const server = `const app = require('express')();
app.get('/', (_, response) => response.send('served'));
const server = app.listen(3000, async () => {
  console.log(await (await fetch('http://localhost:3000/')).text());
  server.close();
});`;
  const files = { 'package.json': MANIFEST, '.npmrc': npmrcOf(registry), 'server.js': server };
  const exec = await openWith(page, [registry.host], files);
  const installed = await exec('npm install express');
  expect(installed.output).toMatch(/^Fetching npm 11\.\S+ \([\d.]+ MB\)…\n/);
  expect(installed.output).toMatch(/added \d+ packages in/);
  expect(installed.exitCode).toBe(0);
  const there = nativeProject({ 'package.json': MANIFEST }, registry.url);
  await there.npm('install', 'express');
  expect((await exec('cat package-lock.json')).output).toBe(await there.shell('cat package-lock.json'));
  const tree = await there.shell(TREE);
  there.remove();
  expect((await exec(TREE)).output).toBe(tree);
  expect(await exec('node server.js')).toMatchObject({ output: 'served\n', exitCode: 0 });
  // Stopped in the middle, and done again: the tree is whole.
  await exec('npm ci', 1500);
  expect(await exec('npm ci')).toMatchObject({ exitCode: 0 });
  expect((await exec(TREE)).output).toBe(tree);
  expect((await exec('npm ls')).output).toMatch(/^app@1\.0\.0 \/home\/project\n└── express@/);
  expect((await exec('npm view ms version')).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await exec('npx semver 1.2.3')).output).toContain('1.2.3');
  expect((await exec('npm uninstall express && npm ls')).output).toContain('(empty)');
  expect(registry.asked.filter((each) => each.startsWith('OPTIONS'))).toEqual([]);
});

test('what cannot be installed says why', async ({ page, registry }) => {
  const exec = await openWith(page, [registry.host, '127.0.0.1:9'], {
    'package.json': MANIFEST,
    '.npmrc': npmrcOf(registry),
  });
  const missing = await exec('npm install no-such-package-here');
  expect(missing.output).toContain('npm error code E404');
  expect(missing.exitCode).toBe(1);
  const gone = await exec('npm install --registry http://127.0.0.1:9/ ms');
  expect(gone.output).toContain('ECONNREFUSED');
  const elsewhere = await exec('npm install --registry http://example.com/ ms');
  expect(elsewhere.output).toContain('example.com is not among the hosts that programs may reach');
  expect((await exec('ls')).output).toBe('package.json\n');
  // npm itself would end here without telling the error.
  const throwing = `process.on('newListener', (name) => {
    if (name === 'unhandledRejection') setTimeout(() => { throw new Error('not expected'); });
  });`;
  await exec(`printf %s '${throwing.replaceAll("'", '"')}' > ~/throws.cjs`);
  const ended = await exec('NODE_OPTIONS="--require $HOME/throws.cjs" npm install ms');
  expect(ended.output).toContain('npm error Error: not expected\n    at ');
  expect(ended.exitCode).toBe(1);
});

test('npm asks for its registry once; a refusal says what to do', async ({ page, registry }) => {
  await page.route('https://registry.npmjs.org/**', async (route) => {
    const answer = await fetch(route.request().url().replace('https://registry.npmjs.org/', registry.url));
    const body = Buffer.from(await answer.arrayBuffer());
    const json = answer.headers.get('content-type') === 'application/json';
    await route.fulfill({
      status: answer.status,
      headers: { 'access-control-allow-origin': '*' },
      body: json ? body.toString().replaceAll(registry.url, 'https://registry.npmjs.org/') : body,
    });
  });
  const exec = await openWith(page, [], { 'package.json': MANIFEST });
  const notice = page.getByRole('group', {
    name: 'A program wants to fetch packages from registry.npmjs.org.',
  });
  const denied = exec('npm install ms');
  await expect(notice).toBeVisible();
  await checkEverywhere(page, 'a program asks for a host');
  await notice.getByRole('button', { name: 'Deny' }).click();
  expect((await denied).output).toContain('The user can add it under Settings, Tools and servers');
  await page.reload();
  const again = await openWith(page, [], { 'package.json': MANIFEST });
  const allowed = again('npm install ms');
  await notice.getByRole('button', { name: 'Allow' }).click();
  expect((await allowed).output).toContain('added 1 package');
  await expect(notice).toBeHidden();
});
