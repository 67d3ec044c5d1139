import type { Script } from '../../src/models/types.ts';
import {
  answer,
  calls,
  configure,
  dialog,
  openApp,
  prompt,
  readFile,
  script,
  useScript,
  writeFile,
} from './app.ts';
import { expect, test } from './test.ts';

const bash = (command: string) => ({ tool: 'bash', input: { command, description: 'Run it' } });

/** As many prompts as there are commands: each runs its command, then "Done." is said. */
const running = (...commands: string[]): Script => ({
  version: 1,
  title: 'running',
  chunkDelayMs: 0,
  turns: commands.map((command) => ({ steps: [{ tools: [bash(command)] }, { text: 'Done.' }] })),
});

/** What it rejects with, as page scripts read it. */
const rejection = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `resolved to ${JSON.stringify(value)}`,
    (error: unknown) => (error instanceof Error ? error.message : 'not an Error'),
  );

test('there is no window.vitrine unless the link asks for it', async ({ page }) => {
  for (const address of ['/', '/?automation=0', '/?automation']) {
    await page.goto(address);
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    expect(await page.evaluate(() => 'vitrine' in window)).toBe(false);
  }
});

test('it has the members of its contract and no others', async ({ page }) => {
  await openApp(page);
  const members = await page.evaluate(() => {
    const { vitrine } = window;
    return [vitrine, vitrine.tools, vitrine.workspace, vitrine.sessions].map((each) =>
      Object.keys(each).sort().join(' '),
    );
  });
  expect(members).toEqual([
    'abort configure onEvent onPermission onQuestion prompt ready sessions tools trust unplayed workspace',
    'call denied ids list register',
    'changes exec jobs list readFile remove stopJob writeFile',
    'create events export fork import list messages open restore',
  ]);
});

test('a command of the person is a message with a call, and no prompt', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Seen.' }));
  await page.getByRole('textbox', { name: 'Message' }).fill('!echo hi');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'ok');
  // It takes no turn of the script.
  expect((await prompt(page, 'Go')).status).toBe('idle');
  const events = await page.evaluate(async () => {
    const { sessions } = window.vitrine;
    const [{ id } = { id: '' }] = await sessions.list();
    const all: { type: string; origin?: { kind: string } }[] = JSON.parse(
      JSON.stringify(await sessions.events(id)),
    );
    return all.map(({ type, origin }) => (origin ? `${type} ${origin.kind}` : type));
  });
  const first = events.indexOf('prompt.accepted command');
  const kinds = new Set([
    'prompt.accepted',
    'call.added',
    'call.running',
    'call.output',
    'call.ended',
    'turn.started',
  ]);
  expect(events.slice(first + 1).filter((type) => kinds.has(type))).toEqual([
    ...['call.added', 'call.running', 'call.output', 'call.ended'],
    ...['prompt.accepted', 'turn.started'],
  ]);
});

test.describe('configure', () => {
  for (const { name, settings, says } of [
    {
      name: 'a provider that does not exist',
      settings: { provider: 'nobody', model: 'm' },
      says: /provider/,
    },
    { name: 'no model', settings: { provider: 'openai', model: ' ' }, says: /model: must name a model/ },
    {
      name: 'an address that is none',
      settings: { provider: 'openai-compatible', model: 'm', baseURL: 'ftp://x' },
      says: /baseURL: must begin with https/,
    },
    {
      name: 'a compatible server without an address',
      settings: { provider: 'openai-compatible', model: 'm' },
      says: /baseURL: must be set/,
    },
    {
      name: 'a permission that is none',
      settings: { provider: 'scripted', model: 'm', permission: { bash: 'perhaps' } },
      says: /permission-invalid.*"allow", "ask" or "deny"/s,
    },
    {
      name: 'a script with an unknown key',
      settings: { provider: 'scripted', model: 'm', script: { version: 1, turns: [{ step: [] }] } },
      says: /script-invalid.*turns\[0\]/s,
    },
  ]) {
    test(`refuses ${name}, and says what is wrong`, async ({ page }) => {
      await openApp(page);
      expect(await rejection(page.evaluate((given) => window.vitrine.configure(given), settings))).toMatch(
        says,
      );
      expect(await rejection(page.evaluate(() => window.vitrine.workspace.exec('true')))).toMatch(
        /only after configure\(\)/,
      );
    });
  }

  test('refuses a key that it does not know', async ({ page }) => {
    await openApp(page);
    const given = { provider: 'openai', model: 'm', apikey: 'x' };
    expect(await rejection(page.evaluate((each) => window.vitrine.configure(each), given))).toMatch(/apikey/);
  });

  test('lays the files of a script into a fresh workspace', async ({ page }) => {
    await openApp(page);
    await useScript(page, { ...script({ text: 'Hello.' }), files: { 'src/add.js': 'export {};\n' } });
    expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual(['src/add.js']);
    expect((await prompt(page, 'Go')).status).toBe('idle');
    expect(await page.evaluate(() => window.vitrine.sessions.list())).toHaveLength(1);
  });
});

