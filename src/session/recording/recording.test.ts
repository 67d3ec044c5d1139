import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say, type Steps } from '../../../test/support/parts-model.ts';
import { finished, recordFrom, START } from '../../../test/support/recordings.ts';
import { golden } from '../../../test/support/golden.ts';
import { hashText } from '../../base/hash.ts';
import { pack } from '../../base/packed.ts';
import { memoryStorage } from '../../storage/memory/storage.ts';
import type { Event } from '../log/events.ts';
import { readSnapshot, SnapshotReader } from '../../workspace/snapshot.ts';
import { readSession } from '../log/open.ts';
import { rebuildRequest } from '../inspect/request.ts';
import { importedSessions } from './import.ts';
import { withFilesOfTurns, withoutLaterFiles } from './fewer-files.ts';
import { manifestsOf } from './later-files.ts';
import { unpackText } from './link.ts';
import { readRecording } from './read.ts';
import { rebuiltPacks } from './rebuilt-packs.ts';
import { withParts } from './parts.ts';
import { MAX_TO_CHOOSE_FROM_BYTES, type Recording } from './recording.ts';
import { linkVersions, record, recordingText, withoutRequests, type RecordingSource } from './record.ts';

const FIXED = 'export const add = (a, b) => a + b;\n';
const asText = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

test('a session goes into a file and comes back as it was: events, times, files, outputs', async () => {
  const { store, session, status } = await finished();
  expect(status).toBe('idle');
  const recording = await recordFrom(store, session.id);
  const back = await readRecording(await recordingText(recording));
  expect(back).toEqual(recording);
  expect(back.title).toBe('Test');
  expect(back.files).toMatchObject([{ path: 'add.js', type: 'file' }]);
  const [entry] = back.files ?? [];
  expect(asText(entry?.type === 'file' ? back.contents.get(entry.hash) : undefined)).toBe(START['add.js']);
  const stored = await store.events(session.id, 0);
  // Only the manifests differ: the recording makes its own lists of files.
  const unlisted = (event: Event) => (event.type === 'snapshot.taken' ? { ...event, manifest: '' } : event);
  expect(back.sessions[0].events.map(unlisted)).toEqual(stored.map(unlisted));
});

test('through a link it is the same, without the messages that were sent to the model', async () => {
  const { store, session } = await finished();
  const small = withoutRequests(await recordFrom(store, session.id));
  const packed = await pack(await recordingText(small));
  expect(packed).toMatch(/^[\w-]+$/);
  const back = await readRecording(await unpackText(packed));
  expect(back).toEqual(small);
  const started = back.sessions[0].events.flatMap((event) => (event.type === 'step.started' ? event : []));
  const [{ request } = { request: undefined }] = started;
  expect(new Set(back.contents.keys())).toEqual(
    new Set([hashText(START['add.js']), hashText(FIXED), request?.system, request?.tools]),
  );
  expect(withoutRequests(withoutLaterFiles(back), { prompts: false }).contents.size).toBe(1);
});

test('the files after each call go along, as changes, and come in with a session', async () => {
  const { store, session } = await finished();
  const recording = await recordFrom(store, session.id);
  const json = JSON.parse(await recordingText(recording)) as RecordingJSON;
  // Apps that do not know later files can still read the rest.
  expect(json.sessions[0]?.events.map(({ reason }) => reason)).not.toContain('call-end');
  expect(json.laterFiles).toMatchObject([{ changed: [{ path: 'add.js', hash: hashText(FIXED) }], gone: [] }]);

  const back = await readRecording(json);
  const [start, later] = snapshotsOf(back.sessions[0].events);
  expect(start).not.toBe(later);
  const manifest = manifestsOf(back).get(later ?? '');
  const [entry] = await readSnapshot(later ?? '', async () => manifest!);
  expect(asText(back.contents.get(entry?.type === 'file' ? entry.hash : ''))).toBe(FIXED);
  const [commit] = await importedSessions(back, { workspaceID: 'w', newSessionID: () => 'ses_new' });
  const stored = new Set(commit?.blobs.map(({ hash }) => hash));
  expect([start, later, hashText(FIXED)].map((hash) => stored.has(hash ?? ''))).toEqual([true, true, true]);
});

