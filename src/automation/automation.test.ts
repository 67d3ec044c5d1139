import { expect, test } from 'vitest';
import { harness } from '../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import type { Event } from '../session/log/events.ts';
import { automationAtOnce } from './at-once.ts';
import { createAutomation } from './automation.ts';
import type { Automation, AutomationHost } from './types.ts';

function hostOf(own: Partial<AutomationHost>): Promise<AutomationHost> {
  const missing = () => Promise.reject(new Error('not provided in this test'));
  return Promise.resolve({
    ready: Promise.resolve(),
    configure: async () => {},
    unplayed: missing,
    model: () => undefined,
    currentSession: missing,
    openSession: missing,
    createSession: missing,
    sessions: missing,
    messages: missing,
    events: missing,
    export: missing,
    import: missing,
    fork: missing,
    restore: missing,
    changes: missing,
    currentWorkspace: missing,
    trust: missing,
    liveSessions: () => [],
    requireAgent: () => {},
    requireModel: async () => {},
    tools: missing,
    registerTool: missing,
    setAnswerer: () => {},
    setQuestionAnswerer: () => {},
    onEvents: () => {},
    ...own,
  });
}

test('writeFile resolves once the file is in storage', async () => {
  const workspace = new MemoryWorkspace({});
  const automation = createAutomation(hostOf({ currentWorkspace: async () => workspace }));
  await automation.workspace.writeFile('a.txt', 'a');
  expect(workspace.files.text('a.txt')).toBe('a');
  expect(workspace.durables).toBe(1);
});

test('writeFile takes bytes as Base64', async () => {
  const workspace = new MemoryWorkspace({});
  const automation = createAutomation(hostOf({ currentWorkspace: async () => workspace }));
  await automation.workspace.writeFile('a.bin', { base64: '/wA=' });
  expect(await workspace.files.read('a.bin')).toEqual(Uint8Array.of(255, 0));
  await expect(automation.workspace.writeFile('b.bin', { base64: '?' })).rejects.toThrow(
    'b.bin is not Base64',
  );
});

test('trust() works only after configure(), and returns what it trusts', async () => {
  const automation = createAutomation(hostOf({ trust: async () => ['bash npm *'] }));
  await expect(automation.trust()).rejects.toThrow('only after configure()');
  await automation.configure({ provider: 'scripted', script: { turns: [] } });
  expect(await automation.trust()).toEqual({ trusted: ['bash npm *'] });
});

test('calls from before the code is loaded reach it in their order, with their arguments', async () => {
  const workspace = new MemoryWorkspace({});
  let load = (_automation: Automation): void => {};
  const automation = automationAtOnce(new Promise((resolve) => (load = resolve)));
  const written = automation.workspace.writeFile('a.txt', 'a');
  const read = automation.workspace.readFile('a.txt');
  const early = automation.trust();
  expect(() => automation.onPermission(Object('once'))).toThrow('takes a function');
  load(createAutomation(hostOf({ currentWorkspace: async () => workspace })));
  await Promise.all([automation.ready, written]);
  expect(await read).toBe('a');
  await expect(early).rejects.toThrow('only after configure()');
  await expect(automation.workspace.list('')).rejects.toThrow('The glob of workspace.list()');
});

test('onEvent passes on every event while a handler is set', async () => {
  let tell: (events: readonly Event[]) => void = () => {};
  const automation = createAutomation(hostOf({ onEvents: (listener) => void (tell = listener) }));
  const event = (seq: number): Event => ({
    v: 1,
    sessionID: 'ses_a',
    seq,
    time: 0,
    type: 'session.titled',
    title: 'A',
  });
  const heard: unknown[] = [];
  automation.onEvent((given) => heard.push(given));
  await Promise.resolve();
  tell([event(0), event(1)]);
  automation.onEvent(null);
  tell([event(2)]);
  expect(heard).toEqual([event(0), event(1)]);
});

