import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { finished, recordFrom, START } from '../../../test/support/recordings.ts';
import { passing, sessionsOver } from '../../../test/support/session-harness.ts';
import { builtinTools } from '../../tools/builtin.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import { parseEvent, type Event } from '../log/events.ts';
import type { Commit } from '../log/store.ts';
import { forkedSessions, sessionAt } from './fork.ts';
import { recordingAt } from './recording-at.ts';

const steps = [
  [...call('c1', 'write', { filePath: 'one.txt', content: 'one' }), finish('tool-calls')],
  [...call('c2', 'write', { filePath: 'two.txt', content: 'two' }), finish('tool-calls')],
  [...say('Done.'), finish()],
];

async function source() {
  const over = await finished(steps);
  const { store, session } = over;
  // The snapshot after the last call may still be under way.
  await session.restores.plan({ kind: 'redo' }).catch(() => undefined);
  await over.sessions.close(session.id);
  const content = async (hash: string) => (await store.blobs.get(hash)) ?? Promise.reject(new Error(hash));
  const log = (id: string) => store.events(id, 0);
  return { ...over, from: { log, content }, events: await log(session.id) };
}

/** The snapshot of a call's files comes a moment after the call, and the moment between has these files, too. */
const filesAfter = (events: readonly Event[]) =>
  ['add.js', 'one.txt', 'two.txt'].slice(0, 1 + events.filter(({ type }) => type === 'call.ended').length);

const names = (files: readonly SnapshotEntry[] | null) =>
  files?.flatMap(({ type, path }) => (type === 'file' ? path : []));

function ids() {
  let next = 0;
  return () => `ses_fork${++next}`;
}

test('at every event, a session that goes on from there has that conversation and its files', async () => {
  const { from, session, store, events } = await source();
  for (let count = 1; count <= events.length; count++) {
    const at = await sessionAt(from, session.id, count);
    expect(names(at.files), `after ${count}`).toEqual(filesAfter(events.slice(0, count)));
    const [own] = await forkedSessions(at, { workspaceID: 'wsp_new', newSessionID: ids() });
    // Nothing stays open: what was is ended as interrupted.
    expect(own?.session.state.turn).toBeNull();
    expect(own?.events.map((event) => parseEvent(event).seq)).toEqual(own?.events.map((_, index) => index));
    expect(own?.session.state).toMatchObject({
      workspaceID: 'wsp_new',
      forkedFrom: { sessionID: session.id, title: 'Test', events: count },
    });
    expect(JSON.stringify(own?.events.slice(1))).not.toContain(session.id);
  }
  expect((await store.events(session.id, 0)).length).toBe(events.length);
});

test('a call that was open is ended with what is so: no page was closed', async () => {
  const { from, session, events } = await source();
  const outputAfter = async (is: (event: Event) => boolean) => {
    const at = await sessionAt(from, session.id, 1 + events.findIndex(is));
    const [own] = await forkedSessions(at, { workspaceID: 'wsp_new', newSessionID: ids() });
    return own?.events.find((event) => event.type === 'call.ended')?.output;
  };
  expect(await outputAfter((event) => event.type === 'step.part' && event.part.type === 'tool-call')).toMatch(
    /^Not run: this session is a copy of another one/,
  );
  expect(await outputAfter(({ type }) => type === 'call.running')).toMatch(
    /^Interrupted: this session is a copy of another one/,
  );
});

test('a job that runs in the original is none of the copy: it says so when it is opened', async () => {
  const { from, session, store, events } = await source();
  const started = { type: 'job.started', jobID: 4711, command: 'node server.js' };
  const last = events.at(-1) as Event;
  const log = [...events, parseEvent({ ...last, ...started, seq: last.seq + 1 })];
  const at = await sessionAt({ ...from, log: async () => log }, session.id, log.length);
  const [commit] = await forkedSessions(at, { workspaceID: 'wsp_memory', newSessionID: ids() });
  await store.commit(commit as Commit, 'strict');
  let later = 0;
  const { sessions } = sessionsOver([], {
    ...{ store, workspace: new MemoryWorkspace({ files: START }) },
    ids: { next: (kind) => `${kind}_later${++later}` },
  });
  const forked = await sessions.open('ses_fork1');
  expect(forked.state.jobs).toMatchObject([{ id: 4711, running: false }]);
  expect([...forked.state.messages.values()].at(-1)).toMatchObject({
    origin: { kind: 'jobs-ended', jobs: [{ id: 4711, by: 'copied' }] },
  });
});

test('the new session goes on: the model gets the conversation until then', async () => {
  const { from, session, store, events } = await source();
  const ended = events.findIndex((event) => event.type === 'call.ended');
  const at = await sessionAt(from, session.id, ended + 1);
  const commits = await forkedSessions(at, { workspaceID: 'wsp_memory', newSessionID: ids() });
  for (const commit of commits) await store.commit(commit, 'strict');
  const workspace = new MemoryWorkspace({ files: { ...START, 'one.txt': 'one' } });
  let later = 0;
  const over = sessionsOver([[...say('Going on.'), finish()]], {
    ...{ store, workspace, tools: builtinTools, snapshots: true },
    ids: { next: (kind) => `${kind}_later${++later}` },
  });
  const forked = await over.sessions.open('ses_fork1');
  await forked.prompt('Go on, but differently');
  await passing(over.timer, 16, forked.rested());
  const sent = JSON.stringify(over.model.requests[0]?.messages);
  expect(sent).toContain('Fix add');
  expect(sent).toContain('one.txt');
  expect(sent).not.toContain('two.txt');
  // It can go back to before its own first message too, with the files of that moment.
  const prompt = [...forked.state.messages.values()].findLast(({ role }) => role === 'user');
  const plan = await forked.restores.plan({ kind: 'before', messageID: prompt?.id ?? '' });
  expect(plan).toMatchObject({ leave: 1, files: { changes: [] } });
});

test('a moment that never was is refused', async () => {
  const { from, session, events } = await source();
  for (const count of [0, -1, events.length + 1])
    await expect(sessionAt(from, session.id, count)).rejects.toMatchObject({
      fault: { code: 'no-such-moment' },
    });
  await expect(sessionAt(from, 'ses_none', 1)).rejects.toMatchObject({ fault: { code: 'no-such-moment' } });
});

test('a recording can be cut at every event, with the files of that moment', async () => {
  const { store, session } = await source();
  const recording = await recordFrom(store, session.id);
  const { events } = recording.sessions[0];
  for (let count = 1; count <= events.length; count++) {
    const cut = recordingAt(recording, count);
    const had = events.slice(0, count);
    expect(cut.recording.sessions[0].events.slice(0, count)).toEqual(had);
    expect(names(cut.files), `after ${count}`).toEqual(filesAfter(had));
  }
  expect(() => recordingAt(recording, 0)).toThrow('no moment');
  expect(() => recordingAt(recording, events.length + 1)).toThrow('no moment');
});