test('without its later files a recording is one of the files it began with, and says that there were more', async () => {
  const { store, session } = await finished();
  const bare = withoutLaterFiles(await recordFrom(store, session.id));
  expect(snapshotsOf(bare.sessions[0].events)).toHaveLength(1);
  expect(bare.contents.has(hashText(FIXED))).toBe(false);
  const text = await recordingText(bare);
  expect(JSON.parse(text)).toMatchObject({ laterFilesLeftOut: true });
  expect(await readRecording(text)).toEqual(bare);
});

test('a link that grows too long drops later files before requests', async () => {
  const { store, session } = await finished();
  const [whole, , next, ...rest] = await linkVersions(await recordFrom(store, session.id));
  expect([whole, next, ...rest].map((each) => each?.laterFiles.length)).toEqual([1, 0, 0, 0]);
  const step = next?.sessions[0].events.find((event) => event.type === 'step.started');
  expect(next?.contents.has(step?.request.system ?? '')).toBe(true);
  expect(rest.at(-1)?.contents.has(step?.request.system ?? '')).toBe(false);
});

test('later files that are missing, out of place or damaged are told', async () => {
  const { store, session } = await finished();
  const whole = await recordFrom(store, session.id);
  const gone = await record(session.id, {
    events: (id) => store.events(id, 0),
    content: async (hash) => (hash === hashText(FIXED) ? undefined : store.blobs.get(hash)),
    redact: (text) => text,
  });
  expect([gone.laterFiles.length, gone.laterFilesLeftOut]).toEqual([0, true]);
  const text = await recordingText(whole);
  const spoilt = (change: (later: RecordingJSON['laterFiles'][number]) => object) => {
    const json = JSON.parse(text) as RecordingJSON;
    return readRecording({
      ...json,
      laterFiles: json.laterFiles.map((each) => ({ ...each, ...change(each) })),
    });
  };
  for (const change of [
    () => ({ after: 10_000 }),
    () => ({ at: 0 }),
    () => ({ changed: [{ type: 'directory', path: '../x', mode: 0o755 }] }),
    ({ changed }: { changed: object[] }) => ({ changed: changed.map((entry) => ({ ...entry, size: 1 })) }),
  ])
    await expect(spoilt(change)).rejects.toMatchObject({ fault: { code: 'recording-damaged' } });
});

const editing = (from: string, to: string) => [
  ...call(`edit ${to}`, 'edit', { filePath: 'add.js', oldString: from, newString: to }),
  finish('tool-calls'),
];
const EDITING_TWICE: Steps = [
  [...call('look', 'read', { filePath: 'add.js' }), finish('tool-calls')],
  editing('a - b', 'a + b'),
  editing('a + b', 'b + a'),
  [...say('Done.'), finish()],
];

/** The content of `add.js` at each snapshot, in order. */
async function textsOf(recording: Recording): Promise<readonly (string | undefined)[]> {
  const lists = manifestsOf(recording);
  const reader = new SnapshotReader(async (hash) => lists.get(hash) ?? new Uint8Array());
  const texts = snapshotsOf(recording.sessions[0].events).map(async (manifest) => {
    const file = (await reader.read(manifest)).find(({ path }) => path === 'add.js');
    return asText(recording.contents.get(file?.type === 'file' ? file.hash : ''));
  });
  return Promise.all(texts);
}

test('a recording shows the files as they were between two calls of one turn', async () => {
  const { store, session } = await finished(EDITING_TWICE);
  const back = await readRecording(await recordingText(await recordFrom(store, session.id)));
  expect(await textsOf(back)).toEqual([START['add.js'], FIXED, FIXED.replace('a + b', 'b + a')]);
  const { events } = back.sessions[0];
  const between = events.findIndex((event) => event.type === 'snapshot.taken' && event.reason === 'call-end');
  const before = events.slice(0, between);
  expect(before.filter(({ type }) => type === 'call.ended')).toHaveLength(2);
  const [commit] = await importedSessions(back, { workspaceID: 'w', newSessionID: () => 'ses_new' });
  const stored = new Map(commit?.blobs.map(({ hash, bytes }) => [hash, bytes]));
  expect(await textsOf({ ...back, contents: stored })).toEqual(await textsOf(back));
  for (const manifest of snapshotsOf(commit?.events ?? [])) expect(stored.has(manifest)).toBe(true);
});

