import { installPromptAPI, type FakeOptions } from '../support/prompt-api/fake.ts';
import { begin, check, command, WINDOWS } from './accessible-states.ts';
import { answer, dialog, openApp, prompt, send, writeFile } from './app.ts';
import { expect, test } from './test.ts';

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const files = { 'a.txt': 'one\ntwo\nthree\n' };
const edit = { tool: 'edit', input: { filePath: 'a.txt', oldString: 'two', newString: '2' } };
const bash = (command: string) => ({ tool: 'bash', input: { command, description: 'Try it' } });

const MODEL: FakeOptions = { availability: 'downloadable', answers: ['Hello.'] };

for (const [name, options] of WINDOWS)
  test.describe(name, () => {
    test.use({ ...options, actionTimeout: 15_000 });

    test('axe finds nothing in what is attached, asked, decided and commented on', async ({ page }) => {
      await begin(
        page,
        files,
        [
          {
            steps: [
              { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
              { tools: [edit] },
              { tools: [bash('rm -rf /tmp/x && echo gone')] },
              { text: 'Done.' },
            ],
          },
          { steps: [{ error: { status: 401 } }] },
        ],
        { read: 'allow', edit: 'ask', bash: 'ask' },
      );
      await page.evaluate(() => window.vitrine.sessions.create({}));
      const picking = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Attach', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Choose files' }).click();
      await (
        await picking
      ).setFiles([
        { name: 'shot.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') },
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('note\n') },
      ]);
      const attached = page.getByRole('list', { name: 'Attached files' });
      await expect(attached.getByRole('listitem').first()).toBeVisible();
      await check(page, 'files are attached');

      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await expect(dialog(page)).toContainText('a.txt');
      await expect(dialog(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
      await dialog(page).getByRole('textbox').last().fill('Not yet');
      await check(page, 'a change is asked for, with a reason to deny it');
      await dialog(page).getByRole('textbox').last().fill('');
      await answer(page, 'Allow once');
      await expect(dialog(page)).toContainText('rm -rf');
      await expect(dialog(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
      await check(page, 'a dangerous command is asked for');
      await answer(page, 'Deny');
      const own = page.getByRole('article', { name: 'You' });
      await own.getByRole('button', { name: /^Read attachments\/shot\.png/ }).click();
      await expect(own.getByRole('img', { name: 'Attachment shot.png' })).toBeVisible();

      await send(page, 'Again');
      await expect(page.getByText('The script answers with status 401.')).toBeVisible();
      await check(page, 'an error, below a message with a picture');

      await page.getByRole('tab', { name: 'Changes' }).click();
      const changes = page.getByRole('tabpanel', { name: 'Changes' });
      await changes.getByRole('combobox', { name: 'Changed since' }).selectOption('the first message');
      await changes.getByRole('button', { name: /^a\.txt / }).click();
      await changes.getByRole('button', { name: 'Comment on line 1' }).first().click();
      await changes.getByRole('textbox', { name: /^Comment on a\.txt/ }).fill('Why?');
      await check(page, 'a comment on a line');
      await page.keyboard.press('Enter');

      const sessions = page.getByRole('tab', { name: 'Sessions' });
      if (await sessions.isVisible()) await sessions.click();
      await page.getByRole('listitem').getByRole('button', { name: 'Actions' }).first().click();
      await expect(page.getByRole('menu')).toBeVisible();
      await check(page, 'the menu of a session');
      await page.keyboard.press('End');
      await expect(page.getByRole('menuitem').last()).toBeFocused();
      await expect(page.getByRole('menuitem').last()).toBeInViewport({ ratio: 1 });
      await page.getByRole('menuitem', { name: 'Permission decisions' }).click();
      const decisions = page.getByRole('dialog', { name: 'Permission decisions' });
      await expect(decisions.getByRole('listitem').first()).toBeVisible();
      for (const each of await decisions.locator('summary').all()) await each.click();
      await check(page, 'permission decisions');
    });

    test('axe finds nothing on the pages of the settings', async ({ page }) => {
      await page.addInitScript(installPromptAPI, MODEL);
      // The download never comes to its end.
      await page.route('https://huggingface.co/**', () => undefined);
      await page.goto('/?settings=models&offline=off&automation=1');
      const settings = page.getByRole('dialog', { name: 'Settings' });
      await expect(settings.getByRole('button', { name: 'Download it' })).toBeVisible();
      await settings.getByRole('button', { name: 'Fetch SmolLM2 360M Instruct' }).click();
      await expect(settings.getByRole('progressbar')).toBeVisible();
      await check(page, 'models of the browser and in the tab');
      await settings.getByRole('button', { name: 'Download it' }).click();
      await settings.getByRole('button', { name: 'Use the model of this browser' }).click();
      await expect(settings.getByText('Prompts go to the model of this browser now.')).toBeVisible();
      await check(page, 'the model of the browser is used');
      for (const name of ['permissions', 'workspace', 'tools', 'appearance', 'storage', 'about']) {
        await page.goto(`/?settings=${name}&offline=off&automation=1`);
        await page.evaluate(() => window.vitrine.ready);
        await expect(settings.getByRole('heading').first()).toBeVisible();
        await check(page, `settings: ${name}`);
      }
    });

    test('axe finds nothing in lessons, nor where they are shared', async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto('/?lesson=what-a-tool-call-is&offline=off&automation=1');
      const lessons = page.getByRole(name === 'light' ? 'complementary' : 'main', { name: 'Lessons' });
      await expect(lessons.getByRole('button', { name: 'Use this message' })).toBeVisible();
      await check(page, 'a lesson');
      await lessons.getByRole('button', { name: 'Use this message' }).click();
      await page.keyboard.press('Enter');
      const tab = page.getByRole('tab', { name: 'Lesson', exact: true });
      if (await tab.isVisible()) await tab.click();
      await lessons.getByRole('textbox', { name: 'Your answer' }).fill('7');
      await lessons.getByRole('button', { name: 'Check' }).click();
      await lessons.getByRole('button', { name: 'Show a hint' }).click();
      await expect(lessons).toContainText('Not quite.');
      await check(page, 'a wrong answer and a hint');
      await lessons.getByRole('button', { name: 'Share' }).click();
      const share = page.getByRole('dialog', { name: 'Share' });
      await share.getByRole('button', { name: 'Copy embed code' }).click();
      await expect(page.getByText('The code was copied.')).toBeVisible();
      await check(page, 'a lesson to share, its code copied');
      await page.keyboard.press('Escape');

      await lessons.getByRole('button', { name: 'All lessons' }).click();
      await expect(lessons.getByRole('button', { name: /^The loop/ })).toBeVisible();
      await check(page, 'the list of lessons');
      await lessons.getByRole('button', { name: 'Write a lesson' }).click();
      const editor = page.getByRole('dialog', { name: 'Write a lesson' });
      await editor.getByText('How to write lessons').click();
      await expect(editor.getByRole('region', { name: 'How to write lessons' })).toContainText('Checks');
      await check(page, 'a lesson is written');
      await editor.getByRole('textbox', { name: 'Script (JSON)' }).fill('{');
      await expect(editor.getByText('What is wrong')).toBeVisible();
      await check(page, 'what is wrong with a lesson');
    });

    test('axe finds nothing in notices', async ({ page, context }) => {
      await begin(page, files, [{ steps: [{ text: 'Hello.' }] }]);
      await prompt(page, 'Hi');
      await writeFile(page, 'opencode.json', JSON.stringify({ permission: { bash: 'allow' } }));
      const notice = page.getByRole('group', { name: 'This workspace wants more than your settings allow.' });
      await expect(notice).toBeVisible();
      await notice.getByRole('button', { name: 'Review' }).click();
      await expect(page.getByRole('list', { name: 'What they would allow' })).toBeVisible();
      await check(page, 'what a workspace wants');
      await page.keyboard.press('Escape');

      const second = await context.newPage();
      await openApp(second, page.url());
      await expect(second.getByRole('button', { name: 'Take over' })).toBeVisible();
      await check(second, 'a session that another tab writes');
      await second.close();

      await command(page, 'Share');
      const share = page.getByRole('dialog', { name: 'Share' });
      await share.getByRole('textbox', { name: 'Address of the file' }).fill('nowhere');
      await expect(share.getByText('Write the whole address')).toBeVisible();
      await check(page, 'an address that is none');
    });
  });
