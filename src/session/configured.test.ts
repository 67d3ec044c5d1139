import { expect, test } from 'vitest';
import { configuredRules } from '../agents/rules.ts';
import { NO_SETUP } from '../agents/setup.ts';
import { ownConfigFiles, workspaceConfigFiles } from '../config/files.ts';
import { WatchedConfiguration } from '../config/watched.ts';
import { visibilityOf } from '../permissions/visibility.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../test/support/parts-model.ts';
import { harness } from '../../test/support/session-harness.ts';
import type { Setups } from './session.ts';

function setupsOf(workspace: MemoryWorkspace, trusted = false): Setups {
  const watched = new WatchedConfiguration({
    own: ownConfigFiles(() => ({}), '~/'),
    workspace: workspaceConfigFiles(workspace, () =>
      visibilityOf({ configured: configuredRules('build', {}), saved: [] }),
    ),
    isTrusted: () => trusted,
    fetch: async () => null,
  });
  return {
    current: () => watched.current?.setup ?? NO_SETUP,
    refresh: async () => (await watched.refresh()).setup,
  };
}

test('a file that denies a tool is heeded at the next step', async () => {
  const workspace = new MemoryWorkspace();
  const steps = [
    [...call('c1', 'change', { text: 'one' }), finish('tool-calls')],
    [...call('c2', 'change', { text: 'two' }), finish('tool-calls')],
    [...say('Done.'), finish('stop')],
  ];
  let requests = 0;
  const { session, events, model } = await harness(
    () => {
      // While the first step is under way.
      if (requests === 0) workspace.files.put('opencode.json', '{"permission": {"change": "deny"}}');
      return steps[requests++];
    },
    { workspace, setups: setupsOf(workspace), settings: { change: 'allow' } },
  );
  await session.prompt('Go.');
  await session.rested();
  const outcomes = events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []));
  expect(outcomes).toEqual(['ok', 'invalid']);
  expect(model.requests.map(({ tools }) => tools.some(({ name }) => name === 'change'))).toEqual([
    true,
    false,
    false,
  ]);
});

test('the system prompt has the instructions of the workspace, as they are at each step', async () => {
  const workspace = new MemoryWorkspace({ files: { 'AGENTS.md': 'Use tabs.' } });
  let requests = 0;
  const { session, model } = await harness(
    () => {
      workspace.files.put('AGENTS.md', 'Use spaces.');
      return requests++ === 0
        ? [...call('c1', 'echo', { text: 'one' }), finish('tool-calls')]
        : [...say('Done.'), finish('stop')];
    },
    { workspace, setups: setupsOf(workspace) },
  );
  await session.prompt('Go.');
  await session.rested();
  const [first, second] = model.requests.map(({ system }) => system);
  expect(first).toContain('Instructions from: AGENTS.md\nUse tabs.');
  expect(second).toContain('Instructions from: AGENTS.md\nUse spaces.');
});

test('an agent of a file is talked to, with its prompt and its rules', async () => {
  const workspace = new MemoryWorkspace({
    files: { '.opencode/agent/poet.md': '---\nmode: primary\npermission:\n  change: deny\n---\nYou rhyme.' },
  });
  const setups = setupsOf(workspace);
  const { session, model } = await harness([[...say('Time.'), finish('stop')]], { workspace, setups });
  await expect(session.chooseAgent('poet')).rejects.toThrow('no agent');
  await setups.refresh('');
  await session.chooseAgent('poet');
  await session.prompt('Go.');
  await session.rested();
  const [request] = model.requests;
  expect(request?.system).toMatch(/^You rhyme\./);
  expect(request?.tools.map(({ name }) => name)).not.toContain('change');
});
