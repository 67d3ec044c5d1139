import {
  answer,
  calls,
  dialog,
  openApp,
  openSettings,
  prompt,
  readFile,
  script,
  send,
  useScript,
} from './app.ts';
import { expect, test } from './test.ts';

const bash = (command: string) => ({ tool: 'bash', input: { command, description: 'Run it' } });

test('deny ends the turn; deny with words fails only the call and the model reads them', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    version: 1,
    title: 'denied',
    chunkDelayMs: 0,
    turns: [
      { steps: [{ tools: [bash('echo one'), bash('echo two')] }] },
      { steps: [{ tools: [bash('echo three')] }, { text: 'As you wish.' }] },
    ],
  });
  await send(page, 'First');
  await expect(dialog(page)).toContainText('1 of 2');
  await answer(page, 'Deny');
  await expect(calls(page, 'bash').nth(0)).toHaveAttribute('data-outcome', 'denied');
  await expect(calls(page, 'bash').nth(1)).toHaveAttribute('data-outcome', 'cancelled');
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0);

  await send(page, 'Second');
  await expect(dialog(page)).toContainText('echo three');
  await dialog(page).getByRole('textbox', { name: 'Tell the agent why' }).fill('Use printf');
  await answer(page, 'Deny');
  await expect(calls(page, 'bash').nth(2)).toHaveAttribute('data-outcome', 'denied');
  await expect(page.getByRole('article').last()).toContainText('As you wish.');
});

test('a held key approves nothing, Escape denies only inside the dialog', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ tools: [bash('echo hello')] }));
  await send(page, 'Go');
  const allow = dialog(page).getByRole('button', { name: 'Allow once' });
  await expect(allow).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(calls(page, 'bash')).toHaveAttribute('data-status', 'pending');
  await expect(allow).toBeEnabled();
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeVisible();
  await allow.focus();
  await page.keyboard.press('Escape');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'denied');
});

test('always is saved for the workspace as the person left it, listed, and can be revoked', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, {
    version: 1,
    title: 'always',
    chunkDelayMs: 0,
    turns: [0, 1, 2].map(() => ({ steps: [{ tools: [bash('ls -la')] }, { text: 'Done.' }] })),
  });
  await send(page, 'One');
  await expect(dialog(page)).toContainText('ls -la');
  await answer(page, 'Always allow');
  await expect(page.getByRole('article').last()).toContainText('Done.');

  expect((await prompt(page, 'Two')).status).toBe('idle');
  await expect(calls(page, 'bash').nth(1)).toHaveAttribute('data-outcome', 'ok');

  await openSettings(page, 'Permissions');
  await page.getByRole('button', { name: /Revoke/ }).click();
  await page.keyboard.press('Escape');
  await send(page, 'Three');
  await expect(dialog(page)).toContainText('ls -la');
});

test('a configured deny is never asked about, and a .env file asks', async ({ page }) => {
  await openApp(page);
  await page.evaluate(() => window.vitrine.workspace.writeFile('.env', 'TOKEN=secret\n'));
  await useScript(
    page,
    script(
      { tools: [bash('rm -rf build'), { tool: 'read', input: { filePath: '.env' } }] },
      { tools: [{ tool: 'grep', input: { pattern: 'TOKEN' } }] },
      { text: 'Finished.' },
    ),
    { bash: { '*': 'allow', 'rm *': 'deny' } },
  );
  await send(page, 'Go');
  await expect(dialog(page)).toContainText('.env');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'denied');
  await answer(page, 'Allow once');
  await expect(calls(page, 'read')).toHaveAttribute('data-outcome', 'ok');
  await expect(page.getByRole('article').last()).toContainText('Finished.');
  const events = JSON.stringify(
    await page.evaluate(() =>
      window.vitrine.sessions.list().then(([s]) => window.vitrine.sessions.messages(s!.id)),
    ),
  );
  expect(events.match(/TOKEN=secret/g)?.length).toBe(1);
});

