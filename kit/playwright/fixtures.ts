import { test as base, type TestInfo } from '@playwright/test';
import { serveApp } from '../server/app-server.ts';
import { Agent } from './agent.ts';
import { TestModel } from './model.ts';
import { filesOf, type VitrineOptions } from './options.ts';
import { callPage } from './page-calls.ts';
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
    const address = new URL(vitrineURL);
    address.search = String(new URLSearchParams({ ...vitrine.parameters, automation: '1' }));
    await page.goto(address.href);
    await page.evaluate(() => Reflect.get(window, 'vitrine').ready);
    const files = await filesOf(vitrine);
    const { sessionID } = await callPage(page, 'sessions.create', { files });
    const { permission, hosts } = vitrine;
    const model = new TestModel(page, { permission, ...(hosts && { hosts }) });
    const agent = await Agent.connect(page, sessionID, model);
    if (vitrine.model) await model.use(vitrine.model);
    else if (vitrine.script) await model.script(vitrine.script);
    else await model.none();
    await use(agent);
    if (testInfo.status !== testInfo.expectedStatus) await attach(agent, testInfo);
    agent.close();
  },
});

async function attach(agent: Agent, testInfo: TestInfo): Promise<void> {
  // A page that is gone has nothing to attach, and the test has failed anyway.
  if (agent.page.isClosed()) return;
  const recording = JSON.stringify(await agent.recording());
  await testInfo.attach('recording.json', { body: recording, contentType: 'application/json' });
  await testInfo.attach('transcript.md', { body: await agent.transcript(), contentType: 'text/markdown' });
}
