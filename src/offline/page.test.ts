import { expect, test } from 'vitest';
import { buildMark } from './build.ts';
import { answerPage, type PageDeps } from './page.ts';

const page = (build: string) => new Response(`<meta ${buildMark(build)} />`);

/** The answer's text, and what was kept, for a worker of build "own" that keeps "kept". */
async function answered(change: Partial<PageDeps>) {
  const stored: string[] = [];
  const response = await answerPage({
    build: 'own',
    fetch: async () => page('own'),
    kept: async () => new Response('kept'),
    keep: async (response) => void stored.push(await response.text()),
    wait: () => new Promise(() => {}),
    ...change,
  });
  return { text: await response.text(), status: response.status, stored };
}

test("the server's page is shown, and kept as its owner has it now", async () => {
  const mark = `<meta ${buildMark('own')} />`;
  expect(await answered({})).toEqual({ text: mark, status: 200, stored: [mark] });
});

test('a page of another build is shown, but not kept among the files of this one', async () => {
  expect(await answered({ fetch: async () => page('newer') })).toMatchObject({
    text: `<meta ${buildMark('newer')} />`,
    stored: [],
  });
});

test.each([
  ['no network', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a server that fails', async () => new Response('Bad gateway', { status: 502 })],
  ['the page of a hotel', async () => new Response('<h1>Sign in to the Wi-Fi</h1>')],
])('with %s the kept page opens', async (_what, fetch) => {
  expect(await answered({ fetch })).toEqual({ text: 'kept', status: 200, stored: [] });
});

test('a server that is too slow is not waited for', async () => {
  expect(await answered({ fetch: () => new Promise(() => {}), wait: async () => {} })).toMatchObject({
    text: 'kept',
  });
});

test('without a kept page the server is waited for, and its answer is shown', async () => {
  const late = { kept: async () => undefined, wait: async () => {} };
  const slow = async () => (await new Promise((resolve) => setTimeout(resolve, 5)), page('own'));
  expect(await answered({ ...late, fetch: slow })).toMatchObject({ text: `<meta ${buildMark('own')} />` });
  const missing = async () => new Response('No such page', { status: 404 });
  expect(await answered({ ...late, fetch: missing })).toMatchObject({ text: 'No such page', status: 404 });
});