test('an edit shows the real difference, and asks again if the file changes while the question stands', async ({
  page,
}) => {
  await openApp(page);
  await page.evaluate(() => window.vitrine.workspace.writeFile('a.txt', 'one\ntwo\nthree\n'));
  await useScript(
    page,
    script(
      { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
      { tools: [{ tool: 'edit', input: { filePath: 'a.txt', oldString: 'two', newString: '2' } }] },
      { text: 'Edited.' },
    ),
  );
  await send(page, 'Edit');
  await expect(dialog(page)).toContainText('two');
  await page.evaluate(() => window.vitrine.workspace.writeFile('a.txt', 'zero\none\ntwo\nthree\n'));
  await answer(page, 'Allow once');
  await expect(dialog(page)).toContainText('zero');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Edited.');
  expect(await readFile(page, 'a.txt')).toBe('zero\none\n2\nthree\n');
});

test('a mode is chosen at the composer, survives a reload, and bypass stops only at denies and dangers', async ({
  page,
}) => {
  await openApp(page);
  await useScript(
    page,
    {
      version: 1,
      title: 'modes',
      chunkDelayMs: 0,
      turns: [
        {
          steps: [
            { tools: [{ tool: 'write', input: { filePath: 'a.txt', content: 'a\n' } }] },
            { tools: [bash('cat a.txt')] },
            { text: 'Done.' },
          ],
        },
        {
          steps: [{ tools: [bash('echo b > b.txt; cat *.txt'), bash('mkdir no')] }, { text: 'Done again.' }],
        },
        { steps: [{ tools: [bash('rm -rf ~')] }] },
      ],
    },
    { bash: { '*': 'ask', 'mkdir *': 'deny' } },
  );
  const mode = page.getByRole('button', { name: /^Mode: / });
  await page.getByRole('button', { name: 'New session' }).click();
  await mode.click();
  await page.getByRole('menuitemradio', { name: /^Auto-edit/ }).click();
  await expect(mode).toHaveAccessibleName('Mode: Auto-edit');
  await send(page, 'One');
  await expect(dialog(page)).toContainText('cat a.txt');
  await expect(calls(page, 'write')).toHaveAttribute('data-outcome', 'ok');

  await page.keyboard.press('ControlOrMeta+Shift+E');
  await page.getByRole('menuitemradio', { name: /^Bypass/ }).press('Enter');
  await expect(mode).toContainText('nothing is asked');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('article').last()).toContainText('Done.');
  expect((await prompt(page, 'Two')).status).toBe('idle');
  await expect(calls(page, 'bash').nth(1)).toHaveAttribute('data-outcome', 'ok');
  await expect(calls(page, 'bash').nth(2)).toHaveAttribute('data-outcome', 'denied');
  await send(page, 'Three');
  await expect(dialog(page)).toContainText('Always asks, whatever your rules say');
  await answer(page, 'Deny');

  await page.reload();
  await expect(mode).toHaveAccessibleName('Mode: Bypass');
});

test('what is allowed everywhere holds in another workspace, and is listed and revoked as such', async ({
  page,
}) => {
  const steps = script({ tools: [bash('ls -la')] }, { text: 'Done.' });
  await openApp(page);
  await useScript(page, { ...steps, files: { 'a.txt': 'a' } });
  await send(page, 'One');
  await answer(page, 'Allow everywhere');
  await expect(page.getByRole('article').last()).toContainText('Done.');
  await useScript(page, { ...steps, files: { 'b.txt': 'b' } });
  expect((await prompt(page, 'Two')).status).toBe('idle');
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');
  await openSettings(page, 'Permissions');
  const rule = page.getByRole('listitem').filter({ hasText: 'everywhere' });
  await rule.getByRole('button', { name: /Revoke/ }).click();
  await expect(rule).toHaveCount(0);
});

test('a command does not get at a .env file that nobody was asked about, in whatever way it tries', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, {
    ...script(
      {
        tools: [
          bash(
            'grep -r TOKEN . ; cat $(echo .e)nv; for f in .[a-z]*; do cp $f x; done; cat x; cp -r . /tmp/c; cat /tmp/c/.e*',
          ),
        ],
      },
      { tools: [bash('cat .env')] },
      { text: 'Done.' },
    ),
    files: { '.env': 'TOKEN=hush4711\n', 'a.txt': 'open\n' },
  });
  await send(page, 'Look');
  await answer(page, 'Allow once');
  // Named plainly, it is asked about: first the command, then the file.
  await expect(dialog(page)).toContainText('cat .env');
  await expect(calls(page, 'bash').first()).toHaveAttribute('data-outcome', 'ok');
  await expect(page.getByRole('log', { name: 'Conversation' })).not.toContainText('hush4711');
  await answer(page, 'Allow once');
  await expect(dialog(page)).toContainText('It would read .env');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Done.');
  const outputs = await page.evaluate(async () =>
    JSON.stringify(await window.vitrine.sessions.events(location.hash.slice('#/session/'.length))),
  );
  expect(outputs).toContain('kept from this command by the rules for reading');
  expect(outputs).toContain('hush4711');
});

