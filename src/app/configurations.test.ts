import { expect, test } from 'vitest';
import { timeoutTimer } from '../base/timer.ts';
import { MemorySettingsStore } from '../storage/memory/settings-store.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { ConfigurationsOfApp } from './configurations.ts';

async function opened(files: Readonly<Record<string, string>>, settings = new MemorySettingsStore()) {
  const workspace = new MemoryWorkspace({ id: 'wsp_1', files });
  const changed: (string | null)[] = [];
  const configurations = new ConfigurationsOfApp({
    settings,
    workspace: async () => workspace,
    permissions: () => ({}),
    timer: timeoutTimer,
    services: {
      web: {
        fetch,
        reachable: async () => undefined,
        proxy: () => undefined,
        policed: () => Promise.reject(new Error('no frames')),
      },
      secrets: { names: () => [], fill: async (text) => text, hide: (text) => text },
    },
    changed: (id) => void changed.push(id),
    now: () => 0,
  });
  await configurations.load();
  await configurations.refresh('wsp_1');
  return { workspace, configurations, changed, settings };
}

const GRANTING = { 'opencode.json': '{"permission": {"bash": "allow"}}' };
const allows = (configurations: ConfigurationsOfApp) =>
  configurations.current('wsp_1').rules.some(({ action }) => action === 'allow');

test('an answer about trust is stored, for exactly these contents', async () => {
  const { configurations, settings } = await opened(GRANTING);
  expect([configurations.isAnswered('wsp_1'), allows(configurations)]).toEqual([false, false]);
  const { hash } = configurations.of('wsp_1')!.grants!;
  await configurations.answer('wsp_1', hash, true);
  expect([configurations.isAnswered('wsp_1'), allows(configurations)]).toEqual([true, true]);

  const later = await opened(GRANTING, settings);
  expect(allows(later.configurations)).toBe(true);
  later.workspace.files.put('opencode.json', '{"permission": {"bash": "allow", "edit": "allow"}}');
  await later.configurations.refresh('wsp_1');
  expect([later.configurations.isAnswered('wsp_1'), allows(later.configurations)]).toEqual([false, false]);
});

test('answers about trust apply to a copy of the workspace, for the same grants', async () => {
  const { configurations, workspace, settings } = await opened(GRANTING);
  const inCopy = () => configurations.current('wsp_2').rules.some(({ action }) => action === 'allow');
  await configurations.copyTrust('wsp_1', 'wsp_2');
  expect([configurations.isAnswered('wsp_2'), inCopy()]).toEqual([false, false]);
  await configurations.answer('wsp_1', configurations.of('wsp_1')!.grants!.hash, true);
  await configurations.copyTrust('wsp_1', 'wsp_2');
  expect([configurations.isAnswered('wsp_2'), inCopy()]).toEqual([true, true]);
  expect(await settings.get('config.trust')).toHaveProperty('wsp_2');
  workspace.files.put('opencode.json', '{"permission": {"bash": "allow", "edit": "allow"}}');
  await configurations.refresh('wsp_2');
  expect([configurations.isAnswered('wsp_2'), inCopy()]).toEqual([false, false]);
});

test('a person who refused is not asked again', async () => {
  const { configurations } = await opened(GRANTING);
  await configurations.answer('wsp_1', configurations.of('wsp_1')!.grants!.hash, false);
  expect([configurations.isAnswered('wsp_1'), allows(configurations)]).toEqual([true, false]);
});

test("the person's own files take effect at once, in every workspace, and are stored", async () => {
  const { configurations, changed, settings } = await opened({});
  await configurations.setOwnFile('opencode.json', '{"permission": {"bash": "allow"}}');
  expect(allows(configurations)).toBe(true);
  expect(changed).toContain(null);
  expect(allows((await opened({}, settings)).configurations)).toBe(true);
  await configurations.setOwnFile('opencode.json', null);
  expect([allows(configurations), configurations.ownFiles()]).toEqual([false, {}]);
});

test('the page is notified of changes it did not ask for', async () => {
  const { workspace, configurations } = await opened({});
  const heard = new Promise<void>((resolve) => configurations.onChange(resolve));
  workspace.files.put('opencode.json', '{"permission": {"bash": "deny"}}');
  await heard;
  expect(configurations.current('wsp_1').rules).toContainEqual({
    permission: 'bash',
    pattern: '*',
    action: 'deny',
    source: 'config',
  });
});

test.each(['opencode.json', 'AGENTS.md', 'agents/a.md', 'tools/a.ts', 'plugin/a.mjs', 'skills/a/SKILL.md'])(
  'an own file of this name is used: %s',
  async (path) => {
    const { configurations } = await opened({});
    expect((await configurations.checkOwnFile(path, '')).isUsed).toBe(true);
  },
);

test('of an own file it is told at once what is wrong, without a workspace', async () => {
  const { configurations } = await opened({});
  expect(await configurations.checkOwnFile('notes.txt', '{')).toEqual({ isUsed: false, problems: [] });
  const { isUsed, problems } = await configurations.checkOwnFile('opencode.json', '{\n"permission": ');
  expect(isUsed).toBe(true);
  expect(problems).toMatchObject([{ file: 'opencode.json', what: expect.stringContaining('not JSON') }]);
});
