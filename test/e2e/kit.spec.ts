import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { inChromium } from '../../scripts/kit-project.mjs';
import { recordingText } from '../../src/session/recording/record.ts';
import { start } from '../support/model-server/server.ts';
import { interrupted, recordFrom } from '../support/recordings.ts';
import { KitProject, root, test } from './kit-project.ts';
import { expect } from './test.ts';

// One worker for the file: the tests share the project.
test.describe.configure({ mode: 'default' });

let kit: KitProject;
let project: string;
test.beforeAll(async ({ packedKit }) => {
  kit = await KitProject.make(packedKit);
  project = kit.folder;
});
test.afterAll(() => kit.remove());

const inProject = (...args: readonly string[]) => kit.run(...args);
const results = (...files: readonly string[]) => kit.results(...files);

test('the package has the app and is small', () => {
  const paths = kit.packed.files.map((file) => file.path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'app/index.html',
      'cli.js',
      'playwright.js',
      'README.md',
      'docs/testing.md',
      'docs/tools.md',
      'examples/first.spec.ts',
    ]),
  );
  // Programs of the workspace, and the engine of models in the tab, which are fetched when somebody uses them.
  const later = kit.packed.files.filter((file) => /\.image$|\/ort-wasm[^/]*$/.test(file.path));
  const fetchedLater = later.reduce((sum, { size }) => sum + size, 0);
  expect(kit.packed.unpackedSize - fetchedLater).toBeLessThan(12_000_000);
});

