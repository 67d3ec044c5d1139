import path from 'node:path';
import { test as base, type TestInfo } from '@playwright/test';
import { serveApp } from '../server/app-server.ts';
import type { Agent } from './agent.ts';
import type { CassettePlace, TestModel } from './model.ts';
import { openAgent } from './open-agent.ts';
import type { VitrineOptions } from './options.ts';
import { TestWorkspace } from './workspace.ts';

export interface VitrineFixtures {
  readonly vitrine: VitrineOptions;
  readonly agent: Agent;
  readonly workspace: TestWorkspace;
  readonly model: TestModel;
}

export interface VitrineWorkerFixtures {
  /** The address of the app, which each worker serves itself. */
  readonly vitrineURL: string;
}

/**
 * Playwright's `test` with an agent. Each test has a page and a storage of its own, because Playwright gives each one a
 * new browser context. A test that failed has the session's recording and transcript attached.
 */
export const test = base.extend<VitrineFixtures, VitrineWorkerFixtures>({
  vitrine: [{}, { option: true }],
  vitrineURL: [
    async ({}, use) => {
      const site = await serveApp();
      await use(site.url);
      site.close();
    },
    { scope: 'worker' },
  ],
  model: async ({ agent }, use) => {
    await use(agent.model);
  },
  workspace: async ({ page, agent: _ }, use) => {
    await use(new TestWorkspace(page));
  },
  agent: async ({ page, vitrine, vitrineURL }, use, testInfo) => {
    const agent = await openAgent(page, vitrineURL, vitrine, cassettesOf(testInfo));
    await use(agent);
    if (testInfo.status !== testInfo.expectedStatus) await attach(agent, testInfo);
    else await agent.model.save();
    agent.close();
    const problem = agent.model.problem({ isOver: testInfo.status === testInfo.expectedStatus });
    if (problem !== undefined) throw new Error(problem);
  },
});

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

async function attach(agent: Agent, testInfo: TestInfo): Promise<void> {
  // A page that is gone has nothing to attach, and the test has failed anyway.
  if (agent.page.isClosed()) return;
  const recording = JSON.stringify(await agent.recording());
  await testInfo.attach('recording.json', { body: recording, contentType: 'application/json' });
  await testInfo.attach('transcript.md', { body: await agent.transcript(), contentType: 'text/markdown' });
}
