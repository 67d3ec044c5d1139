import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { startFiles } from '../support/embedding.ts';
import { axeFindings } from './accessible.ts';
import { openApp, prompt, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const KEY = 'sk-abcdefghijklmnopqrstuvwxyz';
const given = {
  ...script(
    { tools: [{ tool: 'read', input: { filePath: 'notes.txt' } }] },
    {
      text: `The key is ${KEY}.`,
      tools: [{ tool: 'write', input: { filePath: 'made.txt', content: 'made\n' } }],
    },
    { text: 'Both are done.' },
  ),
  files: { 'notes.txt': 'only in this file\n', 'other.txt': 'a file that nobody read\n' },
};
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Share' });
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

async function shared(page: Page): Promise<void> {
  await openApp(page);
  await useScript(page, given, 'allow');
  await prompt(page, 'Read and write');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(sheet(page)).toContainText('characters');
}

/** The text of the recording in a link. */
function textIn(page: Page, link: string): Promise<string> {
  return page.evaluate(
    async (packed) => {
      const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
        char.charCodeAt(0),
      );
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
      return new Response(stream).text();
    },
    link.slice(link.indexOf('#recording=') + '#recording='.length),
  );
}

test('the person sees what goes along, leaves files out, and the link holds neither them nor a key', async ({
  page,
}) => {
  await shared(page);
  await expect(sheet(page)).toContainText('4 messages and 2 tool calls with arguments and results');
  await expect(sheet(page)).toContainText('Keys and tokens were taken out');
  await expect(sheet(page)).toContainText('too long for common messengers');
  expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([]);

  await sheet(page).getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect(page.getByText('The link was copied.')).toBeVisible();
  const whole = await textIn(page, await clipboard(page));
  expect(whole).toContain('a file that nobody read');
  expect(whole).not.toContain(KEY);

  await sheet(page)
    .getByRole('checkbox', { name: /^Files: 3/ })
    .uncheck();
  await expect(sheet(page)).toContainText('What the agent read or wrote still stands in its calls.');
  await expect(sheet(page)).toContainText('characters');
  await sheet(page).getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect.poll(async () => textIn(page, await clipboard(page))).not.toContain('nobody read');
  expect(await textIn(page, await clipboard(page))).toContain('only in this file');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sheet(page)
      .getByRole('button', { name: /^Save the file/ })
      .click(),
  ]);
  const saved = readFileSync(await download.path(), 'utf8');
  expect(saved).not.toContain(KEY);
  expect(saved).not.toContain('a file that nobody read');
});

test('what fits in no link is shared as a file, and fits again without its files', async ({ page }) => {
  // Digests cannot be compressed.
  const lines = Array.from({ length: 30_000 }, (_, n) =>
    createHash('sha256').update(String(n)).digest('base64'),
  );
  await openApp(page);
  await useScript(page, { ...given, files: { ...given.files, 'large.txt': lines.join('\n') } }, 'allow');
  await prompt(page, 'Read and write');
  await page.getByRole('button', { name: 'Share' }).click();
  const tooLong = sheet(page).getByText('Too long for a link. Leave out more above, or share the file.');
  const copy = sheet(page).getByRole('button', { name: 'Copy link', exact: true });
  await expect(tooLong).toBeVisible();
  await expect(copy).toHaveCount(0);
  await expect(sheet(page).getByRole('button', { name: 'Copy embed code', exact: true })).toHaveCount(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sheet(page)
      .getByRole('button', { name: /^Save the file/ })
      .click(),
  ]);
  const stranger = await page.context().newPage();
  await openApp(stranger);
  await stranger.getByRole('button', { name: 'Workspace options' }).click();
  const [chooser] = await Promise.all([
    stranger.waitForEvent('filechooser'),
    stranger.getByRole('menuitem', { name: 'Open recording' }).click(),
  ]);
  await chooser.setFiles(await download.path());
  await expect(stranger.getByRole('heading', { name: 'Read and write', level: 2 })).toBeVisible();
  await stranger.close();

  await sheet(page)
    .getByRole('checkbox', { name: /^Files: / })
    .uncheck();
  await copy.click();
  await expect.poll(() => clipboard(page)).toContain('#recording=');
  await expect(tooLong).toHaveCount(0);
});

test('files that a link or a file has no room for are named to both sides, and going on says so', async ({
  page,
  browser,
}) => {
  const command = (name: string, bytes: number) => ({
    tools: [
      { tool: 'bash', input: { command: `head -c ${bytes} /dev/urandom > ${name}`, description: name } },
    ],
  });
  await openApp(page);
  const made = script(command('photo.bin', 1_500_000), command('film.bin', 19_000_000), { text: 'Made.' });
  await useScript(page, { ...made, files: { 'notes.txt': 'small\n' } }, 'allow');
  await prompt(page, 'Make them');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(sheet(page)).toContainText('There is no room in the file for 1 file: film.bin (19.0 MB).');
  await expect(sheet(page)).toContainText(
    'There is no room in the link for 2 files: film.bin (19.0 MB), photo.bin (1.5 MB).',
  );
  await sheet(page).getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect(sheet(page).getByText('The link was copied.')).toBeVisible();

  const stranger = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const visit = await stranger.newPage();
  await visit.goto(await clipboard(page));
  const about = visit.getByRole('region', { name: 'About this recording' });
  await expect(about).toContainText('2 files: film.bin (19.0 MB), photo.bin (1.5 MB)');
  const goOn = visit.getByRole('button', { name: 'Go on with your own model' });
  await expect(goOn).toHaveAccessibleDescription(/you go on with the newest ones that are/);
  expect(await axeFindings(visit)).toEqual([]);
  await stranger.close();
});

