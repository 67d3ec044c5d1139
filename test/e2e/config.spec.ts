import { expect, test } from '@playwright/test';
import { calls, dialog, openApp, script, send, useScript, writeFile } from './app.ts';

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
  await notice.getByRole('button', { name: 'Trust', exact: true }).click();
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
  await page.getByRole('button', { name: /^Agent:/ }).click();
  await page.getByRole('menuitemradio', { name: /poet/ }).click();
  await expect(page.getByRole('button', { name: /^Agent:/ })).toHaveAccessibleName(/poet/);
});