test('a tool of the test is checked before it is registered', async () => {
  const registered: unknown[] = [];
  const host = hostOf({
    registerTool: async (tool) => {
      registered.push(tool);
      return () => void registered.splice(registered.indexOf(tool), 1);
    },
  });
  const { tools } = createAutomation(host);
  const execute = () => 'done';
  const takeBack = await tools.register({ name: 'stock', execute });
  expect(registered).toEqual([{ name: 'stock', description: '', schema: {}, execute }]);
  await expect(tools.register({ name: '1st', execute })).rejects.toThrow('begins with a letter');
  const nothing: never = JSON.parse('{ "name": "stock", "execute": 1 }') as never;
  await expect(tools.register(nothing)).rejects.toThrow('is no function');
  takeBack();
  expect(registered).toEqual([]);
});

test('a prompt that is stopped before its session has accepted it ends as aborted', async () => {
  const { session, events } = await harness([]);
  const stops: Promise<void>[] = [];
  const automation = createAutomation(
    hostOf({
      currentSession: async () => session,
      liveSessions: () => [session],
      // The automation asks for the model right before it gives the prompt to the session.
      model: () => {
        stops.push(automation.abort());
        return undefined;
      },
    }),
  );
  expect(await automation.prompt('Go')).toEqual({ sessionID: session.id, status: 'aborted' });
  await Promise.all(stops);
  expect(events.map(({ type }) => type)).toEqual(['prompt.accepted']);
});

test('a handler that is no function is refused, whether the code is loaded or not', () => {
  const never = new Promise<Automation>(() => {});
  for (const automation of [createAutomation(hostOf({})), automationAtOnce(never)])
    for (const name of ['onPermission', 'onQuestion', 'onEvent'] as const)
      for (const wrong of ['x', 42, undefined, {}]) {
        const set = automation[name] as (handler: unknown) => void;
        expect(() => set(wrong)).toThrow(`${name}() takes a function, or null.`);
      }
});

test('an id of a session that is none is refused by the name of the call', async () => {
  const { sessions } = createAutomation(hostOf({}));
  for (const name of ['open', 'messages', 'events', 'export', 'fork'] as const)
    for (const wrong of [undefined, null, '', 5]) {
      const call = sessions[name] as (id: unknown) => Promise<unknown>;
      await expect(call(wrong)).rejects.toThrow(`The id of sessions.${name}()`);
    }
});

test('a job is stopped by its id; a number that is no id of a job is refused', async () => {
  const stopped: number[] = [];
  const job = { id: 7, number: 1, owner: 's', command: 'x', started: 0, log: '', ports: [], tail: '' };
  const ended = { ...job, id: 6, end: { at: 1, exitCode: 0, by: 'itself' as const } };
  const jobs = {
    list: () => [ended, job],
    onChange: () => () => {},
    stop: async (id: number) => void stopped.push(id),
    stopAllOf: async () => {},
    output: async () => '',
  };
  const workspace = Object.assign(new MemoryWorkspace({}), { jobs });
  const automation = createAutomation(hostOf({ currentWorkspace: async () => workspace }));
  await automation.workspace.stopJob(7);
  await automation.workspace.stopJob(6);
  expect(stopped).toEqual([7, 6]);
  await expect(automation.workspace.stopJob(999)).rejects.toThrow('no job has the id 999');
});

test('a model that the provider does not have is refused before the prompt counts', async () => {
  const { session, events } = await harness([]);
  const automation = createAutomation(
    hostOf({
      currentSession: async () => session,
      model: () => ({ provider: 'scripted', model: 'm' }),
      requireModel: ({ model }) => Promise.reject(new Error(`no model ${model}`)),
    }),
  );
  await expect(automation.prompt('Go', { model: 'other' })).rejects.toThrow('no model other');
  expect(events).toEqual([]);
});

test('a host that is empty is refused', async () => {
  const automation = createAutomation(hostOf({}));
  await expect(automation.configure({ provider: 'you', hosts: ['a.example', ' '] })).rejects.toThrow(
    'hosts[1]',
  );
});
