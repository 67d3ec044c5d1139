import { beforeEach, expect, inject, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf, type PermissionSettings } from '../../permissions/settings.ts';
import { webfetchTool } from '../../tools/webfetch/tool.ts';
import { policedFrame } from './policed-frame.ts';

const [named, other] = inject('webHosts');
const tool = webfetchTool({
  fetch: (...given) => fetch(...given),
  reachable: async () => undefined,
  proxy: () => undefined,
  policed: (origins) => policedFrame(document.body, origins.join(' ')),
});

/** The requests that the host got since this was last called. */
async function hits(host: string): Promise<string[]> {
  return (await fetch(`http://${host}/hits`)).json();
}
const to = (url: string) => `http://${named}/to?url=${encodeURIComponent(url)}`;
const frames = () => document.querySelectorAll('iframe').length;

beforeEach(async () => void (await Promise.all([hits(named), hits(other)])));

async function get(url: string, webfetch: Exclude<PermissionSettings, string>[string]) {
  const call = new TestCall();
  call.rules.push(...rulesOf({ webfetch }, 'settings'));
  const before = frames();
  const result = await call.run(tool, { url }).then(
    ({ output }) => output,
    ({ message }: Error) => message,
  );
  expect(frames()).toBe(before);
  return { result, asks: call.asks.map(({ patterns }) => patterns[0]) };
}

test('a redirect to a host that the rules deny never reaches it', async () => {
  const rules = { '*': 'allow', [`http://${other}/*`]: 'deny' } as const;
  for (const way of [to(`http://${other}/b`), to(to(`http://${other}/b`)), to(to(to(`http://${other}/b`)))]) {
    const { result } = await get(way, rules);
    expect(result).toContain(`${named} redirects, which was not followed: the rules deny some addresses`);
  }
  // Over the denied host and back again.
  const back = `http://${other}/to?url=${encodeURIComponent(`http://${named}/b`)}`;
  expect((await get(to(back), rules)).result).toContain('not followed');
  expect(await hits(other)).toEqual([]);
});

test('a redirect within its host is followed, and its target is checked', async () => {
  const rules = { '*': 'allow', [`http://${other}/*`]: 'deny' } as const;
  expect((await get(to('/b'), rules)).result).toContain('"pathname":"/b"');
  expect(await get(to('/b'), 'ask')).toEqual({ result: expect.stringContaining('/b'), asks: [to('/b')] });
  const onlyThere = { '*': 'ask', [`http://${named}/to*`]: 'allow' } as const;
  expect((await get(to('/b'), onlyThere)).asks).toEqual([`http://${named}/*`, `http://${named}/b`]);
});

test('a page of the same host that might be denied is not requested either', async () => {
  const rules = { '*': 'allow', '*/secret*': 'deny' } as const;
  expect((await get(to('/secret/x'), rules)).result).toContain('not followed');
  expect(await hits(named)).toEqual([
    `GET ${new URL(to('/secret/x')).pathname}${new URL(to('/secret/x')).search}`,
  ]);
});

test('a redirect to a fully allowed host is followed, whatever else is denied', async () => {
  const rules = { '*': 'deny', [`http://${named}/*`]: 'allow', [`http://${other}/*`]: 'allow' } as const;
  expect((await get(to(`http://${other}/b`), rules)).result).toContain('"pathname":"/b"');
});

test('without denies, the person is asked before a redirect leaves the host, and after it arrives', async () => {
  expect(await get(to(`http://${other}/b`), 'ask')).toEqual({
    result: expect.stringContaining('"pathname":"/b"'),
    asks: [to(`http://${other}/b`), '*', `http://${other}/b`],
  });
});