test.describe('permission rules', () => {
  const outcomes: { name: string; permission: unknown; says: [string, string] }[] = [
    { name: '"allow" for everything', permission: 'allow', says: ['ok', 'ok'] },
    { name: '"deny" for everything', permission: 'deny', says: ['invalid', 'invalid'] },
    { name: 'an action for a tool', permission: { bash: 'allow', edit: 'deny' }, says: ['ok', 'invalid'] },
    { name: 'write by its own name', permission: { '*': 'allow', write: 'deny' }, says: ['ok', 'invalid'] },
    {
      name: 'patterns of a tool, the last that fits',
      permission: { bash: { '*': 'deny', 'echo *': 'allow' }, edit: { '*': 'allow', 'src/*': 'deny' } },
      says: ['ok', 'denied'],
    },
  ];
  for (const { name, permission, says } of outcomes) {
    test(name, async ({ page }) => {
      await openApp(page);
      const write = { tool: 'write', input: { filePath: 'src/a.txt', content: 'a' } };
      await useScript(page, script({ tools: [bash('echo hi'), write] }, { text: 'Done.' }), permission);
      expect((await prompt(page, 'Go')).status).toBe('idle');
      await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', says[0]);
      await expect(calls(page, 'write')).toHaveAttribute('data-outcome', says[1]);
    });
  }
});

test.describe('onPermission', () => {
  test('"once" answers one request, "session" and "always" those that follow', async ({ page }) => {
    await openApp(page);
    await useScript(page, running('touch a', 'touch a', 'touch a', 'mkdir b', 'mkdir b'));
    const asked = await page.evaluate(async () => {
      const commands: string[] = [];
      const answers = ['once', 'session', 'always'];
      window.vitrine.onPermission((request) => {
        commands.push(request.patterns.join());
        return answers.shift() ?? 'reject';
      });
      for (const text of ['1', '2', '3', '4', '5']) await window.vitrine.prompt(text);
      return commands;
    });
    expect(asked).toEqual(['touch a', 'touch a', 'mkdir b']);
    await expect(calls(page, 'bash').last()).toHaveAttribute('data-outcome', 'ok');
  });

  test('the request is plain data: the tool, what is asked for and what a lasting answer would save', async ({
    page,
  }) => {
    await openApp(page);
    await writeFile(page, 'a.txt', 'one\n');
    await useScript(
      page,
      script(
        { tools: [{ tool: 'read', input: { filePath: 'a.txt' } }] },
        { tools: [{ tool: 'edit', input: { filePath: 'a.txt', oldString: 'one', newString: 'two' } }] },
        { text: 'Done.' },
      ),
    );
    const request = await page.evaluate(async () => {
      let seen: unknown;
      window.vitrine.onPermission((given) => {
        seen = JSON.parse(JSON.stringify(given));
        return 'once';
      });
      await window.vitrine.prompt('Edit');
      return seen;
    });
    expect(request).toMatchObject({
      tool: 'edit',
      permission: 'edit',
      patterns: ['a.txt'],
      always: expect.any(Array),
      subject: { kind: 'diff', path: 'a.txt', diff: expect.stringContaining('+two') },
      decisions: [{ action: 'ask' }],
      id: expect.any(String),
      sessionID: expect.any(String),
      callID: expect.any(String),
    });
  });

  test('"reject" ends the turn; a refusal with a message is told to the model', async ({ page }) => {
    await openApp(page);
    await useScript(page, running('touch a', 'touch b'));
    await page.evaluate(() => window.vitrine.onPermission(() => 'reject'));
    expect((await prompt(page, 'One')).status).toBe('rejected');
    await page.evaluate(() => window.vitrine.onPermission(() => ({ reject: 'Not now, please.' })));
    const { sessionID, status } = await prompt(page, 'Two');
    expect(status).toBe('idle');
    expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual([]);
    const events = await page.evaluate((id) => window.vitrine.sessions.events(id), sessionID);
    expect(JSON.stringify(events)).toContain('Not now, please.');
  });

  test('nonsense, a handler that throws, and a word with a wrong case let nothing through', async ({
    page,
  }) => {
    await openApp(page);
    await useScript(page, running('touch a', 'touch b', 'touch c'));
    const statuses = await page.evaluate(async () => {
      const { vitrine } = window;
      const seen: string[] = [];
      for (const handler of [
        () => true,
        () => {
          throw new Error('Broken');
        },
        () => 'Once',
      ]) {
        vitrine.onPermission(handler);
        seen.push((await vitrine.prompt('Go')).status);
      }
      return seen;
    });
    expect(statuses).toEqual(['idle', 'idle', 'idle']);
    for (const index of [0, 1, 2])
      await expect(calls(page, 'bash').nth(index)).toHaveAttribute('data-outcome', 'denied');
    expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual([]);
  });

  test('undefined, and null in place of a handler, leave it to the person', async ({ page }) => {
    await openApp(page);
    await useScript(page, running('touch a', 'touch b'));
    await page.evaluate(() => window.vitrine.onPermission(() => undefined));
    const first = prompt(page, 'One');
    await answer(page, 'Allow once');
    expect((await first).status).toBe('idle');
    await page.evaluate(() => window.vitrine.onPermission(null));
    const second = prompt(page, 'Two');
    await answer(page, 'Allow once');
    expect((await second).status).toBe('idle');
  });

  test('a handler that is set while a question stands is asked that question', async ({ page }) => {
    await openApp(page);
    await useScript(page, running('touch a'));
    const turn = prompt(page, 'Go');
    await expect(dialog(page)).toBeVisible();
    await page.evaluate(() => window.vitrine.onPermission(() => 'once'));
    expect((await turn).status).toBe('idle');
  });
});

