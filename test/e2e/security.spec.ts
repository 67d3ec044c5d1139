import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Page } from '@playwright/test';
import { headersFor } from '../../scripts/headers.mjs';
import { answer, calls, dialog, openApp } from './app.ts';
import { expect, test } from './test.ts';

/** Everything a page does that it should not: what it asks of others, and what it complains of. */
function watch(page: Page): { readonly origins: Set<string>; readonly complaints: string[] } {
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol)) origins.add(origin);
  });
  page.on('console', (message) => {
    // What Chromium says on a machine without a graphics card, where the settings look for one.
    if (message.text() === 'No available adapters.') return;
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { origins, complaints };
}

/** The demo, every tab of the workbench, the settings and a reload. */
async function everything(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  for (const asked of ['node --test', "cents.padEnd(2, '0')", 'node --test']) {
    // A development server makes each module when it is first asked for.
    await expect(dialog(page)).toContainText(asked, { timeout: 60_000 });
    await answer(page, 'Allow once');
    await expect(dialog(page).filter({ hasText: asked })).toHaveCount(0);
  }
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('28.40');
  await page.getByRole('treeitem', { name: 'totals.js' }).click();
  const text = page.getByRole('textbox', { name: 'Text of totals.js' });
  await text.click();
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('textbox', { name: 'Find' }).fill('cents');
  await page.keyboard.press('Enter');
  await expect(text.locator('.cm-searchMatch').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Terminal' }).click();
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeAttached();
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await page.getByRole('treeitem', { name: /edit/ }).click();
  await expect(page.getByRole('button', { name: /JSON/ })).toBeVisible();
  await page.getByRole('listitem').first().hover();
  await page.getByRole('listitem').getByRole('button', { name: 'Actions' }).first().click();
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('28.40');
  await expect(calls(page, 'edit')).toHaveAttribute('data-outcome', 'ok');
}

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a whole run talks to nobody else and breaks no policy', async ({ page, baseURL }) => {
    const { origins, complaints } = watch(page);
    await everything(page, '/');
    expect([...origins]).toEqual([baseURL]);
    expect(complaints).toEqual([]);
  });
});

test('so does the development server’s page, which has the same headers', async ({ page }) => {
  const server = spawn('npx', ['--no-install', 'vite', '--port', '0', '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
    detached: true,
  });
  try {
    let said = '';
    let address: string | undefined;
    while (!address) {
      const [chunk] = (await once(server.stdout, 'data')) as [Buffer];
      address = /http:\/\/\S+/.exec((said += String(chunk)))?.[0];
    }
    const answered = await page.request.get(address);
    for (const [name, value] of Object.entries(headersFor('/')))
      expect(answered.headers()[name.toLowerCase()], name).toBe(value);
    const { origins, complaints } = watch(page);
    await everything(page, address);
    expect([...origins]).toEqual([new URL(address).origin]);
    expect(complaints).toEqual([]);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  } finally {
    // A page whose development server is gone looks for it in a worker of Vite's, which the policy refuses.
    await page.goto('about:blank');
    process.kill(-server.pid!);
  }
});

test('whatever is answered carries the headers: pages, files, what has not changed and what is not there', async ({
  request,
}) => {
  const page = await request.get('/');
  const etag = page.headers()['etag']!;
  const file = /assets\/[\w.-]+\.js/.exec(await page.text())![0];
  const answers = [
    { answer: page, status: 200 },
    { answer: await request.get(`/${file}`), status: 200 },
    { answer: await request.get('/sandbox.html'), status: 200 },
    { answer: await request.get('/', { headers: { 'if-none-match': etag } }), status: 304 },
    { answer: await request.get('/nothing'), status: 404 },
  ];
  for (const { answer: each, status } of answers) {
    expect(each.status(), each.url()).toBe(status);
    for (const [name, value] of Object.entries(headersFor(each.url())))
      expect(each.headers()[name.toLowerCase()], `${name} of ${each.url()}`).toBe(value);
  }
});

test('the app’s own workers reach no host and make no code of text', async ({ page, complaints }) => {
  complaints.expect(/Content Security Policy/);
  await page.goto('/');
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  await expect(dialog(page)).toBeVisible();
  // The editor has no parser for the shell, so that the page's own highlighter colours it, in a worker.
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('textbox', { name: 'New file in project' }).fill('a.sh');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Text of a.sh' }).fill('# a comment');
  await expect(page.locator('.hl-comment').first()).toBeVisible();
  const ofTheApp = () => page.workers().filter((worker) => worker.url().includes('/assets/'));
  await expect.poll(() => ofTheApp().length).toBeGreaterThan(1);
  for (const worker of ofTheApp()) {
    const refused = await worker.evaluate(async () => {
      const asked = await fetch('/').then(
        () => 'answered',
        () => 'refused',
      );
      // In a task of its own: what a debugger evaluates may make code of text.
      const made = await new Promise((resolve) =>
        setTimeout(() => {
          try {
            resolve(new Function('return "ran"')());
          } catch (error) {
            resolve((error as Error).name);
          }
        }),
      );
      return { asked, made };
    });
    expect(refused, worker.url()).toEqual({ asked: 'refused', made: 'EvalError' });
  }
});

test('the page refuses text where only trusted values may go, code as text, and policies that are not its own', async ({
  page,
  complaints,
}) => {
  complaints.expect(/requires 'Trusted(HTML|ScriptURL)' assignment/, /Creating a TrustedTypePolicy/);
  await openApp(page);
  const outcomes = await page.evaluate(() => {
    const attempts: Record<string, () => unknown> = {
      innerHTML: () => (document.createElement('div').innerHTML = '<b>x</b>'),
      insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
      srcdoc: () => (document.createElement('iframe').srcdoc = '<b>x</b>'),
      script: () => (document.createElement('script').src = '/x.js'),
      worker: () => new Worker('/x.js'),
      parse: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
      'another policy': () => window.trustedTypes?.createPolicy('mine', { createHTML: (text) => text }),
      'the worker policy again': () => window.trustedTypes?.createPolicy('vitrine-worker', {}),
    };
    return Object.entries(attempts).map(([name, attempt]) => {
      try {
        attempt();
        return `${name}: went through`;
      } catch (error) {
        return `${name}: ${(error as Error).name}`;
      }
    });
  });
  expect(outcomes).toEqual([
    'innerHTML: TypeError',
    'insertAdjacentHTML: TypeError',
    'srcdoc: TypeError',
    'script: TypeError',
    'worker: TypeError',
    'parse: TypeError',
    'another policy: TypeError',
    'the worker policy again: TypeError',
  ]);
});
