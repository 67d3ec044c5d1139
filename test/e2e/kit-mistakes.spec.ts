import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { KitProject, test } from './kit-project.ts';
import { expect } from './test.ts';

/** What people get wrong when they write tests with the kit, and how it tells them. */

// One worker for the file: the tests share the project.
test.describe.configure({ mode: 'default' });

let kit: KitProject;
let project: string;
test.beforeAll(async ({ packedKit }) => {
  kit = await KitProject.make(packedKit);
  project = kit.folder;
});
test.afterAll(() => kit.remove());

const results = (...files: readonly string[]) => kit.results(...files);

const REFUSED = `import { expect, test } from 'vitrine/playwright';
const script = [{ tools: [{ tool: 'write', input: { filePath: 'a', content: 'a' } }] }, { text: 'No.' }];
test.describe('handlers', () => {
  test.use({ vitrine: { script } });
  test('an error in a handler', async ({ agent }) => {
    agent.onPermission(({ permission }) => {
      expect(permission).toBe('bash');
      return 'once';
    });
    await agent.prompt('Write a');
  });
  test('no reply', async ({ agent }) => {
    agent.onPermission(() => 'yes');
    await agent.prompt('Write a');
  });
  test('a listener of no kind', ({ agent }) => void agent.on('tools', () => {}));
  test('an event that never comes', ({ agent }) => agent.waitFor(() => false, { timeoutMs: 100 }));
  test('a tool that there is not', ({ agent }) => expect(agent).not.toHaveCalled('Bash'));
  test('a call of no tool', ({ agent }) => expect(agent).toHaveTrajectory(['raed'], { mode: 'subset' }));
  test('a permission that there is not', ({ agent }) => expect(agent).not.toHaveAsked('webfecth'));
  test('a tool of the test', async ({ agent }) => {
    await agent.addTool({ name: 'reads', description: 'Reads.', schema: { type: 'object' }, execute: () => '' });
    await expect(agent).not.toHaveCalled('reads');
  });
  test('an option of a matcher', ({ agent }) => expect(agent).not.toHaveCalled('read', {}, { outcom: 'ok' }));
  test('a mode', ({ agent }) => expect(agent).toHaveTrajectory([], { mod: 'superset' }));
  test('a step of no tool', ({ agent }) => expect(agent).toHaveTrajectory([{ tol: 'read' }]));
  test('an option of a call', ({ agent }) => agent.waitFor(() => false, { timeout: 100 }));
  test('another subject', ({ page }) => expect(page).toHaveCalled('write'));
});
test.describe('options', () => {
  test.use({ vitrine: { permision: 'allow' } });
  test('an unknown option', async ({ agent }) => void agent);
});
test.describe('none', () => {
  test.use({ vitrine: null });
  test('no options', async ({ agent }) => void agent);
});
test.describe('nowhere', () => {
  test.use({ vitrine: { folder: './nowhere' } });
  test('no folder', async ({ agent }) => void agent);
});
test.describe('a folder', () => {
  test.use({ vitrine: { folder: './beside', permission: 'allow', script: [{ text: 'Done.' }] } });
  test('is beside the test', ({ workspace }) => expect(workspace).toHaveFile('a.txt', 'a'));
});
test.describe('an agent', () => {
  test.use({ vitrine: { agent: 'plan', permission: 'allow', script } });
  test('goes to the agent plan', async ({ agent }) => {
    await agent.prompt('Write a');
    await expect(agent).toHaveCalled('write', { filePath: 'a' }, { outcome: 'denied' });
  });
});
test.describe('servers', () => {
  test.describe('none', () => {
    test.use({ vitrine: { mcp: { gone: 'http://127.0.0.1:1/mcp' } } });
    test('a server that is not there', async ({ agent }) => void agent);
  });
  test.describe('closed', () => {
    test.use({ vitrine: { mcp: { closed: process.env.CLOSED ?? '' } } });
    test('a server without CORS', async ({ agent }) => void agent);
  });
});
`;