test.describe('prompt', () => {
  test('resolves with how the turn ended, and the session it was', async ({ page }) => {
    await openApp(page);
    await useScript(page, script({ text: 'Hello.' }, { text: 'unused' }));
    const first = await prompt(page, 'One');
    expect(first).toEqual({ sessionID: expect.stringMatching(/^ses_/), status: 'idle' });
    // The script has one turn.
    expect(await prompt(page, 'Two')).toEqual({ sessionID: first.sessionID, status: 'error' });
    await expect(page.getByRole('log', { name: 'Conversation' })).toContainText(/turn 2/i);
  });

  test('goes to the session that it names, and the page shows that one', async ({ page }) => {
    await openApp(page);
    await useScript(page, running('true', 'true'), 'allow');
    const { sessionID: first } = await prompt(page, 'One');
    const { sessionID: second } = await page.evaluate(() => window.vitrine.sessions.create());
    expect(page.url()).toContain(second);
    const again = await page.evaluate((id) => window.vitrine.prompt('Two', { sessionID: id }), first);
    expect(again).toEqual({ sessionID: first, status: 'idle' });
    expect(page.url()).toContain(first);
    const texts = (id: string) =>
      page.evaluate(async (each) => JSON.stringify(await window.vitrine.sessions.messages(each)), id);
    expect(await texts(first)).toContain('Two');
    expect(await texts(second)).toBe('[]');
  });

  test('takes the model that it names, from the provider that is chosen', async ({ page }) => {
    await openApp(page);
    await configure(page, { provider: 'scripted', model: 'another', script: script({ text: 'Hello.' }) });
    await useScript(page, script({ text: 'Hello.' }));
    const { sessionID } = await page.evaluate(() => window.vitrine.prompt('Go', { model: 'another' }));
    const events = await page.evaluate((id) => window.vitrine.sessions.events(id), sessionID);
    expect(JSON.stringify(events)).toContain('"model":"another"');
  });

  test('refuses a model that has no script, and it is no turn of the script', async ({ page }) => {
    await openApp(page);
    await useScript(page, script({ text: 'Hello.' }));
    const refused = page.evaluate(() => window.vitrine.prompt('Go', { model: 'nobody' }));
    expect(await rejection(refused)).toMatch(/model-unknown.*nobody/s);
    expect(await prompt(page, 'Go')).toMatchObject({ status: 'idle' });
  });

  test('takes the model that it names also where the person chose the provider', async ({ page }) => {
    await openApp(page);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Provider').selectOption('openai-compatible');
    await page.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
    await page.getByRole('combobox', { name: 'Model' }).fill('chosen');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved.')).toBeVisible();
    const { sessionID } = await page.evaluate(() => window.vitrine.prompt('Go', { model: 'another' }));
    const events = await page.evaluate((id) => window.vitrine.sessions.events(id), sessionID);
    expect(JSON.stringify(events)).toContain('"provider":"openai-compatible","model":"another"');
  });

  test('without a model says so', async ({ page }) => {
    await openApp(page);
    expect(await rejection(page.evaluate(() => window.vitrine.prompt('Go')))).toMatch(/no-model.*Settings/s);
  });
});