test('where there is less room, the files between calls go before those after turns', async () => {
  const { store, session } = await finished(EDITING_TWICE);
  const recording = await recordFrom(store, session.id);
  const fewer = await withFilesOfTurns(recording);
  expect(await textsOf(fewer)).toEqual([START['add.js'], FIXED.replace('a + b', 'b + a')]);
  expect(fewer.contents.has(hashText(FIXED))).toBe(false);
  expect(fewer.laterFilesLeftOut).toBe(true);
  expect(await readRecording(await recordingText(fewer))).toEqual(fewer);
});

test('recordings and logs that know later files after turns alone are read as ever', async () => {
  const { store, session } = await finished();
  const json = JSON.parse(await recordingText(await recordFrom(store, session.id))) as RecordingJSON;
  const older = json.laterFiles.map(({ reason: _reason, ...later }) => later);
  const back = await readRecording({ ...json, laterFiles: older });
  expect(await textsOf(back)).toEqual([START['add.js'], FIXED]);
  expect(back.sessions[0].events.findLast(({ type }) => type === 'snapshot.taken')).toMatchObject({
    reason: 'turn-end',
  });
});

interface RecordingJSON {
  sessions: { events: { type: string; reason?: string }[] }[];
  laterFiles: { after: number; at: number; reason?: string; changed: object[]; gone: string[] }[];
}

function snapshotsOf(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'snapshot.taken' ? event.manifest : []));
}

test('the requests of a recording that came by link are made again from its log', async () => {
  const { store, session, model } = await finished();
  const whole = await recordFrom(store, session.id);
  const linked = withoutRequests(whole);
  const { events } = linked.sessions[0];
  const rebuilt = await rebuiltPacks(events, (hash) => linked.contents.get(hash));
  const requests = new Map(
    events.flatMap((event) => (event.type === 'step.started' ? [[event.messageID, event.request]] : [])),
  );
  expect(requests.size).toBe(model.requests.length);
  const read = async (hash: string) => rebuilt.get(hash) ?? decoded(linked.contents.get(hash));
  for (const [index, messageID] of [...requests.keys()].entries()) {
    const { system, messages } = await rebuildRequest(messageID, (id) => requests.get(id), read);
    expect({ system, messages }).toEqual({
      system: model.requests[index]?.system,
      messages: model.requests[index]?.messages,
    });
  }
  const [commit] = await importedSessions(linked, { workspaceID: 'w', newSessionID: () => 'ses_new' });
  const stored = new Set(commit?.blobs.map(({ hash }) => hash));
  expect([...rebuilt.keys()].every((hash) => stored.has(hash))).toBe(true);
});

test('a message that was changed since is not passed off as the one that was sent', async () => {
  const { store, session } = await finished();
  const linked = withoutRequests(await recordFrom(store, session.id));
  const events = linked.sessions[0].events.map((event) =>
    event.type === 'prompt.accepted' ? { ...event, text: 'Something else' } : event,
  );
  const first = events.find((event) => event.type === 'step.started');
  const [pack] = first?.request.append ?? [];
  const rebuilt = await rebuiltPacks(events, (hash) => linked.contents.get(hash));
  expect(rebuilt.has(typeof pack === 'object' ? pack.hash : '')).toBe(false);
});

test('a link of an imported session holds requests that named other sessions by their ids from before', async () => {
  // Imported, the result of the call names the session by another id than the request did.
  const workspace = new MemoryWorkspace({
    files: { 'add.js': '// See ses_old.\nexport const add = (a, b) => a - b;\n' },
  });
  const { store, session, model } = await finished(undefined, { workspace });
  const ids = ['ses_new', 'ses_other'];
  const [commit] = await importedSessions(await recordFrom(store, session.id), {
    workspaceID: 'w',
    newSessionID: () => ids.shift() ?? 'ses_more',
  });
  const other = memoryStorage().sessions;
  await other.commit(commit!, 'strict');
  const [linked] = await linkVersions(await recordFrom(other, 'ses_new'));
  const { events } = linked!.sessions[0];
  expect(JSON.stringify(events.filter(({ type }) => type === 'call.ended'))).toContain('ses_other');
  const rebuilt = await rebuiltPacks(events, (hash) => linked!.contents.get(hash));
  const requests = new Map(
    events.flatMap((event) => (event.type === 'step.started' ? [[event.messageID, event.request]] : [])),
  );
  const read = async (hash: string) => rebuilt.get(hash) ?? decoded(linked!.contents.get(hash));
  for (const [index, messageID] of [...requests.keys()].entries()) {
    const { messages } = await rebuildRequest(messageID, (id) => requests.get(id), read);
    expect(messages).toEqual(model.requests[index]?.messages);
  }
});

