import { expect, test } from 'vitest';
import { configuredRules } from '../agents/rules.ts';
import { NO_SETUP } from '../agents/setup.ts';
import { ownConfigFiles, workspaceConfigFiles } from '../config/files.ts';
import { WatchedConfiguration } from '../config/watched.ts';
import { visibilityOf } from '../permissions/visibility.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../test/support/parts-model.ts';
import { harness } from '../../test/support/session-harness.ts';
import type { Setups } from './deps.ts';

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
      // The file changes while the first step runs.
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

test.each([true, false])('the model of an agent works for it where it is set up: %s', async (isSetUp) => {
  const file = '{"agent": {"build": {"model": "lab/big", "temperature": 0.2}}}';
  const workspace = new MemoryWorkspace({ files: { 'opencode.json': file } });
  const { session, model, asked } = await harness([[...say('Done.'), finish('stop')]], {
    workspace,
    setups: setupsOf(workspace, true),
    isSetUp: () => isSetUp,
  });
  await session.prompt('Go.');
  await session.rested();
  const used = isSetUp ? { provider: 'lab', model: 'big' } : { provider: 'test', model: 'parts' };
  expect(asked).toContainEqual(used);
  expect(asked.some(({ provider }) => provider === 'lab')).toBe(isSetUp);
  expect(model.requests[0]?.settings).toEqual({ temperature: 0.2 });
});

test('prompts go to the default agent of the files, until another is chosen', async () => {
  const workspace = new MemoryWorkspace({ files: { 'opencode.json': '{"default_agent": "plan"}' } });
  const setups = setupsOf(workspace, true);
  await setups.refresh(workspace.id);
  const done = [...say('Done.'), finish('stop')];
  const { session, events } = await harness([done, done], { workspace, setups });
  expect([session.agent, session.mode]).toEqual(['plan', 'plan']);
  await session.prompt('Go.');
  await session.rested();
  await session.setMode('ask');
  expect([session.agent, session.mode]).toEqual(['build', 'ask']);
  expect(session.state.agent).toBe('build');
  await session.prompt('Go on.');
  await session.rested();
  expect(events.flatMap((event) => (event.type === 'prompt.accepted' ? event.agent : []))).toEqual([
    'plan',
    'build',
  ]);
});

test('a session that was with an agent which is disabled by now goes on with the default one', async () => {
  const workspace = new MemoryWorkspace();
  const setups = setupsOf(workspace);
  const done = [...say('Done.'), finish('stop')];
  const { session, events } = await harness([done], { workspace, setups });
  await session.chooseAgent('plan');
  workspace.files.put('opencode.json', '{"agent": {"plan": {"disable": true}}}');
  await session.prompt('Go.');
  await session.rested();
  expect(events.flatMap((event) => (event.type === 'step.started' ? event.agent : []))).toEqual(['build']);
});