test('what a test cannot have meant fails it with the reason', async () => {
  const closed = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(closed, 'listening');
  await mkdir(path.join(project, 'below/beside'), { recursive: true });
  await writeFile(path.join(project, 'below/beside/a.txt'), 'a');
  await writeFile(path.join(project, 'below/refused.spec.ts'), REFUSED);
  kit.env = { CLOSED: `http://127.0.0.1:${(closed.address() as AddressInfo).port}/mcp` };
  const all = await results('refused').finally(() => {
    kit.env = {};
    closed.close();
  });
  const reasons = Object.fromEntries(all.map(({ title, result }) => [title, result?.error?.message ?? '']));
  expect(reasons).toEqual({
    'an error in a handler': expect.stringContaining('toBe'),
    'no reply': expect.stringContaining('"yes" is no reply to the request for the permission "edit" (a)'),
    'a listener of no kind': expect.stringContaining('agent.on() knows no "tools".'),
    'an event that never comes': expect.stringMatching(/within 100 ms\. The(re was no event| last of)/),
    'a tool that there is not': expect.stringContaining(
      'expect(agent).toHaveCalled(…) names "Bash", which is no tool and no permission. Did you mean "bash"?',
    ),
    'a call of no tool': expect.stringContaining('Did you mean "read"?'),
    'a permission that there is not': expect.stringContaining('Did you mean "webfetch"?'),
    'a tool of the test': '',
    'an option of a matcher': expect.stringContaining(
      'toHaveCalled() has no option "outcom". Did you mean "outcome"?',
    ),
    'a mode': expect.stringContaining('toHaveTrajectory() has no option "mod". Did you mean "mode"?'),
    'a step of no tool': expect.stringContaining('and not {"tol":"read"}.'),
    'an option of a call': expect.stringContaining(
      'agent.waitFor() has no option "timeout". Did you mean "timeoutMs"?',
    ),
    'another subject': expect.stringContaining('This matcher takes the fixture "agent".'),
    'an unknown option': expect.stringContaining('Unrecognized key: "permision"'),
    'no options': expect.stringContaining('expected object, received null'),
    'no folder': expect.stringContaining(`There is no folder ${path.join(project, 'below/nowhere')}.`),
    'is beside the test': '',
    'goes to the agent plan': '',
    'a server that is not there': expect.stringMatching(/"gone" cannot be used: \S+ cannot be reached/),
    'a server without CORS': expect.stringContaining('lets no page of another origin ask (CORS)'),
  });
});

const FORGOTTEN = `import { expect, test } from 'vitrine/playwright';
test.use({ vitrine: { permission: 'allow' } });
const steps = [{ tools: [{ tool: 'write', input: { filePath: 'a', content: 'a' } }] }, { text: 'Done.' }];
test('a prompt at the end', async ({ agent, model }) => {
  await model.script(steps);
  agent.prompt('Write a');
});
test('a prompt before a matcher', async ({ agent, model }) => {
  await model.script([{ delayMs: 3_000, text: 'Done.' }]);
  agent.prompt('Write a');
  await expect(agent).toHaveCalled('write');
});
test('a script', async ({ agent, model }) => {
  model.script(steps);
  await agent.prompt('Write a');
});
test('a matcher', async ({ agent, model }) => {
  await model.script(steps);
  await agent.prompt('Write a');
  expect(agent).toHaveCalled('write');
});
test('a matcher that fails', async ({ agent, model }) => {
  await model.script(steps);
  await agent.prompt('Write a');
  expect(agent).toHaveSaid('nothing of this');
});
test('a file', async ({ workspace }) => void workspace.write('a', 'b'));
test('an aborted turn', async ({ agent, model }) => {
  await model.script([{ delayMs: 30_000, text: 'Done.' }]);
  agent.prompt('Write a');
  await agent.abort();
});
`;

