import { beforeEach, afterEach, describe, expect, test } from 'vitest';
import {
  fakeOpenRouter,
  type ExchangeFault,
  type FakeOpenRouter,
} from '../../test/support/openrouter/server.ts';
import { FaultError, type Fault } from '../base/fault.ts';
import { timeoutTimer } from '../base/timer.ts';
import { KeyStore, memoryKeys } from '../models/keys.ts';
import { MemorySettingsStore } from '../storage/memory/settings-store.ts';
import { ModelSettings } from './model-settings.ts';
import { OpenRouter } from './openrouter.ts';

const APP = 'https://vitrine.example/app/';
let fake: FakeOpenRouter;
beforeEach(async () => void (fake = await fakeOpenRouter()));
afterEach(() => fake.close());

/** The whole sign-in of one tab, in which a link of the page takes the place of the person. */
async function tab(
  options: { readonly storage?: Map<string, string> | null; readonly listFaults?: Fault[] } = {},
) {
  const { storage = new Map<string, string>(), listFaults = [] } = options;
  const keys = await KeyStore.open(memoryKeys(), memoryKeys());
  const toFake: typeof fetch = (input, init) =>
    fetch(String(input).replace('https://openrouter.ai', fake.url), init);
  const settings = new ModelSettings({
    settings: new MemorySettingsStore(),
    keys,
    network: {
      origin: undefined,
      online: () => true,
      localAccessDenied: async () => false,
      reachable: async () => undefined,
    },
    timer: timeoutTimer,
    you: { ask: () => Promise.reject(new Error('nobody is asked')) },
    script: () => undefined,
  });
  const left: string[] = [];
  const restored: string[] = [];
  const openRouter = new OpenRouter({
    models: {
      choose: (choice, key) => settings.choose(choice, key),
      list: async () => {
        const fault = listFaults.shift();
        if (fault) throw new FaultError(fault);
        return [
          { id: 'lab/narrow:free', free: true, contextLimit: 4_000 },
          { id: 'lab/tiny:free', free: true, contextLimit: 64_000 },
          { id: 'lab/large', contextLimit: 200_000 },
        ];
      },
    },
    keys,
    storage: () => {
      if (!storage) throw new DOMException('Storage is not allowed.', 'SecurityError');
      return {
        getItem: (name) => storage.get(name) ?? null,
        setItem: (name, value) => void storage.set(name, value),
        removeItem: (name) => void storage.delete(name),
      };
    },
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    fetch: toFake,
    online: () => true,
    page: () => new URL(`${APP}?lang=de#/session/ses_a`),
    leave: (address) => void left.push(address),
    restore: (back) => void restored.push(back),
  });

  /** Signs in up to the point at which the page is opened again, and returns its parameters. */
  async function comeBack(link = 'Authorize'): Promise<string> {
    openRouter.signIn();
    const page = await (await fetch(left.at(-1)!.replace('https://openrouter.ai', fake.url))).text();
    const href = new RegExp(`href="([^"]*)">${link}`).exec(page)?.[1] ?? '';
    return new URL(href.replaceAll('&amp;', '&')).search;
  }
  return { openRouter, settings, keys, storage, left, restored, comeBack };
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error: unknown = await promise.then(
    () => new Error('It went well.'),
    (reason: unknown) => reason,
  );
  if (error instanceof FaultError) return error.fault;
  throw error;
}

test('the person comes back with a key for this tab, and the first free model with room is the default', async () => {
  const { openRouter, settings, keys, storage, left, restored, comeBack } = await tab();
  const search = await comeBack();
  const address = new URL(left[0] ?? '');
  expect(address.origin + address.pathname).toBe('https://openrouter.ai/auth');
  expect(address.searchParams.get('callback_url')).toMatch(
    /^https:\/\/vitrine\.example\/app\/\?sign-in=[\w-]+&lang=de$/,
  );
  expect(await openRouter.signedIn(search)).toEqual({ provider: 'openrouter', model: 'lab/tiny:free' });
  expect(settings.choice()).toEqual({ provider: 'openrouter', model: 'lab/tiny:free' });
  expect(settings.keyOf('openrouter')).toBe('tab');
  expect(keys.get('openrouter')).toBe(fake.key);
  expect(restored).toEqual(['?lang=de#/session/ses_a']);
  expect(storage?.size).toBe(0);
});

