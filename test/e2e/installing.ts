import type { Page } from '@playwright/test';

/**
 * Opens the app with files in a new workspace, whose programs may reach these hosts. Returns what runs a command there, by
 * default for two minutes at most.
 */
export async function openWith(
  page: Page,
  hosts: readonly string[],
  files: Readonly<Record<string, string>>,
) {
  await page.goto('/?automation=1');
  await page.evaluate(
    async ([allowed, given]) => {
      const { vitrine } = window;
      await vitrine.ready;
      const script = { version: 1, title: '', turns: [{ steps: [{ text: 'x' }] }] };
      await vitrine.configure({ provider: 'scripted', model: 'none', script, hosts: [...allowed] });
      await vitrine.sessions.create({ files: { ...given } });
    },
    [hosts, files] as const,
  );
  return (command: string, timeoutMs = 120_000) =>
    page.evaluate(([line, ms]) => window.vitrine.workspace.exec(line, { timeoutMs: ms }), [
      command,
      timeoutMs,
    ] as const);
}
