import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { test as base, type TestInfo } from '@playwright/test';
import { messageOf } from '../../src/base/message-of.ts';
import { recordingPage } from '../report/recording-page.ts';
import { badEndOf, waitOf } from '../facts/end.ts';
import { checkOptions } from '../options/check-options.ts';
import { serveApp } from '../server/app-server.ts';
import { EMPTY_PAGE } from './kept-page.ts';
import { KeptPages } from './kept-pages.ts';
import type { Agent } from './agent.ts';
import type { CassettePlace, TestModel } from './model.ts';
import { openAgent } from './open-agent.ts';
import type { TestOptions } from './options.ts';
import { usesFixtures } from './uses-fixtures.ts';
import { TestWorkspace } from './workspace.ts';

export interface VitrineFixtures {
  readonly vitrine: TestOptions;
  readonly agent: Agent;
  readonly workspace: TestWorkspace;
  readonly model: TestModel;
}

export interface VitrineWorkerFixtures {
  /** The address of the app, which each worker serves itself. */
  readonly vitrineURL: string;
  /** Whether a test may use the page of the one before, cleared, which is quicker than a new one. */
  readonly vitrineKeepPage: boolean;
  readonly vitrineKeptPages: KeptPages;
}

const emptyPageFile = fileURLToPath(new URL('./empty.html', import.meta.url));

/**
 * Playwright's `test` with an agent. Each test has a page and a storage of its own: a new browser context, or a page that
 * was cleared after the test before. A test that failed has the session's recording and transcript attached.
 */
export const test = base.extend<VitrineFixtures, VitrineWorkerFixtures>({
  vitrine: [{}, { option: true }],
  vitrineURL: [
    async ({}, use) => {
      const site = await serveApp({ files: { [EMPTY_PAGE]: emptyPageFile } });
      await use(site.url);
      site.close();
    },
    { scope: 'worker' },
  ],
  vitrineKeepPage: [true, { scope: 'worker', option: true }],
  vitrineKeptPages: [
    async ({ vitrineURL }, use) => {
      const pages = new KeptPages(vitrineURL);
      await use(pages);
      await pages.close();
    },
    { scope: 'worker', box: true },
  ],
  // Playwright's reports and traces leave out what opens and clears the page, as the test is not about that.
  context: [
    async (
      {
        browser,
        context,
        vitrineKeepPage,
        vitrineKeptPages,
        video,
        storageState,
        permissions,
        contextOptions,
        actionTimeout,
        navigationTimeout,
      },
      use,
      testInfo,
    ) => {
      const settings = { video, storageState, permissions, contextOptions, actionTimeout, navigationTimeout };
      const mayKeep = vitrineKeepPage && usesFixtures(testInfo.fn);
      const kept = mayKeep ? await vitrineKeptPages.take(browser, context, settings) : undefined;
      if (!kept) return use(context);
      // Playwright's own context is not used then, and the test is not to find it in `browser.contexts()`.
      await context.close();
      await use(kept.context);
      const { status } = testInfo;
      await vitrineKeptPages.giveBack(status === 'passed' ? undefined : `The test has ended: ${status}.`);
    },
    { scope: 'test', box: true },
  ],
  page: async ({ context, vitrineKeptPages }, use) => {
    await use(vitrineKeptPages.pageOf(context) ?? (await context.newPage()));
  },
  model: async ({ agent }, use) => {
    await use(agent.model);
  },
  workspace: async ({ page, agent }, use) => {
    await use(new TestWorkspace(page, agent.model.open));
  },
  agent: async ({ page, vitrine, vitrineURL }, use, testInfo) => {
    const agent = await openAgent(page, vitrineURL, besideTest(vitrine, testInfo), cassettesOf(testInfo));
    agent.reportSteps((title, body) => base.step(title, body));
    await use(agent);
    try {
      await checkEnd(agent, testInfo);
    } finally {
      agent.model.open.end();
    }
  },
});

/** Fails the test for what it has left open or unused, and attaches what the agent did if it has failed. */
async function checkEnd(agent: Agent, testInfo: TestInfo): Promise<void> {
  const hasPassed = testInfo.status === testInfo.expectedStatus;
  const { open } = agent.model;
  const forgotten = hasPassed ? open.problem() : undefined;
  open.abandon();
  try {
    agent.close();
    if (forgotten !== undefined) throw forgotten;
    const problem = agent.model.problem({ isOver: hasPassed });
    // A test that has failed by it says so already.
    const isSaid = testInfo.errors.some(({ message = '' }) => message.includes(problem ?? ''));
    if (problem !== undefined && !isSaid) throw new Error(problem);
    if (hasPassed) await agent.model.save();
  } catch (error) {
    const message = messageOf(error);
    throw withHint(error, await attach(agent, testInfo, message));
  }
  if (!hasPassed) testInfo.errors.push({ message: await attach(agent, testInfo) });
}