test('every decision of the session is listed with its reason', async ({ page }) => {
  await openApp(page);
  await useScript(
    page,
    script(
      { tools: [bash('echo one --token hush4711'), { tool: 'read', input: { filePath: 'keys/id' } }] },
      { text: 'Done.' },
    ),
    { bash: 'ask', read: { '*': 'allow', 'keys/*': 'deny' } },
  );
  await send(page, 'Go');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Done.');
  await page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem').first().hover();
  await page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('button', { name: 'Actions' })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Permission decisions' }).click();
  const list = page.getByRole('dialog', { name: 'Permission decisions' });
  await expect(list.getByRole('listitem').filter({ hasText: '--token [secret]' }).first()).toContainText(
    'Allowed once by you',
  );
  await expect(list.getByRole('listitem').filter({ hasText: 'keys/id' }).first()).toContainText(
    'denied by the rule read keys/* of the settings',
  );
  await expect(list).not.toContainText('4711');
  await list.getByRole('combobox', { name: 'Outcome' }).selectOption('denied');
  await expect(list.getByRole('status')).toContainText('1 of');
});

test('in plan, chosen before the first message, a saved yes does not answer for shell commands', async ({
  page,
}) => {
  await openApp(page);
  await useScript(page, {
    version: 1,
    title: 'plan',
    chunkDelayMs: 0,
    turns: [0, 1].map(() => ({ steps: [{ tools: [bash('ls -la')] }, { text: 'Done.' }] })),
  });
  await send(page, 'One');
  await answer(page, 'Allow everywhere');
  await expect(page.getByRole('article').last()).toContainText('Done.');

  await page.evaluate(() => (location.hash = ''));
  await page.reload();
  await useScript(page, script({ tools: [bash('ls -la'), bash('ls -la')] }, { text: 'Planned.' }));
  await page.getByRole('button', { name: 'Mode: Ask' }).click();
  await page.getByRole('menuitemradio', { name: /^Plan/ }).click();
  await send(page, 'Two');
  await expect(page.getByRole('button', { name: 'Mode: Plan' })).toBeVisible();
  await expect(dialog(page)).toContainText('does not apply to this agent');
  await expect(dialog(page).getByRole('button', { name: /Always allow|Allow everywhere/ })).toHaveCount(0);
  await answer(page, 'Allow for this session');
  await expect(page.getByRole('article').last()).toContainText('Planned.');
  await expect(calls(page, 'bash').nth(1)).toHaveAttribute('data-outcome', 'ok');
});

test('a file that may not be read is not read by any command, whatever the mode allows', async ({ page }) => {
  await openApp(page);
  await page.evaluate(async () => {
    await window.vitrine.workspace.writeFile('secret/key.txt', 'hidden-words\n');
    await window.vitrine.workspace.writeFile('open.txt', 'open\n');
  });
  const ways = [
    'cat secret/*',
    'grep -rh . .',
    'ln -s secret s; cat s/key.txt',
    'ln secret/key.txt hard; cat hard',
    'cp -r secret copy; cat copy/*',
    'mv secret/key.txt moved; cat moved; mv moved secret/key.txt',
    'cd secret && cat k?y.txt',
    'x=key; cat "secret/$x.txt"',
    'while read -r l; do echo "$l"; done < secret/key.txt',
    'echo "$(< secret/key.txt)"',
    'find . -name "k*" -exec cat {} +',
    'find . -type f | xargs cat',
    'awk 1 secret/*',
    'sed -n p secret/*',
    'base64 secret/* | base64 -d',
    'tar cf - secret | tar xOf -',
    'eval "c""at secret/key.txt"',
    'sort secret/* open.txt',
    'diff secret/* open.txt',
    'head -c 100 /home/project/./secret//key.txt',
    'cat open.txt secret/../secret/key.txt',
  ];
  await useScript(
    page,
    script(
      // Three equal refusals in a row would be asked about as a loop.
      ...ways.map((command, index) => ({ tools: [bash(command), bash(`echo ${index}`)] })),
      { tools: [{ tool: 'grep', input: { pattern: 'hidden' } }] },
      { tools: [{ tool: 'list', input: { path: 'secret' } }] },
      { tools: [{ tool: 'read', input: { filePath: 'secret/key.txt' } }] },
      { text: 'Finished.' },
    ),
    { read: { 'secret/*': 'deny' } },
  );
  await page.getByRole('button', { name: 'Mode: Ask' }).click();
  await page.getByRole('menuitemradio', { name: /^Bypass/ }).click();
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Finished.', { timeout: 60_000 });
  await expect(calls(page, 'bash')).toHaveCount(2 * ways.length);
  await expect(page.locator('body')).not.toContainText('hidden-words');
  const outputs = await page.evaluate(async () => {
    const [session] = await window.vitrine.sessions.list();
    return JSON.stringify(await window.vitrine.sessions.messages(session?.id ?? ''));
  });
  expect(outputs).toContain('Finished.');
  expect(outputs).not.toContain('hidden-words');
});

