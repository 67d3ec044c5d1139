import type { Page, Route } from '@playwright/test';
import { serveRuntime, type RuntimeHost } from '../support/webcontainer/server.ts';
import type {} from '../support/webcontainer/host.ts';
import { pessimistic, type Knobs } from '../support/webcontainer/knobs.ts';

let host: Promise<RuntimeHost> | undefined;

export interface FakeRuntime {
  /** What was asked of StackBlitz. */
  readonly asked: string[];
  set(knobs: Partial<Knobs>): Promise<void>;
}

/** Answers for stackblitz.com with the test host, by its own name: the page's policy and headers hold as they are. */
export async function fakeRuntime(page: Page, knobs: Partial<Knobs> = {}): Promise<FakeRuntime> {
  // `npm run test:webcontainer` asks the real one.
  if (process.env.VITRINE_LIVE) return { asked: [], set: async () => {} };
  host ??= serveRuntime();
  const served = await host;
  const asked: string[] = [];
  let silent = false;
  const set = async (changed: Partial<Knobs>) => {
    served.set(changed);
    silent = changed.page === 'silent' || (silent && changed.page === undefined);
  };
  await page.context().route('https://stackblitz.com/**', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    asked.push(pathname + search);
    if (silent) return;
    const response = await fetch(served.url + pathname + search);
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  await page.context().route('https://*.webcontainer-api.io/**', preview);
  await set({ ...pessimistic, ...knobs });
  return { asked, set };
}

/** What a server in the container shows, by the name that the runtime gives it, with the headers that it adds. */
async function preview(route: Route): Promise<void> {
  const { host: name, pathname, search } = new URL(route.request().url());
  const pages = route.request().frame().page().context().pages();
  const frames = pages.flatMap((page) => page.frames());
  const host = frames.find((frame) => frame.url().startsWith('https://stackblitz.com/headless'));
  const answer = await host?.evaluate(
    ([port, method, path]) => globalThis.askPort(Number(port), method ?? '', path ?? ''),
    [name.split('--')[1], route.request().method(), pathname + search],
  );
  if (!answer) return route.abort('connectionrefused');
  const headers = {
    'Content-Type': 'text/html',
    ...answer.headers,
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  await route.fulfill({ status: answer.status, headers, body: answer.body });
}
