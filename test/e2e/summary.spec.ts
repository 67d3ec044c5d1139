import { openApp, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a session’s menu has its model write a summary, which is copied, stopped and written again', async ({
  page,
}) => {
  await openApp(page);
  const done = 'It was written word by word. '.repeat(30).trim();
  const written = `# A greeting\n\n## Done\n${done}\n\n## Changed\n- \`hello.txt\`: new`;
  await useScript(
    page,
    {
      version: 1,
      title: 'summary',
      chunkDelayMs: 20,
      turns: [
        {
          when: '^Greet',
          steps: [
            { tools: [{ tool: 'write', input: { filePath: 'hello.txt', content: 'Hello\n' } }] },
            { text: 'It is written.' },
          ],
        },
        { when: '^Write the summary', steps: [{ text: written }] },
      ],
    },
    { edit: 'allow' },
  );
  await send(page, 'Greet in a file');
  const log = page.getByRole('log', { name: 'Conversation' });
  await expect(log).toContainText('It is written.');

  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Greet in a file' }) });
  await row.hover();
  await row.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Write a summary' }).click();
  const sheet = page.getByRole('dialog', { name: 'Summary' });
  // By key: the button moves while the text above it grows.
  await sheet.getByRole('button', { name: 'Stop writing' }).press('Enter');
  await expect(sheet.getByRole('status')).toHaveText('Stopped before the end.');
  await sheet.getByRole('button', { name: 'Write again' }).click();
  await expect(sheet.getByRole('heading', { name: 'Changed' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect(sheet.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(written);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(log.getByRole('article')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);
});