test('abort ends the turn that prompt started, whose promise tells it; where nothing runs it does nothing', async ({
  page,
}) => {
  await openApp(page);
  await page.evaluate(() => window.vitrine.abort());
  await useScript(page, running('echo begun; sleep 60'), 'allow');
  const turn = prompt(page, 'Go');
  await expect(calls(page, 'bash')).toContainText('begun');
  await page.evaluate(() => window.vitrine.abort());
  await expect(calls(page, 'bash')).toHaveAttribute('data-outcome', 'cancelled');
  expect((await turn).status).toBe('aborted');
});

test('tools: their ids, and each as the model gets it', async ({ page }) => {
  await openApp(page);
  const known = [
    'bash',
    'read',
    'write',
    'edit',
    'glob',
    'grep',
    'list',
    'todowrite',
    'todoread',
    'question',
    'batch',
    'webfetch',
    'lsp',
    'task',
    'background_task',
    'background_output',
    'background_cancel',
    'plan_enter',
    'preview',
  ];
  const ids = await page.evaluate(() => window.vitrine.tools.ids());
  // Only where there are skills.
  expect(ids).not.toContain('skill');
  expect(ids.sort()).toEqual([...known].sort());
  const patching = await page.evaluate(() => window.vitrine.tools.list({ model: 'gpt-5' }));
  expect(patching.map(({ id }) => id)).toContain('apply_patch');
  expect(patching.map(({ id }) => id)).not.toContain('edit');

  const list = await page.evaluate(() => window.vitrine.tools.list());
  expect(list.map(({ id }) => id).sort()).toEqual([...known].sort());
  for (const tool of list) {
    expect(Object.keys(tool).sort()).toEqual(['description', 'id', 'schema']);
    expect(tool.description.length).toBeGreaterThan(20);
    expect(tool.schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
  }
  expect(list.find(({ id }) => id === 'edit')?.schema).toMatchObject({
    properties: { filePath: { type: 'string', description: expect.any(String) } },
    required: ['filePath', 'oldString', 'newString'],
  });

  // One that the rules deny for everything is not offered.
  await useScript(page, script({ text: 'Hello.' }), { bash: 'deny' });
  expect((await page.evaluate(() => window.vitrine.tools.list())).map(({ id }) => id)).not.toContain('bash');
});

test.describe('workspace', () => {
  test('exec: output as it came, the exit code, where it runs, what it is given, and its end in time', async ({
    page,
  }) => {
    await openApp(page);
    expect(await rejection(page.evaluate(() => window.vitrine.workspace.exec('true')))).toMatch(
      /runs without asking.*configure\(\)/,
    );
    await useScript(page, script({ text: 'Hello.' }));
    const results = await page.evaluate(async () => {
      const { exec } = window.vitrine.workspace;
      return [
        await exec('echo out; echo err >&2; exit 3'),
        await exec('mkdir -p deep; pwd'),
        await exec('pwd', { cwd: 'deep' }),
        await exec('echo $GREETING', { env: { GREETING: 'hello' } }),
        await exec('cat', { stdin: 'typed' }),
        await exec('cat'),
      ];
    });
    expect(results).toEqual([
      { exitCode: 3, output: 'out\nerr\n' },
      { exitCode: 0, output: '/home/project\n' },
      { exitCode: 0, output: '/home/project/deep\n' },
      { exitCode: 0, output: 'hello\n' },
      { exitCode: 0, output: 'typed' },
      { exitCode: 0, output: '' },
    ]);
    const late = await page.evaluate(() =>
      window.vitrine.workspace.exec('echo begun; while :; do :; done', { timeoutMs: 300 }),
    );
    expect(late.output).toContain('begun');
    expect(late.exitCode).not.toBe(0);
  });

  test('files: written, read, listed and removed; what cannot be is told by name', async ({ page }) => {
    await openApp(page);
    await writeFile(page, 'a/b/ä.txt', 'one\n');
    await writeFile(page, '.hidden', '');
    await writeFile(page, 'c.md', '# C\n');
    expect(await readFile(page, 'a/b/ä.txt')).toBe('one\n');
    expect(await readFile(page, '/home/project/c.md')).toBe('# C\n');
    const list = (glob?: string) => page.evaluate((each) => window.vitrine.workspace.list(each), glob);
    expect(await list()).toEqual(['.hidden', 'a/b/ä.txt', 'c.md']);
    expect(await list('**/*.txt')).toEqual(['a/b/ä.txt']);
    expect(await list('*.md')).toEqual(['c.md']);
    await page.evaluate(() => window.vitrine.workspace.remove('a'));
    expect(await list()).toEqual(['.hidden', 'c.md']);

    expect(await rejection(readFile(page, 'a/b/ä.txt'))).toMatch(/ä\.txt/);
    expect(await rejection(page.evaluate(() => window.vitrine.workspace.remove('gone')))).toMatch(/gone/);
    for (const outside of ['../x', '/etc/passwd', '/home/x']) {
      expect(await rejection(readFile(page, outside))).toContain('outside the workspace');
      expect(await rejection(writeFile(page, outside, 'x'))).toContain('outside the workspace');
    }
  });
});

test.describe('sessions', () => {
  test('created with files, listed, opened, read', async ({ page }) => {
    await openApp(page);
    await useScript(page, script({ text: 'Hello there.' }));
    const { sessionID: first } = await prompt(page, 'Greet me');
    const { sessionID: second } = await page.evaluate(() =>
      window.vitrine.sessions.create({ files: { 'src/a.txt': 'a\n', 'b.txt': 'b\n' } }),
    );
    expect(page.url()).toContain(`#/session/${second}`);
    expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual(['b.txt', 'src/a.txt']);

    const list = await page.evaluate(() => window.vitrine.sessions.list());
    expect(list).toHaveLength(2);
    expect(list.find(({ id }) => id === first)).toEqual({
      id: first,
      title: 'Greet me',
      workspaceID: expect.stringMatching(/^wsp_/),
      updated: expect.any(Number),
    });
    expect(new Set(list.map(({ workspaceID }) => workspaceID)).size).toBe(2);

    await page.evaluate((id) => window.vitrine.sessions.open(id), first);
    expect(page.url()).toContain(`#/session/${first}`);
    await expect(page.getByRole('article').last()).toContainText('Hello there.');
    expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual([]);

    const messages = await page.evaluate((id) => window.vitrine.sessions.messages(id), first);
    expect(messages).toMatchObject([{ message: { role: 'user' } }, { message: { role: 'assistant' } }]);
    const events = (await page.evaluate((id) => window.vitrine.sessions.events(id), first)) as {
      type: string;
      seq: number;
      sessionID: string;
    }[];
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events[0]).toMatchObject({ type: 'session.created', sessionID: first });
    // The snapshot of the files may be done only after a turn that called nothing.
    expect(events.filter(({ type }) => type === 'turn.ended')).toMatchObject([{ status: 'idle' }]);
  });

  test('in a second tab is read, and not driven until it is taken over', async ({ page, context }) => {
    await openApp(page);
    await useScript(page, script({ text: 'Hello.' }));
    const { sessionID } = await prompt(page, 'Go');
    const second = await context.newPage();
    await openApp(second, `/?automation=1#/session/${sessionID}`);
    expect(await second.evaluate((id) => window.vitrine.sessions.messages(id), sessionID)).toHaveLength(2);
    await useScript(second, script({ text: 'Hello.' }, { text: 'Again.' }));
    const drive = second.evaluate((id) => window.vitrine.prompt('Go', { sessionID: id }), sessionID);
    expect(await rejection(drive)).toMatch(/workspace-elsewhere.*Another tab/s);
  });
});