test('a forgotten await is named', async () => {
  await writeFile(path.join(project, 'forgotten.spec.ts'), FORGOTTEN);
  const all = await results('forgotten');
  const reasons = Object.fromEntries(all.map(({ title, result }) => [title, result?.error?.message ?? '']));
  const running = (call: string) =>
    expect.stringContaining(
      `The test ended while ${call} was still running. Is there an \`await\` before it?`,
    );
  expect(reasons).toEqual({
    'a prompt at the end': running('agent.prompt("Write a")'),
    'a prompt before a matcher': expect.stringMatching(
      /to call write[^]*"\) has not ended yet\. Is there an `await`/,
    ),
    'a script': expect.stringContaining('model.script(…) has not ended yet. Is there an `await` before it?'),
    'a matcher': running('expect(agent).toHaveCalled(…)'),
    'a matcher that fails': expect.stringContaining('to say "nothing of this"'),
    'a file': running('workspace.write("a")'),
    'an aborted turn': '',
  });
  const failing = all.find(({ title }) => title === 'a matcher that fails');
  for (const { message } of failing?.result?.errors ?? [])
    expect(message).not.toMatch(/has been closed|has ended: failed/);
});

const STEPS = `import { expect, test } from 'vitrine/playwright';
const call = { tools: [{ tool: 'bash', input: { command: 'ls' } }] };
test.describe('a tool that a rule takes away', () => {
  test.use({ vitrine: { permission: { '*': 'allow', bash: 'deny' }, script: [call, { text: 'Done.' }] } });
  test('is denied', async ({ agent }) => {
    await agent.prompt('List the files');
    await expect(agent).toHaveDenied('bash', { command: 'ls' });
    await expect(agent).toHaveCalled('bash', {}, { outcome: 'invalid' });
  });
});
test('a tool that there is not is not denied', async ({ agent, model }) => {
  await model.script([{ tools: [{ tool: 'raed', input: {} }] }, { text: 'Done.' }]);
  await agent.prompt('Go');
  await expect(agent).not.toHaveDenied('raed');
});
test('steps for one prompt after the other', async ({ agent, model }) => {
  for (const word of ['one', 'two', 'three']) {
    await model.script([{ text: word }]);
    await agent.prompt('Say ' + word);
    await expect(agent).toHaveSaid(word);
    await expect(model).toHavePlayedEveryStep();
  }
});
test('steps after a prompt that was taken back', async ({ agent, model, page }) => {
  await model.script([{ text: 'one' }]);
  await agent.prompt('Say one');
  const { messageID } = await agent.waitFor((event) => event.type === 'prompt.accepted');
  await page.evaluate(([id, to]) => window.vitrine.sessions.restore(id, { to }), [agent.sessionID, messageID]);
  await model.script([{ text: 'two' }]);
  await agent.prompt('Say two');
  await expect(agent).toHaveSaid('two');
  expect((await agent.facts()).said).toEqual(['one', 'two']);
});
test('steps after a background job has ended', async ({ agent, model }) => {
  agent.onPermission(() => 'once');
  await model.script([{ tools: [{ tool: 'bash', input: { command: 'sleep 1 &' } }] }, { text: 'one' }]);
  await agent.prompt('Say one');
  await agent.waitFor((event) => event.type === 'job.ended');
  await model.script([{ text: 'two' }]);
  await agent.prompt('Say two');
  expect((await agent.facts()).said).toEqual(['one', 'two']);
});
test('steps in a new session', async ({ agent, model, page }) => {
  await model.script([{ text: 'one' }]);
  await agent.prompt('Say one');
  await page.evaluate(() => window.vitrine.sessions.create({}));
  await model.script([{ text: 'two' }]);
  await agent.prompt('Say two');
  expect((await agent.facts()).said).toEqual(['two']);
});
test('more steps than the script has', async ({ agent, model }) => {
  for (const word of ['one', 'two']) {
    await model.script([{ text: word }]);
    await agent.prompt('Say ' + word);
  }
  agent.onPermission(() => 'once');
  await model.script([call]);
  const { problem } = await agent.prompt('List the files');
  expect(problem).toContain('turn 1, step 2 was asked for, and that turn has 1 step.');
});
test('a page that is loaded again', async ({ agent, model, page }) => {
  agent.onPermission(() => 'once');
  await model.script([{ text: 'one' }]);
  await agent.prompt('Say one');
  await page.reload();
  await model.script([call, { text: 'two' }]);
  const ended = agent.waitFor(({ type }) => type === 'call.ended');
  await agent.prompt('Say two');
  expect((await ended).outcome).toBe('ok');
  await expect(agent).toHaveCalled('bash');
  await expect(agent).toHaveSaid('two');
});
test('every step', async ({ agent, model }) => {
  const turns = [{ steps: [{ error: { status: 529, retryAfter: 0 } }, { text: 'Here.' }] }, { steps: [{ text: 'Again.' }] }];
  await model.script({ version: 1, title: 'both', turns });
  await agent.prompt('One');
  await expect(model).not.toHavePlayedEveryStep();
  await agent.prompt('Two');
  await expect(model).toHavePlayedEveryStep();
});
test('a step that is left', async ({ agent, model }) => {
  await model.script([{ text: 'Done.' }, { text: 'And more.' }]);
  await agent.prompt('Go');
  await expect(model).toHavePlayedEveryStep();
});
`;

