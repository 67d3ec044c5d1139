import type { Page } from '@playwright/test';
import { npmRegistry, type NpmRegistry } from '../support/npm-registry/server.ts';
import { expectPolicyCheck, test as base } from './test.ts';

/** A test with a registry of npm, which programs of the workspace reach if its host is allowed. */
export const test = base.extend<{ registry: NpmRegistry }>({
  registry: async ({ complaints }, use) => {
    expectPolicyCheck(complaints);
    const registry = await npmRegistry();
    await use(registry);
    await registry.close();
  },
});

/** The settings with which npm uses the registry of a test. */
export function npmrcOf({ url }: NpmRegistry): string {
  return `registry=${url}\nfund=false\n`;
}

/**
 * Opens the app with files in a new workspace, whose programs may reach these hosts. Returns what runs a command there, by
 * default for four minutes at most.
 */
export async function openWith(
  page: Page,
  hosts: readonly string[],
  files: Readonly<Record<string, string>>,
) {
  await page.goto('/?automation=1');
  await configureHosts(page, hosts);
  await page.evaluate((given) => window.vitrine.sessions.create({ files: { ...given } }), files);
  return (command: string, timeoutMs = 240_000) =>
    page.evaluate(([line, ms]) => window.vitrine.workspace.exec(line, { timeoutMs: ms }), [
      command,
      timeoutMs,
    ] as const);
}

/** Configures a page that has just loaded, so that a test may run commands whose programs reach these hosts. */
export async function configureHosts(page: Page, hosts: readonly string[]): Promise<void> {
  await page.evaluate(async (allowed) => {
    const { vitrine } = window;
    await vitrine.ready;
    const script = { version: 1, title: '', turns: [{ steps: [{ text: 'x' }] }] };
    await vitrine.configure({ provider: 'scripted', model: 'none', script, hosts: [...allowed] });
  }, hosts);
}
