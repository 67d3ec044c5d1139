import type { Page } from '@playwright/test';
import { Agent } from './agent.ts';
import { TestModel, type CassettePlace } from './model.ts';
import { filesOf, type VitrineOptions } from './options.ts';
import { callPage } from './page-calls.ts';

/** Opens the app in a page, with a session in a new workspace that has the files, rules and model of the options. */
export async function openAgent(
  page: Page,
  url: string,
  options: VitrineOptions,
  cassettes: CassettePlace,
): Promise<Agent> {
  const address = new URL(url);
  address.search = String(new URLSearchParams({ ...options.parameters, automation: '1' }));
  await page.goto(address.href);
  await page.evaluate(() => Reflect.get(window, 'vitrine').ready);
  const { sessionID } = await callPage(page, 'sessions.create', { files: await filesOf(options) });
  const { permission, hosts, model: chosen, script } = options;
  const allowed = { ...(permission !== undefined && { permission }), ...(hosts && { hosts }) };
  const model = new TestModel(page, allowed, cassettes);
  const agent = await Agent.connect(page, sessionID, model);
  for (const tool of options.tools ?? []) await agent.addTool(tool);
  if (chosen) await model.use(chosen);
  else if (script) await model.script(script);
  else await model.none();
  return agent;
}