test('every example passes, and its types hold', async () => {
  const all = await results();
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter(({ ok }) => !ok)).toEqual([]);
  // The examples of the guide, each as a file that imports what it may leave out.
  const guide = await readFile(path.join(root, 'docs/testing.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code = '']) => code);
  const tests = blocks.filter((code) => code.includes('test('));
  expect(tests.length).toBeGreaterThan(2);
  const imported = "import { expect, test } from 'vitrine/playwright';\n";
  for (const [at, code] of tests.entries())
    await writeFile(
      path.join(project, `guide-${at}.spec.ts`),
      code.startsWith('import') ? code : imported + code,
    );
  const types = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  // The strictest that projects have.
  const strict = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const typed = (await readdir(project)).filter((name) => name.endsWith('.spec.ts'));
  await inProject(path.join(root, 'node_modules/typescript/bin/tsc'), ...types, ...strict, ...typed);
  for (const at of tests.keys()) await rm(path.join(project, `guide-${at}.spec.ts`));
});

test("tools of a page are called through the browser's own WebMCP as through the stand-in", async () => {
  kit.browser = inChromium(['--enable-features=WebMCP']);
  const all = await results('page-tools').finally(() => (kit.browser = inChromium()));
  expect(all).toHaveLength(2);
  expect(all.filter(({ ok }) => !ok)).toEqual([]);
});

const recordingOf = (spec: Awaited<ReturnType<typeof results>>[number] | undefined) =>
  spec?.result?.attachments.find(({ name }) => name === 'recording.json')?.path ?? '';

const FAILING = `import { expect, test } from 'vitrine/playwright';
test('without a model', async ({ agent }) => void (await agent.prompt('Hello')));
test('without an answer', async ({ agent, model }) => {
  await model.script([
    { tools: [{ tool: 'bash', input: { command: 'touch x', description: 'Make x' } }] },
    { text: 'No.' },
  ]);
  await agent.prompt('Make x');
});
test('another file', async ({ agent, model, workspace }) => {
  await model.script([{ text: 'Done, I think.' }]);
  await agent.prompt('Make y');
  await expect(workspace).toHaveFile('y');
});
test('a model that fails', async ({ agent, model }) => {
  await model.script([{ error: { status: 400 } }]);
  const { status, problem } = await agent.prompt('Go');
  expect(\`\${status} \${problem}\`).toMatch(/^error .*400/);
  await expect(agent).toHaveSaid('Done');
});
`;

test('a failure says what to do, and its recording opens in the app', async ({ page }) => {
  await writeFile(path.join(project, 'failing.spec.ts'), FAILING);
  const [model, answer, file, turn] = await results('failing');
  expect(model?.result?.error?.message).toContain('The test has not chosen a model.');
  expect(answer?.result?.error?.message).toMatch(/asked for the permission "bash" \(touch x\)/);
  expect(file?.result?.error?.message).toContain('There is no such file.');
  expect(turn?.result?.error?.message).toMatch(/to say "Done"[^]*The turn ended: error, .*400/);
  expect(file?.result?.steps?.map(({ title }) => title)).toEqual(['agent.prompt("Make y")']);
  const hint =
    /vitrine show "(\S+recording\.json)"/.exec(file?.result?.errors.at(-1)?.message ?? '')?.[1] ?? '';
  expect(path.join(project, hint)).toBe(recordingOf(file));

  const server = spawn(process.execPath, ['node_modules/vitrine/cli.js', 'show', hint, '--port', '0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    await page.goto(/http:\S+/.exec(String(line))?.[0] ?? '');
    await page.getByRole('button', { name: 'Play' }).click();
    await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Done, I think.');
  } finally {
    server.kill();
  }
});

const RECORDED = `import { expect, test } from 'vitrine/playwright';
test.use({ vitrine: { permission: 'allow' } });
test('a greeting', async ({ agent, model, workspace }) => {
  const { MODEL_URL: baseURL = '', MODEL_KEY: apiKey = '' } = process.env;
  await model.cassette({ provider: 'openai-compatible', model: 'small', baseURL, apiKey });
  await agent.prompt(process.env.ASKED ?? 'Write a greeting');
  await expect(workspace).toHaveFile('hello.txt', 'Hello\\n');
  await expect(agent).toHaveSaid('Done.');
});
`;

const UNCHECKED = `import { test } from 'vitrine/playwright';
test('no look at the answer', async ({ agent, model }) => {
  const { MODEL_URL: baseURL = '', MODEL_KEY: apiKey = '' } = process.env;
  await model.cassette({ provider: 'openai-compatible', model: 'small', baseURL, apiKey });
  await agent.prompt('Hello');
});
`;

test('a cassette is recorded once with a key that it does not hold, and replayed strictly without a server', async () => {
  await writeFile(path.join(project, 'recorded.spec.ts'), RECORDED);
  const key = 'key-that-must-not-be-written-0123456789';
  const server = await start({
    key,
    script: {
      version: 1,
      turns: [
        {
          steps: [
            { tools: [{ tool: 'write', input: { filePath: 'hello.txt', content: 'Hello\n' } }] },
            { text: `Done. Your key is ${key}, is it?` },
          ],
        },
      ],
    },
  });
  const where = { MODEL_URL: `${server.url}/v1` };
  try {
    await writeFile(path.join(project, 'unchecked.spec.ts'), UNCHECKED);
    kit.env = { ...where, MODEL_KEY: 'another-key', VITRINE_CASSETTES: 'record' };
    const [refused] = await results('unchecked');
    expect(refused).toMatchObject({ ok: false });
    expect(refused?.result?.error?.message).toMatch(/nothing was written\. The provider answered with 401/);
    await rm(path.join(project, 'unchecked.spec.ts'));

    kit.env = { ...where, MODEL_KEY: key, VITRINE_CASSETTES: 'record' };
    const [recorded] = await results('recorded');
    expect(recorded).toMatchObject({ ok: true });
  } finally {
    await server.close();
  }
  const file = path.join(project, 'cassettes/recorded.spec.ts/a-greeting.json');
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain(key);
  expect(text).toContain('<key>');

  // There is no server, no key, and, because CI is set, nothing is recorded.
  kit.env = where;
  const [replayed] = await results('recorded');
  expect(replayed).toMatchObject({ ok: true });
  kit.env = { ...where, ASKED: 'Write a greeting, please' };
  const [changed] = await results('recorded');
  expect(changed?.result?.error?.message).toContain('Request 1 is not the one that');
  expect(changed?.result?.error?.message).toContain('Write a greeting, please');
  // The key that stands in for the real one is hidden in recordings, so it must be no word of a text.
  const recording = await readFile(recordingOf(changed), 'utf8');
  expect(recording).toContain('This request was not recorded.');
  expect(recording).not.toContain('[redacted key]');
  await rm(file);
  kit.env = where;
  const [gone] = await results('recorded');
  expect(gone?.result?.error?.message).toContain('There is no cassette');
  kit.env = {};
});

const BY_AIMOCK = `import { expect, test } from 'vitrine/playwright';
test.use({ vitrine: { permission: 'allow' } });
test('a greeting', async ({ agent, model, workspace }) => {
  await model.aimock('fixtures.json');
  expect((await agent.prompt('Write a greeting')).status).toBe('idle');
  await expect(agent).toHaveSaid('It is written.');
  await expect(workspace).toHaveFile('hello.txt', 'Hello');
});
test('another prompt', async ({ agent, model }) => {
  await model.aimock('fixtures.json');
  await agent.prompt('Sing a song');
});
`;

test('fixtures of aimock answer, and a request that none fits fails the test', async () => {
  await writeFile(path.join(project, 'by-aimock.spec.ts'), BY_AIMOCK);
  const input = { filePath: 'hello.txt', content: 'Hello' };
  const fixtures = [
    { match: { toolCallId: 'c1' }, response: { content: 'It is written.' } },
    {
      match: { userMessage: 'greeting', toolName: 'write' },
      response: { toolCalls: [{ id: 'c1', name: 'write', arguments: input }] },
    },
  ];
  await writeFile(path.join(project, 'fixtures.json'), JSON.stringify({ fixtures }));
  const [fits, none] = await results('by-aimock');
  expect(fits).toMatchObject({ ok: true });
  expect(none?.result?.error?.message).toContain('No fixture of fixtures.json fits a request');
  expect(none?.result?.error?.message).toContain('Sing a song');
});

/** Opens the first run of a report, and looks into it. */
async function opensRun(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'open' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('mend the sum · careful · 1');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByRole('treeitem', { name: /^Step 4/ })).toBeVisible();
  await inspector.getByRole('treeitem', { name: /^Edit edit/ }).click();
  await expect(inspector.getByRole('region', { name: 'Details' })).toContainText('add.mjs');
}

test('an evaluation counts what passes, and its report opens each run in the inspector', async ({ page }) => {
  const grid = ['node_modules/vitrine/cli.js', 'eval', 'eval/grid.json', '--out', 'evaluated'];
  const { stdout } = await inProject(...grid);
  expect(stdout).toContain('mend the sum · careful: 4 of 4');
  const results = JSON.parse(await readFile(path.join(project, 'evaluated/results.json'), 'utf8')) as {
    runs: { model: string; failures: string[] }[];
  };
  const hasty = results.runs.filter(({ model }) => model === 'hasty');
  expect(hasty).toHaveLength(4);
  // By chance, with seeds that never change, some pass and some do not.
  expect(hasty.filter(({ failures }) => failures.length === 0).length).toBeGreaterThan(0);
  expect(hasty.flatMap(({ failures }) => failures).join()).toContain('node --test ended with 1');

  const server = spawn(
    process.execPath,
    ['node_modules/vitrine/cli.js', 'report', 'evaluated', '--port', '0'],
    { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    await page.goto(/http:\S+/.exec(String(line))?.[0] ?? '');
    await expect(page.getByRole('row', { name: /^mend the sum 100 %/ })).toContainText('51–100 %');
    await opensRun(page);
  } finally {
    server.kill();
  }
  // The report is static: from a folder it is the same.
  await page.goto(String(pathToFileURL(path.join(project, 'evaluated/report.html'))));
  await opensRun(page);
});

test('a job runs from the command line, and its exit code says how it ended', async () => {
  const write = { tool: 'write', input: { filePath: 'b.txt', content: 'b' } };
  const turns = [{ steps: [{ tools: [write] }, { text: 'Written.' }] }];
  await writeFile(path.join(project, 'job.json'), JSON.stringify({ version: 1, title: 'job', turns }));
  await mkdir(path.join(project, 'given'), { recursive: true });
  await writeFile(path.join(project, 'given/a.txt'), 'a');
  await writeFile(path.join(project, 'given/logo.png'), Buffer.from([0x89, 0x50, 0xff, 0]));
  await writeFile(path.join(project, 'given/.gitignore'), '.env\n');
  await writeFile(path.join(project, 'given/.env'), 'TOKEN=not-for-the-model');
  const job = (...rest: readonly string[]) =>
    inProject('node_modules/vitrine/cli.js', 'run', '--script', 'job.json', '--folder', 'given', ...rest);

  const { stdout } = await job('--prompt', 'Write b', '--permission', 'allow');
  expect(stdout).toContain('write: ok');
  expect(await readFile(path.join(project, 'vitrine-run/transcript.md'), 'utf8')).toContain('**write** → ok');
  expect(await readFile(path.join(project, 'vitrine-run/recording.html'), 'utf8')).toContain('"Write b"');
  const recording = JSON.parse(await readFile(path.join(project, 'vitrine-run/recording.json'), 'utf8'));
  expect(JSON.stringify(recording)).toContain('a.txt');
  expect(JSON.stringify(recording)).toContain(Buffer.from([0x89, 0x50, 0xff, 0]).toString('base64'));
  expect(JSON.stringify(recording)).not.toContain('not-for-the-model');
  await inProject('node_modules/vitrine/cli.js', 'trace', 'vitrine-run/recording.json');
  const trace = await readFile(path.join(project, 'trace.json'), 'utf8');
  expect(trace).toContain('"execute_tool write"');
  expect(trace).not.toContain('b.txt');

  // The recording of the job answers as its script did.
  await rename(path.join(project, 'vitrine-run/recording.json'), path.join(project, 'job-recording.json'));
  const again = ['node_modules/vitrine/cli.js', 'run', 'job-recording.json', '--permission', 'allow'];
  const { stdout: told } = await inProject(...again, '--repo', 'given');
  expect(told).toMatch(/> Write b\nwrite: ok\nWritten\./);

  // So does one in which the person wrote while the agent worked.
  const { store, session } = await interrupted();
  const text = await recordingText(await recordFrom(store, session.id));
  await writeFile(path.join(project, 'interrupted.json'), text);
  const { stdout: both } = await inProject(
    ...['node_modules/vitrine/cli.js', 'run', 'interrupted.json', '--permission', 'allow'],
  );
  expect(both).toMatch(/> Fix add\nread: ok\n> And be quick\n\nReally\nedit: ok\n.*As you say\./s);

  const refused = await job('--prompt', 'Write b').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('write: denied') });
  expect(refused).toMatchObject({ stdout: expect.stringContaining('give --permission') });
  const past = await job('--prompt', 'Write b', '--prompt', 'More', '--permission', 'allow').catch(
    (error: unknown) => error,
  );
  expect(past).toMatchObject({ code: 1, stdout: expect.stringMatching(/The turn ended: error, .*turn 2/) });
});

