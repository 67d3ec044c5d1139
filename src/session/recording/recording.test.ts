import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { finished, recordFrom, START } from '../../../test/support/recordings.ts';
import { golden } from '../../../test/support/golden.ts';
import { memoryStorage } from '../../storage/memory/storage.ts';
import type { Event } from '../events.ts';
import { readSession } from '../open.ts';
import { importedSessions } from './import.ts';
import { packText, unpackText } from './link.ts';
import { readRecording } from './read.ts';
import { record, recordingText, withoutRequests } from './record.ts';

const asText = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

test('a session goes into a file and comes back as it was: events, times, files, outputs', async () => {
  const { store, session, status } = await finished();
  expect(status).toBe('idle');
  const recording = await recordFrom(store, session.id);
  const back = await readRecording(recordingText(recording));
  expect(back).toEqual(recording);
  expect(back.title).toBe('Test');
  expect(back.files).toMatchObject([{ path: 'add.js', type: 'file' }]);
  const [entry] = back.files ?? [];
  expect(asText(entry?.type === 'file' ? back.contents.get(entry.hash) : undefined)).toBe(START['add.js']);
  const stored = (await store.events(session.id, 0)).filter(isOfRecording);
  const taken = back.sessions[0].events.find(({ type }) => type === 'snapshot.taken');
  expect(back.sessions[0].events).toEqual(
    stored.map((event) => (event.type === 'snapshot.taken' ? taken : event)),
  );
});

test('through a link it is the same, without what was sent to the model', async () => {
  const { store, session } = await finished();
  const small = withoutRequests(await recordFrom(store, session.id));
  const packed = await packText(recordingText(small));
  expect(packed).toMatch(/^[\w-]+$/);
  const back = await readRecording(await unpackText(packed));
  expect(back).toEqual(small);
  expect([...back.contents.values()].map(asText)).toEqual([START['add.js']]);
});

test('an imported session is one like any other, under an id of its own', async () => {
  const { store, session, events } = await finished();
  const recording = await recordFrom(store, session.id);
  const other = memoryStorage().sessions;
  const [commit] = importedSessions(recording, { workspaceID: 'wsp_new', newSessionID: () => 'ses_new' });
  await other.commit(commit!, 'strict');
  const { state } = await readSession(other, 'ses_new');
  expect(state.workspaceID).toBe('wsp_new');
  expect(state.messages.size).toBe(session.state.messages.size);
  const stored = await other.events('ses_new', 0);
  const lines = (log: typeof stored) =>
    golden(log).map((line) => line.replace('ses_new', session.id).replace(/"manifest":"\w+"/, ''));
  expect(lines(stored.slice(1))).toEqual(lines(events.filter(isOfRecording)));
  const [manifest] = stored.flatMap((event) => (event.type === 'snapshot.taken' ? event.manifest : []));
  expect(await other.blobs.get(manifest ?? '')).toBeDefined();
});

test('what was allowed in a recording is not allowed where it is imported', async () => {
  const { store, session } = await finished(undefined, {
    answerer: async () => ({ reply: 'session', patterns: ['*'] }),
  });
  await session.setMode('bypass');
  await session.stored();
  const recording = await recordFrom(store, session.id);
  expect(recording.sessions[0].events.map(({ type }) => type)).toContain('rules.granted');
  const [commit] = importedSessions(recording, { workspaceID: 'w', newSessionID: () => 'ses_new' });
  expect(commit?.session.state.granted).toEqual([]);
  expect(commit?.session.state.mode).toBeUndefined();
  expect(commit?.events.map(({ seq }) => seq)).toEqual(commit?.events.map((_, index) => index));
});

