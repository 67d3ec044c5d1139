import { expect, test } from '@playwright/test';
import { answer, calls, dialog, openApp, script, send, useScript, writeFile } from './app.ts';

const bash = (command: string) => ({
  tools: [{ tool: 'bash', input: { command, description: 'Runs it' } }],
});

test('a configuration file that denies is heeded at the next step', async ({ page }) => {
  await openApp(page);
  const denying = JSON.stringify({ permission: { bash: { 'echo *': 'deny' } } });
  await useScript(
    page,
    script(
      bash('echo one'),
      { tools: [{ tool: 'write', input: { filePath: 'opencode.json', content: denying } }] },
      bash('echo two'),
      { text: 'Over.' },
    ),
    'allow',
  );
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Over.');
  await expect(calls(page, 'bash').first()).toHaveAttribute('data-outcome', 'ok');
  await expect(calls(page, 'bash').last()).toHaveAttribute('data-outcome', 'denied');

  await page.getByRole('button', { name: 'Settings' }).click();
  const rules = page.getByRole('list', { name: 'Rules in force' });
  await expect(rules).toContainText('bash echo *');
  await expect(rules).toContainText('opencode.json');
});

test('a workspace allows itself nothing until the person trusts it', async ({ page }) => {
  await openApp(page);
  await useScript(page, script(bash('echo one'), bash('echo two'), { text: 'Over.' }));
  await writeFile(page, 'opencode.json', JSON.stringify({ permission: { bash: 'allow' } }));
  const notice = page.getByRole('group', { name: 'This workspace wants more than your settings allow.' });
  await send(page, 'Go');
  await expect(dialog(page)).toContainText('echo one');
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Look' }).click();
  await expect(page.getByRole('list', { name: 'What they would allow' })).toContainText('bash *');
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await expect(page.getByRole('article').last()).toContainText('Over.');
  await expect(dialog(page)).toBeHidden();
  await expect(notice).toBeHidden();
});

test('agents and commands of files are there, and the agent reads AGENTS.md', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Time, rhyme.' }));
  await writeFile(page, 'AGENTS.md', 'Speak in rhymes.');
  await writeFile(
    page,
    '.opencode/agent/poet.md',
    '---\nmode: primary\ndescription: Rhymes\n---\nYou rhyme.',
  );
  await writeFile(page, '.opencode/command/ode.md', '---\nagent: poet\n---\nWrite an ode to $ARGUMENTS.');
  await send(page, '/ode the sea');
  await expect(page.getByRole('article').first()).toContainText('Write an ode to the sea.');
  await expect(page.getByRole('article').last()).toContainText('Time, rhyme.');
  await page.getByRole('textbox', { name: 'Message' }).fill('/o');
  await page.getByRole('list', { name: 'Commands' }).getByRole('button', { name: '/ode' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('/ode ');
  await page.getByRole('button', { name: /^Agent:/ }).click();
  await page.getByRole('menuitemradio', { name: /poet/ }).click();
  await expect(page.getByRole('button', { name: /^Agent:/ })).toHaveAccessibleName(/poet/);
});

test('a custom tool is loaded once it is trusted, and what it does asks', async ({ page }) => {
  await openApp(page);
  const greet = { tools: [{ tool: 'greet', input: { name: 'Ada' } }] };
  const turns = [{ steps: [greet, { text: 'Over.' }] }, { steps: [greet, greet, { text: 'Greeted.' }] }];
  await useScript(page, { version: 1, title: 'test', chunkDelayMs: 0, turns });
  await writeFile(
    page,
    '.opencode/tool/greet.ts',
    `import { tool } from '@opencode-ai/plugin';
     let calls: number = 0;
     export default tool({
       description: 'Greets',
       args: { name: tool.schema.string() },
       async execute({ name }, context) {
         calls++;
         context.metadata({ progress: 50 });
         await Bun.write('greeting.txt', 'Hello ' + name);
         return (await Bun.$\`cat greeting.txt\`.text()) + ' (' + calls + ')';
       },
     });`,
  );
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Over.');
  await expect(calls(page, 'greet').first()).toHaveAttribute('data-outcome', 'invalid');

  await page.getByRole('button', { name: 'Look' }).click();
  await expect(page.getByRole('list', { name: 'What they would allow' })).toContainText(
    '.opencode/tool/greet.ts',
  );
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await send(page, 'Again');
  await expect(dialog(page)).toContainText('greeting.txt');
  await answer(page, 'Allow once');
  await expect(dialog(page)).toContainText('cat greeting.txt');
  await answer(page, 'Allow for this session');
  await expect(page.getByRole('article').last()).toContainText('Greeted.');
  const card = calls(page, 'greet').last();
  await expect(card).toHaveAttribute('data-outcome', 'ok');
  await card.getByRole('button').first().click();
  await expect(card).toContainText('Hello Ada (2)');
  expect(await page.evaluate(() => window.vitrine.tools.ids())).toContain('greet');
});