const decoded = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

test('an imported session is one like any other, under an id of its own', async () => {
  const { store, session, events } = await finished();
  const recording = await recordFrom(store, session.id);
  const other = memoryStorage().sessions;
  const [commit] = await importedSessions(recording, {
    workspaceID: 'wsp_new',
    newSessionID: () => 'ses_new',
  });
  await other.commit(commit!, 'strict');
  const { state } = await readSession(other, 'ses_new');
  expect(state.workspaceID).toBe('wsp_new');
  expect(state.messages.size).toBe(session.state.messages.size);
  const stored = await other.events('ses_new', 0);
  const lines = (log: typeof stored) =>
    golden(log).map((line) => line.replace('ses_new', session.id).replace(/"manifest":"\w+"/, ''));
  expect(lines(stored.slice(1))).toEqual(lines(events));
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
  const [commit] = await importedSessions(recording, { workspaceID: 'w', newSessionID: () => 'ses_new' });
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
  const [commit] = await importedSessions(recording, { workspaceID: 'w', newSessionID: () => 'ses_new' });
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
  const text = await recordingText(recording);
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

test('what happened in the preview is in the recording, without secrets, and in the session that it becomes', async () => {
  const { store, session } = await finished();
  session.note({
    type: 'preview.noted',
    entries: [
      { kind: 'page', target: '/' },
      { kind: 'console', level: 'log', text: 'key is topsecret-1234', source: '/a.js:1:2', times: 2 },
      { kind: 'error', text: 'no', source: '/a.js:3:4', stack: 'at f' },
      { kind: 'request', method: 'GET', target: '/x', status: 404, ms: 2 },
      { kind: 'request', method: 'GET', target: '/y', problem: 'no answer', ms: 2 },
      { kind: 'blocked', url: 'https://a.example/', directive: 'img-src' },
    ],
    leftOut: 3,
  });
  await session.stored();
  const recording = await recordFrom(store, session.id, (text) =>
    text.replaceAll('topsecret-1234', '[secret]'),
  );
  const back = await readRecording(await recordingText(recording));
  expect(back).toEqual(recording);
  const noted = back.sessions[0].events.at(-1);
  expect(noted).toMatchObject({ type: 'preview.noted', leftOut: 3 });
  expect(JSON.stringify(noted)).toContain('key is [secret]');
  const [commit] = await importedSessions(back, { workspaceID: 'w', newSessionID: () => 'ses_new' });
  const { sessionID: _own, ...body } = noted!;
  expect(commit?.events.at(-1)).toMatchObject(body);
});

test('a session that is not there, and one that is too big, are refused by name', async () => {
  const { store, session } = await finished();
  await expect(recordFrom(store, 'ses_none')).rejects.toMatchObject({ fault: { code: 'session-not-found' } });
  const big = new Uint8Array(20_000_001);
  const source: RecordingSource = {
    events: (id) => store.events(id, 0),
    content: async (hash) => ((await store.blobs.get(hash))?.length === 36 ? big : store.blobs.get(hash)),
    redact: (text) => text,
  };
  const isTooBig = { fault: { code: 'recording-too-big' } };
  await expect(record(session.id, source)).rejects.toMatchObject(isTooBig);
  // The person may leave out what is too much.
  const whole = await record(session.id, source, MAX_TO_CHOOSE_FROM_BYTES);
  await expect(recordingText(whole)).rejects.toMatchObject(isTooBig);
  const everything = { files: true, outputs: true, pictures: true, requests: true, preview: true };
  const fewer = await withParts(whole, { ...everything, files: false });
  expect((await recordingText(fewer)).length).toBeLessThan(1_000_000);
});

test('what only looks like a key goes from texts, and neither from code nor from files that are no text', async () => {
  const token = 'ghp_0123456789abcdefghij';
  const code = 'const token = getToken(); // apiKey: settings.apiKey\n';
  const image = Uint8Array.of(0xff, 0x80, ...new TextEncoder().encode(` ${token} `), 0xfe);
  const workspace = new MemoryWorkspace({ files: { 'key.txt': `GH=${token}\n`, 'a.js': code } });
  await workspace.files.write('image.bin', image);
  const { store, session } = await finished([[...say(`It is ${token}.`), finish()]], { workspace });
  const text = await recordingText(await recordFrom(store, session.id));
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