/** Paths of a test are relative to its file, as its cassettes are. */
function besideTest(options: TestOptions, { file }: TestInfo): TestOptions {
  checkOptions(options);
  const { folder, recording } = options;
  const beside = (given: string) => path.resolve(path.dirname(file), given);
  return {
    ...options,
    ...(typeof folder === 'string' && { folder: beside(folder) }),
    ...(typeof recording === 'string' && { recording: beside(recording) }),
  };
}

/** The cassettes of a test file are beside it, one for each test, named by its titles. */
function cassettesOf({ file, titlePath }: TestInfo): CassettePlace {
  const titles = titlePath.slice(1).join(' ');
  const name = titles
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
  return { folder: path.join(path.dirname(file), 'cassettes', path.basename(file)), name: name || 'test' };
}

/** Attaches what the agent did, and returns what to do with it or why there is nothing. `problem` is what failed besides the errors of the test. */
async function attach(agent: Agent, testInfo: TestInfo, problem?: string): Promise<string> {
  if (agent.page.isClosed()) return 'There is no recording, because the page was closed.';
  try {
    return await attachAll(agent, testInfo, problem);
  } catch {
    // An error that nothing waits for ends the test while its page is read.
    return 'There is no whole recording, because the page was closed while it was read. Is there an `await` before each call and each matcher?';
  }
}

/**
 * Writes the recording, a page that shows it, and the transcript beside Playwright's other files of the test, where they stay
 * whatever reporter there is, and returns what to do with them.
 */
async function attachAll(agent: Agent, testInfo: TestInfo, problem: string | undefined): Promise<string> {
  const write = async (fileName: string, contentType: string, text: string, name = fileName) => {
    const file = testInfo.outputPath(fileName);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    testInfo.attachments.push({ name, path: file, contentType });
    return file;
  };
  const json = JSON.stringify(await agent.recording());
  const command = `npx vitrine show ${shownPath(testInfo.outputPath('recording.json'))}`;
  const reasons = [
    ...testInfo.errors.map((error) => `${error.message ?? ''}${placeIn(testInfo.file, error.stack)}`),
    ...(problem ? [problem] : []),
  ];
  const page = await recordingPage(json, {
    title: testInfo.titlePath.join(' › '),
    reason: stripVTControlCharacters(reasons.join('\n\n')),
    command,
  });
  // Playwright's report opens what is HTML in a tab of its own.
  const shown = await write('recording.html', 'text/html', page, 'recording in the inspector');
  await write('recording.json', 'application/json', json);
  await write('transcript.md', 'text/markdown', await agent.transcript());
  return `${await endIfUnsaid(agent, reasons)}What the agent did is in ${shownPath(shown)}.\nIn the whole app: ${command}`;
}

/**
 * Says how the last turn ended unless it ended well, or what it waits for, unless `reasons` say it already: a test may only have
 * compared its status.
 */
async function endIfUnsaid(agent: Agent, reasons: readonly string[]): Promise<string> {
  const facts = await agent.facts();
  const end = badEndOf(facts) ?? waitOf(facts);
  const isSaid = (text: string) => reasons.some((reason) => stripVTControlCharacters(reason).includes(text));
  return end === undefined || isSaid(end) ? '' : `${end}\n`;
}

/** The same error with more in its message, which Playwright takes from the stack. */
function withHint(error: unknown, hint: string): Error {
  const message = messageOf(error);
  const hinted = new Error(`${message}\n\n${hint}`);
  if (error instanceof Error && error.stack !== undefined)
    hinted.stack = error.stack.replace(message, () => hinted.message);
  return hinted;
}

/** The place in the test's file where an error comes from, on a line of its own. */
function placeIn(file: string, stack = ''): string {
  const start = stack.indexOf(`${file}:`);
  const [place] = start < 0 ? [] : (/^:\d+:\d+/.exec(stack.slice(start + file.length)) ?? []);
  return place === undefined ? '' : `\nat ${path.relative(process.cwd(), file)}${place}`;
}

/** A path as it is written after a command in the folder of the tests. */
const shownPath = (file: string) => JSON.stringify(path.relative(process.cwd(), file));