test('a file that may not be edited is not changed by any command, and the model reads which rule keeps it', async ({
  page,
}) => {
  await openApp(page);
  const files = { 'locked.txt': 'as it was', 'lock/in/a.txt': 'as it was', 'open.txt': 'pw' };
  const ways = [
    'echo pw > locked.txt',
    'echo pw >> locked.txt',
    'echo pw >| locked.txt',
    'echo pw &> locked.txt',
    'echo pw | tee locked.txt',
    'cp open.txt locked.txt',
    'mv open.txt locked.txt',
    'mv locked.txt moved.txt',
    'sed -i s/as/pw/ locked.txt',
    'rm -f locked.txt',
    'chmod 000 locked.txt',
    'truncate -s 0 locked.txt',
    'ln -s locked.txt soft; echo pw > soft',
    'ln locked.txt hard; echo pw > hard',
    'rm -r lock',
    'mv lock elsewhere',
    'x=lock; echo pw > "${x}ed.txt"',
    `node -e 'require("fs").writeFileSync("locked.txt", "pw")'`,
    `node -e 'require("fs").renameSync("lock", "elsewhere")'`,
    `node -e 'require("child_process").execSync("echo pw > locked.txt")'`,
    'git checkout other',
    'git restore -s other locked.txt',
    'git rm -f locked.txt',
  ];
  await useScript(
    page,
    {
      ...script(
        { tools: [{ tool: 'read', input: { filePath: 'locked.txt' } }] },
        { tools: [{ tool: 'edit', input: { filePath: 'locked.txt', oldString: 'as it', newString: 'pw' } }] },
        // Three equal refusals in a row would be asked about as a loop.
        ...ways.map((command, index) => ({ tools: [bash(command), bash(`echo ${index}`)] })),
        { text: 'Finished.' },
      ),
      files,
    },
    { '*': 'allow', edit: { '*': 'allow', 'locked.txt': 'deny', 'lock/**': 'deny' } },
  );
  // Commands of git that throw changes away are asked about whatever the rules allow.
  await page.evaluate(() => void window.vitrine.onPermission(() => 'once'));
  // The person's own commands are not bound.
  const made = await page.evaluate(
    async (command) => (await window.vitrine.workspace.exec(command)).exitCode,
    'git init -q -b main && git config user.name a && git config user.email a@b && git add . && git commit -qm one && git checkout -qb other && echo pw > locked.txt && git commit -qam two && git checkout -q main',
  );
  expect(made).toBe(0);
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Finished.', { timeout: 60_000 });
  await expect(calls(page, 'bash')).toHaveCount(2 * ways.length);
  await expect(calls(page, 'edit')).toHaveAttribute('data-outcome', 'denied');
  for (const path of ['locked.txt', 'lock/in/a.txt']) expect(await readFile(page, path)).toBe('as it was');
  const outputs = await page.evaluate(async () => {
    const [session] = await window.vitrine.sessions.list();
    return JSON.stringify(await window.vitrine.sessions.messages(session?.id ?? ''));
  });
  const told = outputs.match(/The rules deny 'edit' for (locked\.txt|lock\/in) \(rule: edit/g);
  expect(told?.length).toBeGreaterThanOrEqual(ways.length);
});

test('what is allowed is exported, revoked, and taken in again from the file', async ({ page }) => {
  await openApp(page);
  await useScript(page, {
    version: 1,
    title: 'file',
    chunkDelayMs: 0,
    turns: [0, 1, 2].map(() => ({ steps: [{ tools: [bash('ls -la')] }, { text: 'Done.' }] })),
  });
  await send(page, 'One');
  await answer(page, 'Always allow');
  await expect(page.getByRole('article').last()).toContainText('Done.');

  await openSettings(page, 'Permissions');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export to a file' }).click();
  const file = await (await saving).path();
  const revoke = page.getByRole('button', { name: /^Revoke bash/ });
  await revoke.click();
  await expect(revoke).toHaveCount(0);
  await page.locator('input[type=file][accept*=json]').setInputFiles(file);
  await expect(page.getByText('1 answer was added.')).toBeVisible();
  await expect(revoke).toHaveCount(1);
  await page.keyboard.press('Escape');
  expect((await prompt(page, 'Two')).status).toBe('idle');
  await expect(calls(page, 'bash').nth(1)).toHaveAttribute('data-outcome', 'ok');
});
