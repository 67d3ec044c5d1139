import type { Page } from '@playwright/test';
import { start } from '../support/model-server/server.ts';
import { axeFindings } from './accessible.ts';
import { configure, openApp, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const sent = (page: Page) => page.getByRole('list', { name: 'Files of this message' });

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Attaches a picture of 600 × 400 pixels, a text and a PDF. */
async function attach(page: Page): Promise<void> {
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(600, 400);
    const context = canvas.getContext('2d')!;
    context.fillStyle = 'teal';
    context.fillRect(0, 0, 600, 400);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  const picking = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Choose files' }).click();
  await (
    await picking
  ).setFiles([
    { name: 'shot.png', mimeType: 'image/png', buffer: Buffer.from(png) },
    { name: 'todo.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy milk.\n') },
    { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') },
  ]);
  await expect(composer(page)).toHaveValue(/shot\.png.*todo\.txt.*plan\.pdf/);
}

for (const width of [360, 1280])
  test(`what was sent with a message is seen there, and in a recording of it (${width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await openApp(page);
    await useScript(page, script({ text: 'A list.' }), 'allow');
    await page.evaluate(() => window.vitrine.sessions.create({}));
    await attach(page);
    await composer(page).press('End');
    await composer(page).pressSequentially('What is this?');
    await composer(page).press('Enter');
    await expect(page.getByRole('article').last()).toContainText('A list.');

    const picture = sent(page).getByRole('button', { name: 'Show shot.png large' });
    await expect(picture.getByRole('img', { name: 'shot.png' })).toBeVisible();
    await expect(sent(page)).toContainText('todo.txt 10 B');
    await expect(sent(page)).toContainText('plan.pdf 9 B');
    await picture.click();
    const large = page.getByRole('dialog', { name: 'shot.png' });
    await expect(large.getByRole('img', { name: 'shot.png' })).toBeVisible();
    expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(picture).toBeFocused();

    if (width < 760) return;
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Preview what others will see' }).click();
    await page.getByRole('slider', { name: 'Position' }).press('End');
    await expect(picture.getByRole('img', { name: 'shot.png' })).toBeVisible();
    expect(await axeFindings(page, { within: 'main' })).toEqual([]);
  });

test('where it is not known whether a model sees pictures that is said, and after its refusal they can be left out', async ({
  page,
}) => {
  const server = await start({
    script: { version: 1, turns: [{ steps: [{ text: 'Read.' }] }] },
    faults: [{ request: 0, kind: 'status', status: 400, message: 'This model does not support images.' }],
  });
  await openApp(page);
  await configure(page, { provider: 'openai-compatible', baseURL: `${server.url}/v1`, model: 'my-model' });
  await page.evaluate(() => window.vitrine.sessions.create({}));
  await attach(page);
  await composer(page).press('End');
  await composer(page).pressSequentially('What is this?');
  await expect(page.getByText('Vitrine does not know whether my-model can see pictures.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send without pictures' })).toBeVisible();
  expect(await axeFindings(page, { within: 'form' })).toEqual([]);
  await page.getByRole('button', { name: 'Send anyway' }).click();
  const fault = page.locator('[data-fault="no-pictures"]');
  await expect(fault).toContainText('cannot see pictures');
  await fault.getByRole('button', { name: 'Send without pictures' }).click();
  await expect(page.getByRole('article').last()).toContainText('Read.');
  const asked = JSON.stringify(server.requests.findLast(({ method }) => method === 'POST')?.body);
  expect(asked).not.toContain('image_url');
  expect(asked).toContain('Buy milk.');
  await server.close();
});

test('pictures that the agent has read are left out, too, once its model has refused them', async ({
  page,
}) => {
  const server = await start({
    script: {
      version: 1,
      turns: [
        {
          steps: [
            { tools: [{ tool: 'read', input: { filePath: 'attachments/shot.png' } }] },
            { text: 'Seen nothing.' },
          ],
        },
      ],
    },
    faults: [{ request: 1, kind: 'status', status: 400, message: 'This model does not support images.' }],
  });
  await openApp(page);
  await configure(page, { provider: 'openai-compatible', baseURL: `${server.url}/v1`, model: 'my-model' });
  await page.evaluate(() => window.vitrine.sessions.create({}));
  await attach(page);
  // The files stay in the workspace, where the agent finds them.
  for (const name of ['shot.png', 'todo.txt', 'plan.pdf'])
    await page.getByRole('button', { name: `Remove ${name} from the message` }).click();
  await composer(page).fill('Which pictures are there?');
  await composer(page).press('Enter');
  const fault = page.locator('[data-fault="no-pictures"]');
  await fault.getByRole('button', { name: 'Send without pictures' }).click();
  await expect(page.getByRole('article').last()).toContainText('Seen nothing.');
  const asked = JSON.stringify(server.requests.findLast(({ method }) => method === 'POST')?.body);
  expect(asked).not.toContain('image_url');
  expect(asked).toContain('A file was left out');
  await server.close();
});

test('a model that is known to see no pictures says so before anything is sent', async ({ page }) => {
  await openApp(page);
  await configure(page, { provider: 'openai', apiKey: 'sk-none', model: 'gpt-3.5-turbo' });
  await page.evaluate(() => window.vitrine.sessions.create({}));
  await attach(page);
  await expect(page.getByText('gpt-3.5-turbo cannot see pictures')).toBeVisible();
  await composer(page).press('End');
  await composer(page).press('Enter');
  await expect(page.getByText('Not sent yet.')).toBeVisible();
  expect(await axeFindings(page, { within: 'form' })).toEqual([]);
});