test('the command says its version', async () => {
  const { version } = JSON.parse(
    await readFile(path.join(project, 'node_modules/vitrine/package.json'), 'utf8'),
  );
  expect(await inProject('node_modules/vitrine/cli.js', '--version')).toMatchObject({
    stdout: `${version}\n`,
  });
});

test('two runs of one script with a seed give equal recordings and transcripts', async () => {
  const command = 'for i in 1 2 3; do echo $i; sleep 0.03; done; ls -l; node -e "console.log(process.argv0)"';
  const steps = [
    { reasoning: 'Let me look.', tools: [{ tool: 'bash', input: { command } }] },
    // Side by side, so that it would depend on the machine which of them ends first.
    {
      tools: [
        { tool: 'write', input: { filePath: 'b.txt', content: 'b' } },
        { tool: 'list', input: { path: '.' } },
        { tool: 'task', input: { description: 'Look', prompt: 'Look around', subagent_type: 'general' } },
      ],
    },
    { chance: [{ text: 'Heads.' }, { text: 'Tails.' }, { error: { status: 529, retryAfter: 0 } }] },
  ];
  const turns = [{ when: 'around', steps: [{ text: 'I see.' }] }, { steps }];
  await writeFile(path.join(project, 'seeded.json'), JSON.stringify({ version: 1, title: 'seeded', turns }));
  await mkdir(path.join(project, 'seeded'), { recursive: true });
  await writeFile(path.join(project, 'seeded/a.txt'), 'a');
  const run = async (seed: string, out: string) => {
    const job = ['--script', 'seeded.json', '--folder', 'seeded', '--prompt', 'Go', '--permission', 'allow'];
    await inProject('node_modules/vitrine/cli.js', 'run', ...job, '--seed', seed, '--out', out);
    const read = (name: string) => readFile(path.join(project, out, name), 'utf8');
    return { recording: await read('recording.json'), transcript: await read('transcript.md') };
  };
  const first = await run('7', 'first');
  const again = await run('7', 'again');
  expect(again.transcript).toBe(first.transcript);
  expect(again.recording).toBe(first.recording);
  expect(first.recording).toContain('2026-01-01T12:00:00Z');
  // Without this, a recording that has no ids at all would pass.
  expect((await run('8', 'other')).recording).not.toContain(/"ses_\w+"/.exec(first.recording)?.[0]);
});
