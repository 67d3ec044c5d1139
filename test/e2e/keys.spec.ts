import type { Page } from '@playwright/test';
import { start } from '../support/model-server/server.ts';
import { answer, calls, openApp, send } from './app.ts';
import { expect, test } from './test.ts';

const KEY = 'sk-test-4f1c-only-for-this-test';

const job = {
  version: 1,
  title: 'job',
  chunkDelayMs: 0,
  turns: [
    {
      steps: [
        { tools: [{ tool: 'bash', input: { command: 'echo hi', description: 'Say hi' } }] },
        { text: 'Said.' },
      ],
    },
  ],
};

const field = (page: Page) => page.getByLabel('API key');

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByLabel('Provider')).toBeVisible();
}

async function choose(page: Page, baseURL: string, options: { remember?: boolean } = {}): Promise<void> {
  await openSettings(page);
  await page.getByLabel('Provider').selectOption('openai');
  await page.getByLabel('Base URL').fill(baseURL);
  await field(page).fill(KEY);
  await page.getByRole('combobox', { name: 'Model' }).fill('test-model');
  if (options.remember) await page.getByRole('checkbox', { name: /Remember the key/ }).check();
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeInViewport();
  await expect(save).toBeFocused();
}

/** Where the browser keeps the key for the page: `tab`, `device`. */
const places = (page: Page) =>
  page.evaluate((key) => {
    const holds = (storage: Storage) => Object.values(storage).some((value) => String(value).includes(key));
    return [holds(sessionStorage) && 'tab', holds(localStorage) && 'device'].filter(Boolean);
  }, KEY);

test('a key stays in its tab: it survives a reload, and no other tab has it', async ({ page, context }) => {
  const server = await start({ script: job, key: KEY });
  await page.goto('/');
  await choose(page, `${server.url}/v1`);
  expect(await places(page)).toEqual(['tab']);

  await page.reload();
  await openSettings(page);
  await expect(field(page)).toHaveAttribute('placeholder', 'Stored for this tab');
  await expect(field(page)).toHaveValue('');
  await page.keyboard.press('Escape');
  await send(page, 'Go');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Said.');
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);

  const other = await context.newPage();
  await other.goto('/');
  await openSettings(other);
  await expect(other.getByLabel('Provider')).toHaveValue('openai');
  await expect(field(other)).toHaveAttribute('placeholder', 'Paste the key');
  expect(await places(other)).toEqual([]);
  await server.close();
});

test('a remembered key is there in a new tab, and forgotten everywhere once it is to be', async ({
  page,
  context,
}) => {
  const server = await start({ script: job, key: KEY });
  await page.goto('/');
  await choose(page, `${server.url}/v1`, { remember: true });
  expect(await places(page)).toEqual(['device']);
  await page.close();

  const other = await context.newPage();
  await other.goto('/');
  await openSettings(other);
  await expect(field(other)).toHaveAttribute('placeholder', 'Stored on this device');
  await expect(other.getByText(/models? found/)).toBeVisible();
  await other.getByRole('button', { name: 'Forget the key' }).click();
  await expect(field(other)).toHaveAttribute('placeholder', 'Paste the key');
  await expect(other.getByRole('button', { name: 'Forget the key' })).toHaveCount(0);
  expect(await places(other)).toEqual([]);
  await other.reload();
  await openSettings(other);
  await expect(field(other)).toHaveAttribute('placeholder', 'Paste the key');
  await server.close();
});

test('where a key is kept can be changed without typing it again', async ({ page }) => {
  await page.goto('/');
  await choose(page, 'http://127.0.0.1:9/v1');
  const remember = page.getByRole('checkbox', { name: /Remember the key/ });
  const save = page.getByRole('button', { name: 'Save' });
  await remember.check();
  await save.click();
  await expect(field(page)).toHaveAttribute('placeholder', 'Stored on this device');
  expect(await places(page)).toEqual(['device']);
  await remember.uncheck();
  await save.click();
  await expect(field(page)).toHaveAttribute('placeholder', 'Stored for this tab');
  expect(await places(page)).toEqual(['tab']);
});

