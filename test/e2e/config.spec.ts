import { start } from '../support/model-server/server.ts';
import { answer, calls, dialog, openApp, openSettings, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

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

  await openSettings(page, 'Workspace');
  const rules = page.getByRole('list', { name: 'Active rules' });
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
  await notice.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('list', { name: 'What they would allow' })).toContainText('bash *');
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await expect(page.getByRole('article').last()).toContainText('Over.');
  await expect(dialog(page)).toBeHidden();
  await expect(notice).toBeHidden();
});

test('a test trusts the files of its own workspace as they are, and no later ones', async ({ page }) => {
  await openApp(page);
  await useScript(page, script(bash('echo one'), bash('ls'), { text: 'Over.' }));
  await writeFile(page, 'opencode.json', JSON.stringify({ permission: { bash: { 'echo *': 'allow' } } }));
  const { trusted } = await page.evaluate(() => window.vitrine.trust());
  expect(trusted.join('\n')).toContain('echo *');
  await send(page, 'Go');
  await expect(dialog(page)).toContainText('ls');
  await expect(calls(page, 'bash').first()).toHaveAttribute('data-outcome', 'ok');
  await writeFile(page, 'opencode.json', JSON.stringify({ permission: { bash: 'allow' } }));
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Over.');
  await expect(
    page.getByRole('group', { name: 'This workspace wants more than your settings allow.' }),
  ).toBeVisible();
});

test('the provider, the default agent and the temperature of a file count once they are trusted', async ({
  page,
}) => {
  const server = await start({
    script: {
      version: 1,
      turns: [{ steps: [{ text: 'Not asked.' }] }, { steps: [{ text: 'From the lab.' }] }],
    },
  });
  await openApp(page);
  await useScript(page, script({ text: 'From the script.' }));
  const lab = { options: { baseURL: `${server.url}/v1` }, models: { big: { id: 'big-2026' } } };
  const said = {
    provider: { lab },
    model: 'lab/big',
    default_agent: 'plan',
    agent: { plan: { temperature: 0.2 } },
  };
  await writeFile(page, 'opencode.json', JSON.stringify(said));
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('From the script.');
  expect(server.requests).toEqual([]);

  const notice = page.getByRole('group', { name: 'This workspace wants more than your settings allow.' });
  await notice.getByRole('button', { name: 'Review' }).click();
  const grants = page.getByRole('list', { name: 'What they would allow' });
  await expect(grants).toContainText(`Send to the models of lab: ${server.url}/v1`);
  await expect(grants).toContainText('Use: default_agent plan');
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Agent:/ })).toHaveAccessibleName(/Plan/);
  await send(page, 'Again');
  await expect(page.getByRole('article').last()).toContainText('From the lab.');
  expect(server.requests.at(-1)?.body).toMatchObject({ model: 'big-2026', temperature: 0.2 });
  await server.close();
});

test('a model that a trusted file describes is picked in the menu of models, and kept through a reload', async ({
  page,
}) => {
  const server = await start({
    script: {
      version: 1,
      turns: [{ steps: [{ text: 'Not asked.' }] }, { steps: [{ text: 'From the lab.' }] }],
    },
  });
  await openApp(page);
  const scripted = {
    ...script(),
    turns: ['Mine.', 'Too late.', 'Mine again.'].map((text) => ({ steps: [{ text }] })),
  };
  await useScript(page, scripted);
  const lab = {
    name: 'The lab',
    options: { baseURL: `${server.url}/v1` },
    models: { big: { id: 'big-2026' } },
  };
  await writeFile(page, 'opencode.json', JSON.stringify({ provider: { lab } }));
  await send(page, 'Go');
  await expect(page.getByRole('article').last()).toContainText('Mine.');
  const model = page.getByRole('button', { name: /^Model:/ });
  await expect(model).toHaveAttribute('aria-haspopup', 'dialog');

  await page.evaluate(() => window.vitrine.trust());
  await expect(model).toHaveAttribute('aria-haspopup', 'menu');
  await model.click();
  const models = page.getByRole('group', { name: 'Models' });
  await expect(models).toContainText('The lab');
  await expect(models.getByRole('menuitemradio', { name: 'script' })).toBeChecked();
  await models.getByRole('menuitemradio', { name: 'big' }).click();
  await expect(model).toHaveAccessibleName('Model: big');
  await send(page, 'Again');
  await expect(page.getByRole('article').last()).toContainText('From the lab.');
  expect(server.requests.at(-1)?.body).toMatchObject({ model: 'big-2026' });

  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(model).toHaveAccessibleName('Model: big');
  await useScript(page, scripted);
  await model.click();
  await models.getByRole('menuitemradio', { name: 'script' }).click();
  await expect(model).toHaveAccessibleName('Model: script');
  await send(page, 'And now');
  await expect(page.getByRole('article').last()).toContainText('Mine again.');
  await server.close();
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
  await page.getByRole('listbox', { name: 'Commands' }).getByRole('option', { name: '/ode' }).click();
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

  await page.getByRole('button', { name: 'Review' }).click();
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