test('matchers know of tools that are taken away, and of steps that are left', async () => {
  await writeFile(path.join(project, 'steps.spec.ts'), STEPS);
  const all = await results('steps');
  const reasons = Object.fromEntries(all.map(({ title, result }) => [title, result?.error?.message ?? '']));
  expect(reasons).toEqual({
    'is denied': '',
    'a tool that there is not is not denied': '',
    'steps for one prompt after the other': '',
    'steps after a prompt that was taken back': '',
    'steps after a background job has ended': '',
    'steps in a new session': '',
    'more steps than the script has': '',
    'a page that is loaded again': '',
    'every step': '',
    'a step that is left': expect.stringContaining('  turn 1, step 2: {"text":"And more."}'),
  });
});

const PLACES = `import { expect, test } from 'vitrine/playwright';
const call = { tools: [{ tool: 'bash', input: { command: 'ls' } }] };
test('no model', async ({ agent }) => {
  await agent.prompt('Go'); // here
});
test('no answer', async ({ agent, model }) => {
  await model.script([call, { text: 'Done.' }]);
  const turn = agent.prompt('Go'); // here
  await turn;
});
test('a page that is loaded again', async ({ agent, model, page }) => {
  await model.script([{ text: 'Done.' }]);
  await page.reload();
  await agent.prompt('Go'); // here
});
test('a file that is not there', async ({ workspace }) => {
  await workspace.read('none.txt'); // here
});
test('a status', async ({ agent, model }) => {
  await model.script([{ text: 'One.' }]);
  await agent.prompt('One');
  const { status } = await agent.prompt('Two');
  expect(status).toBe('idle'); // here
});
test('a matcher', async ({ agent, model }) => {
  await model.script([{ text: 'One.' }]);
  await agent.prompt('One');
  await expect(agent).toHaveCalled('write'); // here
});
test('a forgotten await', async ({ agent, model }) => {
  await model.script([{ delayMs: 3_000, text: 'One.' }]);
  agent.prompt('One'); // here
});
test('a sub-agent without a turn', async ({ agent, model }) => {
  const task = { tool: 'task', input: { subagent_type: 'general', description: 'Look', prompt: 'Look' } };
  agent.onPermission(async () => 'once');
  await model.script([{ tools: [task] }, { text: 'Done.' }]);
  await agent.prompt('Go');
  await expect(agent).toHaveCalled('task', {}, { outcome: 'ok' }); // here
});
test('an answer that never comes', async ({ agent, model }) => {
  test.setTimeout(5_000);
  agent.onPermission(() => undefined);
  await model.script([call, { text: 'Done.' }]);
  await agent.prompt('Go');
});
`;