test('a session that is recorded in the middle of a turn comes in as an interrupted one', async () => {
  const over = await finished([[...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')]]);
  const events = await over.store.events(over.session.id, 0);
  const cut = events.slice(
    0,
    events.findIndex(({ type }) => type === 'call.ended'),
  );
  const recording = await record(over.session.id, {
    events: async () => cut,
    content: (hash) => over.store.blobs.get(hash),
    redact: (text) => text,
  });
  const [commit] = importedSessions(recording, { workspaceID: 'w', newSessionID: () => 'ses_new' });
  expect(commit?.session.state.lastTurn?.status).toBe('interrupted');
  expect(commit?.events.filter(({ type }) => type === 'call.ended')).toMatchObject([
    { outcome: 'interrupted' },
  ]);
});

test('secrets that are known are nowhere in it, not in pieces and not in files that are no text', async () => {
  const secret = 'topsecret-1234';
  const image = Uint8Array.of(0xff, 0x80, ...new TextEncoder().encode(secret), 0x9f, 0xfe);
  const workspace = new MemoryWorkspace({ files: { 'key.txt': `KEY=${secret}\n` } });
  await workspace.files.write('image.bin', image);
  const { store, session } = await finished(
    [
      [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', text: 'It is tops' },
        { type: 'text-delta', id: 't', text: 'ecret-1234, I think.' },
        { type: 'text-end', id: 't' },
        ...call('c1', 'read', { filePath: 'key.txt' }),
        finish('tool-calls'),
      ],
      [...say(`So it is ${secret}`), finish()],
    ],
    { workspace },
  );
  const recording = await recordFrom(store, session.id, (text) => text.replaceAll(secret, '[redacted key]'));
  const text = recordingText(recording);
  expect(text).not.toContain(secret);
  expect(text).toContain('It is [redacted key], I think.');
  const back = await readRecording(text);
  const files = new Map(
    back.files?.flatMap((entry) => (entry.type === 'file' ? [[entry.path, entry.hash]] : [])),
  );
  expect(asText(back.contents.get(files.get('key.txt') ?? ''))).toBe('KEY=[redacted key]\n');
  const kept = back.contents.get(files.get('image.bin') ?? '');
  expect([kept?.[0], kept?.[1], kept?.at(-2), kept?.at(-1)]).toEqual([0xff, 0x80, 0x9f, 0xfe]);
  for (const bytes of back.contents.values())
    expect(new TextDecoder('latin1').decode(bytes)).not.toContain(secret);
});

test('a session that is not there, and one that is too big, are refused by name', async () => {
  const { store, session } = await finished();
  await expect(recordFrom(store, 'ses_none')).rejects.toMatchObject({ fault: { code: 'session-not-found' } });
  const big = new Uint8Array(20_000_001);
  const tooBig = record(session.id, {
    events: (id) => store.events(id, 0),
    content: async (hash) => ((await store.blobs.get(hash))?.length === 36 ? big : store.blobs.get(hash)),
    redact: (text) => text,
  });
  await expect(tooBig).rejects.toMatchObject({ fault: { code: 'recording-too-big' } });
});

test('what only looks like a key goes from texts, and neither from code nor from files that are no text', async () => {
  const token = 'ghp_0123456789abcdefghij';
  const code = 'const token = getToken(); // apiKey: settings.apiKey\n';
  const image = Uint8Array.of(0xff, 0x80, ...new TextEncoder().encode(` ${token} `), 0xfe);
  const workspace = new MemoryWorkspace({ files: { 'key.txt': `GH=${token}\n`, 'a.js': code } });
  await workspace.files.write('image.bin', image);
  const { store, session } = await finished([[...say(`It is ${token}.`), finish()]], { workspace });
  const text = recordingText(await recordFrom(store, session.id));
  expect(text).not.toContain(token);
  expect(text).toContain('[secret]');
  const { files, contents } = await readRecording(text);
  const contentOf = (path: string) => {
    const entry = files?.find((each) => each.path === path);
    return contents.get(entry?.type === 'file' ? entry.hash : '');
  };
  expect(asText(contentOf('key.txt'))).toBe('GH=[secret]\n');
  expect(asText(contentOf('a.js'))).toBe(code);
  expect(contentOf('image.bin')).toEqual(image);
});

test('the recording that comes with the app can be read, and came to a good end', async () => {
  const file = new URL('../../../public/examples/demo.vitrine.json', import.meta.url);
  const { sessions, files } = await readRecording(readFileSync(file, 'utf8'));
  expect(files?.length).toBeGreaterThan(0);
  expect(sessions[0].events.at(-1)).toMatchObject({ type: 'turn.ended', status: 'idle' });
});

/** Only the files as they were at the start go along. */
function isOfRecording(event: Event): boolean {
  return event.type !== 'snapshot.taken' || event.reason === 'session-start';
}