test('a key for one address is not taken for another', async ({ page }) => {
  const first = await start({ script: job, key: KEY });
  const second = await start({ script: job, key: KEY });
  await page.goto('/');
  await choose(page, `${first.url}/v1`);
  await page.getByLabel('Base URL').fill(`${second.url}/v1`);
  await page.getByLabel('Base URL').blur();
  await expect(field(page)).toHaveAttribute('placeholder', 'Paste the key');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(second.requests).toEqual([]);
  await first.close();
  await second.close();
});

test('a key stands in no event, database, cookie, log or text of the page', async ({ page }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const server = await start({ script: job, key: KEY });
  await openApp(page);
  await choose(page, `${server.url}/v1`, { remember: true });
  await page.keyboard.press('Escape');
  await send(page, `Go`);
  await answer(page, 'Always allow');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');
  await expect(page.getByRole('article').last()).toContainText('Said.');

  const everything = await page.evaluate(async () => {
    const { sessions } = window.vitrine;
    const [session] = await sessions.list();
    const databases = await Promise.all(
      (await indexedDB.databases()).map(async ({ name }) => ({ name, stores: await contentOf(name!) })),
    );
    return {
      events: await sessions.events(session!.id),
      messages: await sessions.messages(session!.id),
      databases,
      page: document.documentElement.outerHTML,
      fields: [...document.querySelectorAll('input')].map(({ value }) => value),
      cookies: document.cookie,
      address: location.href,
      history: history.state as unknown,
    };

    async function contentOf(name: string) {
      const database = await settled(indexedDB.open(name));
      const stores: Record<string, unknown[]> = {};
      for (const store of database.objectStoreNames)
        stores[store] = (await settled(database.transaction(store).objectStore(store).getAll())).map(
          readable,
        );
      database.close();
      return stores;
    }

    /** Bytes as text, at any depth. */
    function readable(value: unknown): unknown {
      if (value instanceof Uint8Array) return new TextDecoder().decode(value);
      if (value instanceof ArrayBuffer) return new TextDecoder().decode(value);
      if (Array.isArray(value)) return value.map(readable);
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readable(each)]));
      return value;
    }

    function settled<T>(request: IDBRequest<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error!);
      });
    }
  });
  // The dump does see what is stored.
  expect(JSON.stringify(everything.databases)).toContain('echo hi');
  expect(JSON.stringify(everything)).not.toContain(KEY);
  expect(said.join('\n')).not.toContain(KEY);
  await server.close();
});

test('the usual local servers are one click away, each with its address', async ({ page }) => {
  await page.goto('/');
  await openSettings(page);
  await page.getByLabel('Provider').selectOption('openai-compatible');
  const address = page.getByLabel('Base URL');
  await expect(address).toHaveValue('http://localhost:11434/v1');
  for (const [name, url] of [
    ['LM Studio', 'http://localhost:1234/v1'],
    ['vLLM', 'http://localhost:8000/v1'],
    ['Ollama', 'http://localhost:11434/v1'],
  ] as const) {
    await page.getByRole('button', { name }).click();
    await expect(address).toHaveValue(url);
    await expect(page.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true');
  }
  await page.getByLabel('Provider').selectOption('openrouter');
  await expect(page.getByRole('button', { name: 'LM Studio' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Get a key' })).toHaveAttribute(
    'href',
    'https://openrouter.ai/settings/keys',
  );
});

test('the address of a server is still there after a look at another provider', async ({ page }) => {
  await page.goto('/');
  await choose(page, 'http://127.0.0.1:9/v1');
  await page.getByLabel('Provider').selectOption('anthropic');
  await expect(page.getByLabel('Base URL')).toHaveValue('');
  await page.getByLabel('Provider').selectOption('openai');
  await expect(page.getByLabel('Base URL')).toHaveValue('http://127.0.0.1:9/v1');
  await expect(field(page)).toHaveAttribute('placeholder', 'Stored for this tab');
});