test('key, code and verifier are taken out of every text, and the address to leave for has no verifier', async () => {
  const { openRouter, keys, left, comeBack } = await tab();
  const search = await comeBack();
  await openRouter.signedIn(search);
  const { code, code_verifier: verifier } = fake.exchanges[0] as { code: string; code_verifier: string };
  expect(left[0]).not.toContain(verifier);
  expect(keys.redact(`${fake.key} ${code} ${verifier}`)).not.toMatch(/sk-or|code-|[\w-]{30}/);
});

describe('each fault has words of its own and one next action', () => {
  const at = async (fault: ExchangeFault): Promise<Fault> => {
    const { openRouter, settings, comeBack } = await tab();
    const search = await comeBack();
    fake.faults.push(fault);
    const found = await faultOf(openRouter.signedIn(search));
    expect(settings.keyOf('openrouter')).toBe('none');
    return found;
  };
  const status = (number: number, message = '') => at({ kind: 'status', status: number, message });

  test.each([
    [400, 'Invalid code', 'sign-in-expired'],
    [403, 'Invalid code', 'sign-in-expired'],
    [403, 'Invalid code_verifier', 'sign-in-proof'],
    [409, 'Conflict', 'sign-in-used'],
    [429, 'Slow down', 'sign-in-busy'],
    [503, 'Down', 'sign-in-failed'],
  ])('status %i, %s', async (number, message, code) => {
    const fault = await status(number, message);
    expect(fault.code).toBe(code);
    expect(fault.next).toBeTruthy();
  });

  test('an answer without a key', async () => {
    expect((await at({ kind: 'no-key' })).code).toBe('sign-in-answer');
  });

  test('a person who refuses', async () => {
    const { openRouter, comeBack } = await tab();
    expect((await faultOf(openRouter.signedIn(await comeBack('Deny')))).code).toBe('sign-in-refused');
    expect(fake.exchanges).toEqual([]);
  });

  test('a link that somebody else made, and a page that is opened again', async () => {
    const { openRouter, comeBack } = await tab();
    const search = await comeBack();
    const stranger = await tab();
    expect((await faultOf(stranger.openRouter.signedIn(search))).code).toBe('sign-in-other-tab');
    expect(fake.exchanges).toEqual([]);
    await openRouter.signedIn(search);
    expect((await faultOf(openRouter.signedIn(search))).code).toBe('sign-in-other-tab');
    expect(fake.exchanges).toHaveLength(1);
  });

  test('a state that is not the one of this tab', async () => {
    const { openRouter, comeBack } = await tab();
    const code = new URLSearchParams(await comeBack()).get('code') ?? '';
    expect((await faultOf(openRouter.signedIn(`?sign-in=other&code=${code}`))).code).toBe(
      'sign-in-other-tab',
    );
    expect(fake.exchanges).toEqual([]);
  });

  test('a browser that stores nothing', async () => {
    const { openRouter, left } = await tab({ storage: null });
    expect(() => openRouter.signIn()).toThrow(/could not recognize you/);
    expect(left).toEqual([]);
  });
});

test('a connection that is lost leaves the code usable for another try', async () => {
  const { openRouter, settings, comeBack } = await tab();
  const search = await comeBack();
  fake.faults.push({ kind: 'cut' });
  expect(await faultOf(openRouter.signedIn(search))).toMatchObject({ code: 'unreachable', retryable: true });
  await openRouter.signedIn(search);
  expect(settings.keyOf('openrouter')).toBe('tab');
});

test('where the list of models does not come, another try asks for it alone, with the key that has come', async () => {
  const overloaded: Fault = { code: 'overloaded', what: 'Busy.', next: 'Wait.', retryable: true };
  const unreadable: Fault = { code: 'bad-answer', what: 'The list cannot be read.' };
  const { openRouter, settings, comeBack } = await tab({ listFaults: [overloaded, unreadable] });
  const search = await comeBack();
  const told: unknown[] = [];
  settings.onChange(() => told.push(settings.keyOf('openrouter')));
  expect(await faultOf(openRouter.signedIn(search))).toEqual(overloaded);
  expect(told).toEqual(['tab']);
  expect(settings.keyOf('openrouter')).toBe('tab');
  expect(await faultOf(openRouter.signedIn(search))).toEqual({ ...unreadable, retryable: true });
  expect(await openRouter.signedIn(search)).toEqual({ provider: 'openrouter', model: 'lab/tiny:free' });
  expect(fake.exchanges).toHaveLength(1);
  expect(settings.keyOf('openrouter')).toBe('tab');
});