test('an address where the file was put becomes a link, and what is no address does not', async ({
  page,
}) => {
  await shared(page);
  const field = sheet(page).getByRole('textbox', { name: 'Address of the file' });
  await field.fill('javascript:alert(1)');
  await expect(sheet(page)).toContainText('Write the whole address, beginning with https://.');
  await expect(sheet(page).getByRole('button', { name: 'Copy link to this address' })).toBeDisabled();
  await field.fill('https://example.org/fix.vitrine.json');
  await field.press('Enter');
  await expect(page.getByText('The link was copied.')).toBeVisible();
  expect(await clipboard(page)).toMatch(/\/\?recording=https%3A%2F%2Fexample\.org%2Ffix\.vitrine\.json$/);
  await sheet(page).getByRole('button', { name: 'Copy embed code for this address' }).click();
  await expect.poll(() => clipboard(page)).toContain('src="https://example.org/fix.vitrine.json"');
});

for (const [name, viewport] of [
  ['a phone', { width: 360, height: 740 }],
  ['a computer', { width: 1280, height: 800 }],
] as const)
  test(`a stranger on ${name} sees what the link is, plays it and goes on from its end`, async ({
    page,
    browser,
  }) => {
    await shared(page);
    await sheet(page).getByRole('button', { name: 'Copy link', exact: true }).click();
    await expect(page.getByText('The link was copied.')).toBeVisible();
    const link = await clipboard(page);

    const stranger = await browser.newContext({ viewport });
    const visit = await stranger.newPage();
    await visit.goto(link);
    const about = visit.getByRole('region', { name: 'About this recording' });
    await expect(about.getByRole('heading', { name: 'Read and write' })).toBeVisible();
    await expect(about).toContainText('A recorded session of an AI agent');
    await expect(about).toContainText(/3 steps · 2 tool calls · 0:0/);
    await expect(log(visit)).not.toContainText('Both are done.');
    expect(await axeFindings(visit)).toEqual([]);
    await visit.getByRole('button', { name: 'Play' }).click();
    await expect(about).toHaveCount(0);
    await expect(log(visit)).toContainText('Both are done.');
    const unfold = visit.getByRole('button', { name: 'More about this recording' });
    await expect(unfold.or(about)).toBeVisible();
    if (await unfold.isVisible()) await unfold.click();
    await visit.getByRole('button', { name: 'Go on with your own model' }).click();
    await expect(visit.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await expect(log(visit)).toContainText('Both are done.');
    await stranger.close();
  });

test('the code that is copied plays the recording in another page', async ({ page }) => {
  await shared(page);
  await sheet(page).getByRole('button', { name: 'Copy embed code', exact: true }).click();
  await expect(page.getByText('The code was copied.')).toBeVisible();
  const site = await startFiles({
    '/': { body: `<!doctype html><html lang="en"><title>Blog</title>${await clipboard(page)}</html>` },
  });
  await page.goto(site.url);
  const frame = page.frameLocator('vitrine-player iframe');
  await expect(frame.getByRole('heading', { name: 'Read and write' })).toBeVisible();
  await frame.getByRole('slider', { name: 'Position' }).press('ArrowRight');
  await frame.getByRole('slider', { name: 'Position' }).press('Space');
  await expect(frame.getByRole('log', { name: 'Conversation' })).toContainText('Both are done.');
  await expect(frame.getByRole('log', { name: 'Conversation' })).toContainText('The key is [secret].');
  await site.close();
});

test('what others will see can be looked at first, and a recording and a lesson are shared too', async ({
  page,
}) => {
  await shared(page);
  await sheet(page)
    .getByRole('checkbox', { name: /^Files: 3/ })
    .uncheck();
  const preview = sheet(page).getByRole('button', { name: 'Preview what others will see' });
  await preview.click();
  await expect(sheet(page)).toHaveCount(0);
  const bar = page.getByRole('group', { name: 'Recording', exact: true });
  await expect(bar.getByRole('note')).toContainText('This is a preview of what others will see.');
  await expect(bar).toContainText('Not in this recording: Files: 3');
  await bar.getByRole('button', { name: 'Back to Share' }).click();
  // The choice is as it was, and the session is behind the dialog again.
  await expect(sheet(page).getByRole('checkbox', { name: /^Files: 3/ })).not.toBeChecked();
  await expect(bar).toHaveCount(0);
  await preview.click();
  await bar.getByRole('slider', { name: 'Position' }).press('End');
  await expect(log(page)).toContainText('The key is [secret].');
  await bar.getByRole('button', { name: 'Recording actions' }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await expect(sheet(page)).toContainText('4 messages and 2 tool calls');
  await expect(sheet(page).getByRole('checkbox', { name: /^Files/ })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.goto('/?lesson=what-a-tool-call-is');
  await page.getByRole('complementary', { name: 'Lessons' }).getByRole('button', { name: 'Share' }).click();
  await sheet(page).getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect.poll(() => clipboard(page)).toMatch(/\/\?lesson=what-a-tool-call-is$/);
});
