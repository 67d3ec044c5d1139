import { start } from '../support/model-server/server.ts';
import { answer, calls, configure, dialog, openApp, openSettings, prompt, send } from './app.ts';
import { expect, test } from './test.ts';

const KEY = 'test-key-that-nobody-else-has';

const job = {
  version: 1,
  title: 'job',
  chunkDelayMs: 0,
  turns: [
    {
      steps: [
        {
          text: 'Writing it.',
          tools: [{ tool: 'write', input: { filePath: 'out.txt', content: 'made by a model\n' } }],
        },
        { text: 'It is written.' },
      ],
    },
  ],
};

for (const { provider, base } of [
  { provider: 'openai-compatible', base: '/v1' },
  { provider: 'openai', base: '/v1' },
  { provider: 'anthropic', base: '/v1' },
  { provider: 'google', base: '/v1beta' },
  { provider: 'openrouter', base: '/v1' },
]) {
  test(`${provider}: the main job over its own protocol`, async ({ page }) => {
    const server = await start({ script: job, key: KEY });
    await openApp(page);
    await configure(page, { provider, baseURL: server.url + base, apiKey: KEY, model: 'test-model' });
    await send(page, 'Write it');
    await expect(dialog(page)).toContainText('made by a model');
    await answer(page, 'Allow once');
    await expect(page.getByRole('article').last()).toContainText('It is written.');
    const file = await page.evaluate(() => window.vitrine.workspace.readFile('out.txt'));
    expect(file).toBe('made by a model\n');

    const everything = await page.evaluate(async () => {
      const { sessions } = window.vitrine;
      const [session] = await sessions.list();
      return JSON.stringify([await sessions.events(session!.id), await sessions.messages(session!.id)]);
    });
    expect(everything).not.toContain(KEY);
    for (const request of server.requests)
      expect(request.headers['user-agent'] ?? '').not.toContain('ai-sdk');
    await server.close();
  });
}

test('models of two servers of one protocol stand in one list, and each answers from its own server', async ({
  page,
}) => {
  const says = (text: string) => ({ version: 1, turns: [{ steps: [{ text }] }, { steps: [{ text }] }] });
  const first = await start({ script: says('From the first server.'), models: ['small-model'] });
  const second = await start({ script: says('From the second server.'), models: ['large-model'] });
  await page.goto('/');
  const use = async (url: string, model: string) => {
    await openSettings(page);
    await page.getByLabel('Provider').selectOption('openai-compatible');
    await page.getByLabel('Base URL').fill(`${url}/v1`);
    await page.getByRole('combobox', { name: 'Model' }).fill(model);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('radio', { name: model })).toBeChecked();
  };
  await use(first.url, 'small-model');
  await page.keyboard.press('Escape');
  await use(second.url, 'large-model');
  const listed = page.getByRole('list', { name: 'Your models' }).getByRole('listitem');
  await expect(listed).toHaveCount(2);
  await expect(listed.nth(1)).toContainText(new URL(first.url).host);
  await page.keyboard.press('Escape');
  await page.reload();

  const log = page.getByRole('log', { name: 'Conversation' });
  await send(page, 'Who are you?');
  await expect(log).toContainText('From the second server.');
  await page.getByRole('button', { name: /^Model/ }).click();
  await page.getByRole('menuitemradio', { name: 'small-model' }).click();
  await send(page, 'And you?');
  await expect(log).toContainText('From the first server.');

  await openSettings(page);
  await page.getByRole('radio', { name: 'small-model' }).check();
  await expect(page.getByLabel('Base URL')).toHaveValue(`${first.url}/v1`);
  await expect(listed.nth(1)).toContainText(new URL(second.url).host);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New session' }).click();
  await send(page, 'Hello');
  await expect(log).toContainText('From the first server.');
  await first.close();
  await second.close();
});

test('a model is added in settings, with its list fetched, and answers', async ({ page }) => {
  const server = await start({ script: job, key: KEY, models: ['small-model', 'large-model'] });
  await page.goto('/');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Provider').selectOption('openai-compatible');
  await page.getByLabel('Base URL').fill(`${server.url}/v1`);
  await page.getByLabel('API key').fill(KEY);
  await page.getByRole('combobox', { name: 'Model' }).fill('large-model');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.keyboard.press('Escape');
  await send(page, 'Write it');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('It is written.');
  expect(server.requests.some(({ path }) => path === '/v1/models')).toBe(true);
  await server.close();
});

test.describe('faults of a server are told apart, each with what to do', () => {
  const cases = [
    { name: 'a wrong key', options: { key: KEY }, apiKey: 'wrong-key-entirely', says: /key/i },
    { name: 'no CORS', options: { cors: false }, apiKey: KEY, says: /CORS|other origins|OLLAMA_ORIGINS/i },
    {
      name: 'a model that is not there',
      options: { faults: [{ request: 0, kind: 'status', status: 404, message: 'model not found' }] as const },
      apiKey: KEY,
      says: /model/i,
    },
  ];
  for (const { name, options, apiKey, says } of cases) {
    test(name, async ({ page }) => {
      const server = await start({ script: job, ...options });
      await openApp(page);
      await configure(page, {
        provider: 'openai-compatible',
        baseURL: `${server.url}/v1`,
        apiKey,
        model: 'm',
      });
      const { status } = await prompt(page, 'Write it');
      expect(status).toBe('error');
      await expect(page.getByRole('log', { name: 'Conversation' })).toContainText(says);
      await server.close();
    });
  }

  test('a server that is not running', async ({ page }) => {
    const server = await start({ script: job });
    const { url } = server;
    await server.close();
    await openApp(page);
    await configure(page, { provider: 'openai-compatible', baseURL: `${url}/v1`, apiKey: KEY, model: 'm' });
    expect((await prompt(page, 'Write it')).status).toBe('error');
    await expect(page.getByRole('log', { name: 'Conversation' })).toContainText(/nothing answers there/);
  });

  test('a stream cut in the middle of arguments runs nothing, keeps what came and ends with the reason', async ({
    page,
  }) => {
    const server = await start({
      script: job,
      faults: [0, 1, 2, 3, 4, 5].map(
        (request) => ({ request, kind: 'cut', in: 'arguments', how: 'end' }) as const,
      ),
    });
    await openApp(page);
    await configure(page, {
      provider: 'openai-compatible',
      baseURL: `${server.url}/v1`,
      apiKey: KEY,
      model: 'm',
    });
    await page.evaluate(() => window.vitrine.onPermission(() => 'once'));
    await send(page, 'Write it');
    await expect(calls(page, 'write').first()).toHaveAttribute('data-status', 'error');
    // It would be tried again and again; nobody waits for that here.
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
    expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual([]);
    await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Writing it.');
    await server.close();
  });
});
