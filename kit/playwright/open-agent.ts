import type { Page } from '@playwright/test';
import { Agent } from './agent.ts';
import { checkOptions } from '../options/check-options.ts';
import { TestModel, type CassettePlace } from './model.ts';
import { filesOf, recordingOf, type VitrineOptions } from './options.ts';
import { callPage } from './page-calls.ts';
import { SentBodies } from './sent-bodies.ts';
import { requireServers } from './tool-servers.ts';

/** Opens the app in a page, with a session in a new workspace that has the files, rules and model of the options. */
export async function openAgent(
  page: Page,
  url: string,
  options: VitrineOptions,
  cassettes: CassettePlace,
): Promise<Agent> {
  checkOptions(options);
  const { permission, hosts, model: chosen, script } = options;
  const allowed = { ...(permission !== undefined && { permission }), ...(hosts && { hosts }) };
  const model = new TestModel(page, await SentBodies.of(page), allowed, cassettes, options.seed);
  const agent = await Agent.connect(page, model, options.agent);
  const address = new URL(url);
  address.search = String(new URLSearchParams({ ...parametersOf(options), automation: '1' }));
  await page.goto(address.href);
  await page.evaluate(() => Reflect.get(window, 'vitrine').ready);
  await agent.begin(await openSession(page, options));
  if (options.recording !== undefined) await agent.goOn();
  model.answers(agent);
  for (const tool of options.tools ?? []) await agent.addTool(tool);
  if (chosen) await model.use(chosen);
  else if (script) await model.script(script);
  else await model.none();
  if (options.mcp) {
    await agent.trust();
    await requireServers(page, options.mcp);
  }
  return agent;
}

function parametersOf({ parameters, seed, time }: VitrineOptions): Record<string, string> {
  return {
    ...parameters,
    ...(seed !== undefined && { seed: String(seed) }),
    ...(time !== undefined && { time: new Date(time).toISOString() }),
  };
}

/** Makes a session in a workspace with the files of the options, or one that goes on from the end of a recording. */
async function openSession(page: Page, options: VitrineOptions): Promise<string> {
  const files = await filesOf(options);
  const recording = await recordingOf(options);
  if (recording === undefined) return (await callPage(page, 'sessions.create', { files })).sessionID;
  const { sessionID: recorded } = await callPage(page, 'sessions.import', recording);
  // An imported session has the files of its beginning, so the test goes on in a fork, which has those of its end.
  const { sessionID } = await callPage(page, 'sessions.fork', recorded);
  for (const [path, content] of Object.entries(files))
    await callPage(page, 'workspace.writeFile', path, content);
  return sessionID;
}