test('a failure names its place in the test and its reason', async () => {
  await writeFile(path.join(project, 'places.spec.ts'), PLACES);
  const all = await results('places');
  const lines = PLACES.split('\n').flatMap((line, at) => (line.endsWith('// here') ? [at + 1] : []));
  const late = all.find(({ title }) => title === 'an answer that never comes');
  expect(all.filter((each) => each !== late).map(({ result }) => result?.errors[0]?.location?.line)).toEqual(
    lines,
  );
  const reasons = Object.fromEntries(
    all.map(({ title, result }) => [title, result?.errors.map(({ message }) => message).join('\n') ?? '']),
  );
  expect(reasons).toEqual({
    'no model': expect.stringContaining('The test has not chosen a model.'),
    'no answer': expect.stringContaining('nothing answers it'),
    'a page that is loaded again': expect.stringContaining('Choose the model again, with model.script('),
    'a file that is not there': expect.stringContaining('none.txt'),
    'a status': expect.stringMatching(/Expected: \S*"idle"[^]*The turn ended: error, .*turn 2/),
    'a matcher': expect.stringMatching(
      /^Error: expect\(agent\)\.toHaveCalled\(…\) failed\n\nExpected the agent/,
    ),
    'a forgotten await': expect.stringContaining('agent.prompt("One") was still running'),
    'a sub-agent without a turn': expect.stringContaining("no turn for the sub-agent's prompt"),
    'an answer that never comes': expect.stringContaining(
      'waits for the permission "bash" (ls) to call bash',
    ),
  });
});

test('without a browser, run and eval end and say how to get one', async () => {
  kit.env = { CHROMIUM_PATH: '/nowhere/chromium' };
  const none = { code: 1, stderr: expect.stringContaining('npx playwright install chromium') };
  expect(await cli('run', 'eval/careful.script.json', '--prompt', 'Go')).toMatchObject(none);
  expect(await cli('eval', 'eval/grid.json', '--out', 'not-evaluated')).toMatchObject(none);
  kit.env = {};
});

const cli = (...args: readonly string[]) =>
  kit.run('node_modules/vitrine/cli.js', ...args).catch((error: unknown) => error);

test('commands that cannot be meant end with what to do', async () => {
  const refused = (stderr: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
  expect(await cli('show', 'package.json')).toMatchObject(refused(/package\.json cannot be shown: /));
  expect(await cli('trace', 'package.json')).toMatchObject(refused(/package\.json cannot be shown: /));
  expect(await cli('report', '.')).toMatchObject(refused(/has no report\.html/));
  expect(await cli('run', '--prompt', 'Go', '--provider', 'openai', '--model', 'm')).toMatchObject(
    refused(/^OpenAI needs a key, and there is none\. Set the environment variable VITRINE_API_KEY\./),
  );
});

test('a transcript that must not be the one of a file is compared, and the file stays as it is', async () => {
  const source = `import { expect, test } from 'vitrine/playwright';
test('another', async ({ agent, model }) => {
  await model.script([{ text: 'Done.' }]);
  await agent.prompt('Go');
  await expect(agent).not.toMatchTranscript('other.md');
});
test('none', ({ agent }) => expect(agent).not.toMatchTranscript('none.md'));
`;
  const file = path.join(project, 'nots.spec.ts-snapshots/other.md');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(path.join(project, 'nots.spec.ts'), source);
  await writeFile(file, 'Another.\n');
  const reasons = async (...given: readonly string[]) =>
    (await results('nots', ...given)).map(({ result }) => result?.error?.message ?? '');
  const none = expect.stringMatching(/There is no \S*none\.md to compare the transcript with/);
  expect(await reasons('--update-snapshots')).toEqual(['', none]);
  expect(await readFile(file, 'utf8')).toBe('Another.\n');
  await writeFile(file, '## Person\n\nGo\n\nDone.\n\n_The turn ended: idle_\n');
  const same = expect.stringMatching(/Expected the transcript not to match \S*other\.md/);
  expect(await reasons()).toEqual([same, none]);
});

test('a command whose port is taken says so and ends', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const taken = { code: 1, stderr: expect.stringContaining(`Port ${port} is taken.`) };
  expect(await cli('--no-open', '--port', String(port))).toMatchObject(taken);
  server.close();
});
