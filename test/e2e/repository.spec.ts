import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { gitHubFake, type GitHubFake } from '../support/github-api/server.ts';
import { calls, openApp, openSettings, script, useScript } from './app.ts';
import { expect, expectPolicyCheck, test } from './test.ts';

let base: string;
let fake: GitHubFake;

const native = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trimEnd();

test.beforeEach(async ({ complaints }) => {
  expectPolicyCheck(complaints);
  base = mkdtempSync(path.join(tmpdir(), 'vitrine-repository-'));
  const [bare, tree] = [path.join(base, 'tool.git'), path.join(base, 'tree')];
  native(base, 'init', '-q', '--bare', '-b', 'main', bare);
  native(base, 'init', '-q', '-b', 'main', tree);
  writeFileSync(path.join(tree, 'add.js'), 'export const add = (a, b) => a - b;\n');
  native(tree, 'add', '.');
  native(tree, 'commit', '-q', '-m', 'A tool that adds');
  native(tree, 'push', '-q', bare, 'HEAD:main');
  fake = await gitHubFake(bare);
});

test.afterEach(async () => {
  await fake.close();
  rmSync(base, { recursive: true });
});

/** Answers requests to GitHub from the fake. */
async function reachFake(page: Page): Promise<void> {
  for (const [host, place] of [
    ['https://api.github.com/', 'api/'],
    ['https://raw.githubusercontent.com/', 'raw/'],
  ] as const)
    await page.route(`${host}**`, async (route) => {
      const request = route.request();
      const body = request.postDataBuffer();
      const answer = await fetch(request.url().replace(host, `${fake.url}/${place}`), {
        method: request.method(),
        headers: request.headers(),
        ...(body && { body: new Uint8Array(body) }),
      });
      await route.fulfill({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      });
    });
}

test('a link offers a repository, the agent works on it, and its branch is pushed', async ({ page }) => {
  await reachFake(page);
  await openApp(page, `/?automation=1&repo=ada/tool&prompt=${encodeURIComponent('Fix add.')}`);
  const bash = (command: string) => ({ tool: 'bash', input: { command, description: 'Work' } });
  await useScript(
    page,
    script(
      { tools: [bash("git switch -c fix && sed -i 's/a - b/a + b/' add.js && git diff --stat")] },
      {
        tools: [
          bash(
            'git -c user.name=Agent -c user.email=agent@example.com commit -qam "Add adds" && git push -u origin fix',
          ),
        ],
      },
      { text: 'Pushed.' },
    ),
    { bash: 'allow' },
  );
  const offer = page.getByRole('dialog', { name: 'Open a repository' });
  await expect(offer.getByRole('textbox', { name: 'Repository' })).toHaveValue('ada/tool');
  await expect(offer).toContainText('Fix add.');
  // Nothing is asked before the click.
  expect(fake.asked).toEqual([]);
  fake.knobs.remaining = 2;
  await offer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(offer.getByRole('alert')).toContainText('GitHub takes no more requests until');
  fake.knobs.remaining = Infinity;
  await offer.getByRole('button', { name: 'Try again' }).click();
  await expect(offer).toBeHidden();
  await expect(page.getByRole('treeitem', { name: 'add.js' })).toBeVisible();
  const message = page.getByRole('textbox', { name: 'Message' });
  await expect(message).toHaveValue('Fix add.');

  await openSettings(page, 'Tools and servers');
  await page.getByLabel('GitHub token', { exact: true }).fill(fake.knobs.token);
  await page.getByRole('button', { name: 'Use the GitHub token' }).click();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const question = page.getByRole('group', {
    name: 'git wants to use your GitHub token to change ada/tool.',
  });
  await question.getByRole('button', { name: 'Allow' }).click();
  await expect(calls(page, 'bash').last()).toContainText("branch 'fix' set up to track 'origin/fix'");
  await expect(page.getByRole('article').last()).toContainText('Pushed.');
  expect(native(fake.folder, 'show', 'fix:add.js')).toBe('export const add = (a, b) => a + b;');
  expect(native(fake.folder, 'log', '--format=%an %s', 'fix')).toBe('Agent Add adds\nAda A tool that adds');
  expect(native(fake.folder, 'fsck', '--strict')).toBe('');

  // The push offers a pull request, which nothing makes but the person.
  const card = calls(page, 'bash').last();
  await card.getByRole('button', { name: 'Create a pull request' }).click();
  const form = card.getByRole('form', { name: 'From fix in ada/tool.' });
  const title = form.getByRole('textbox', { name: 'Title of the pull request' });
  await expect(title).toHaveValue('Add adds');
  expect(fake.pulls).toEqual([]);
  await title.fill('It\'s "add" that adds; $(id)');
  await form.getByRole('textbox', { name: 'Description' }).fill('Two lines.\n\n- `a + b`');
  await form.getByRole('textbox', { name: 'Into the branch' }).fill('nowhere');
  await form.getByRole('checkbox', { name: 'As a draft' }).check();
  await form.getByRole('button', { name: 'Create it' }).click();
  await expect(form.getByRole('alert')).toContainText('base invalid');
  await form.getByRole('textbox', { name: 'Into the branch' }).fill('');
  await form.getByRole('button', { name: 'Create it' }).click();
  const made = form.getByRole('link', { name: 'https://github.com/ada/tool/pull/1' });
  await expect(made).toHaveAttribute('href', 'https://github.com/ada/tool/pull/1');
  expect(fake.pulls).toEqual([
    {
      ...{ title: 'It\'s "add" that adds; $(id)', body: 'Two lines.\n\n- `a + b`' },
      ...{ head: 'fix', base: 'main', draft: true },
    },
  ]);
  // Who asks again is led to the one that is there.
  await card.getByRole('button', { name: 'Create a pull request' }).click();
  await expect(form).toBeHidden();
  await card.getByRole('button', { name: 'Create a pull request' }).click();
  await expect(made).toBeVisible();
  await expect(title).toBeHidden();
});
