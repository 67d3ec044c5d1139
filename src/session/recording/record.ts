import { toBase64 } from '../../base/base64.ts';
import { FaultError } from '../../base/fault.ts';
import { hashText, type Hash } from '../../base/hash.ts';
import { maskTokens } from '../../base/secrets.ts';
import { readSnapshot } from '../../workspace/snapshot.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event, EventOf } from '../events.ts';
import { blobsNamedBy } from '../references.ts';
import { manifestText, tooBig } from './read.ts';
import { MAX_RECORDING_BYTES, RECORDING_FORMAT, RECORDING_VERSION } from './recording.ts';
import type { RecordedSession, Recording } from './recording.ts';
import { Redaction, utf8 } from './redacted.ts';

/** Where a recording is made from. */
export interface RecordingSource {
  /** The whole log; empty where there is no such session. */
  events(sessionID: string): Promise<readonly Event[]>;
  content(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The text without the secrets that are known. */
  redact(text: string): string;
}

/** The session, with those that worked for it, as it stands in the store. Rejects with a fault. */
export async function record(sessionID: string, source: RecordingSource): Promise<Recording> {
  const logs = await logsOf(sessionID, source);
  const [own] = logs;
  const created = own?.events[0];
  if (!own || created?.type !== 'session.created')
    throw new FaultError({
      code: 'session-not-found',
      what: 'There is no session with this id on this device.',
      where: sessionID,
      next: 'Choose one from the list.',
    });
  const redaction = new Redaction(
    (text) => maskTokens(source.redact(text)),
    (bytes) => source.redact(bytes),
  );
  const contents = new Map<Hash, Uint8Array<ArrayBuffer>>();
  let bytes = 0;

  async function keep(hash: Hash): Promise<boolean> {
    if (contents.has(redaction.hash(hash))) return true;
    const found = await source.content(hash);
    if (!found) return false;
    const clean = redaction.content(hash, found);
    contents.set(clean.hash, clean.bytes);
    bytes += clean.bytes.length;
    if (bytes > MAX_RECORDING_BYTES) throw tooBig('Its files and outputs are over 20 MB.');
    return true;
  }

  const files = await startOf(own.events, source, keep);
  const redacted = files?.map((entry) => redactedEntry(entry, redaction, contents)) ?? null;
  const manifest = hashText(manifestText(redacted));
  for (const hash of logs.flatMap(({ events }) => events.flatMap(blobsBeside))) await keep(hash);

  const sessions = logs.map(({ id, events }, index): RecordedSession => {
    let time = 0;
    const clean = redaction.events(events).map((event): Event => {
      // Clocks are set back now and then; the order stays.
      time = Math.max(time, event.time);
      if (event.type === 'snapshot.taken') return { ...event, manifest, time };
      if (event.type === 'session.created' && index === 0) return { ...withoutParent(event), time };
      return { ...event, time };
    });
    return { id, events: clean };
  });
  const [first, ...others] = sessions;
  if (!first) throw new Error('No session was read.');
  const title = own.events.findLast((event) => event.type === 'session.titled');
  return {
    title: redaction.text(title?.title ?? created.title),
    started: Math.min(...sessions.map(({ events }) => events[0]?.time ?? Infinity)),
    files: redacted,
    sessions: [first, ...others],
    contents,
  };
}

/** As a file. Fault `recording-too-big`. */
export function recordingText(recording: Recording): string {
  const { title, started, files, sessions, contents } = recording;
  const text = JSON.stringify({
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    title,
    started,
    files,
    sessions: sessions.map(({ id, events }) => ({
      id,
      events: events.map(({ v: _v, sessionID: _sessionID, seq: _seq, time, ...body }) => ({
        at: time - started,
        ...body,
      })),
    })),
    contents: [...contents].map(([hash, bytes]) => {
      const inWords = utf8(bytes);
      return inWords === undefined ? { hash, base64: toBase64(bytes) } : { hash, text: inWords };
    }),
  });
  if (new TextEncoder().encode(text).length > MAX_RECORDING_BYTES) throw tooBig('It would be over 20 MB.');
  return text;
}

/** For a link: without what only tells what exactly was sent to the model. `edits`: what the person made of it stays. */
export function withoutRequests(recording: Recording, { edits = true } = {}): Recording {
  const needed = new Set<Hash>();
  for (const entry of recording.files ?? []) if (entry.type === 'file') needed.add(entry.hash);
  const sessions = recording.sessions.map(({ id, events }) => ({
    id,
    events: events.map((event): Event => {
      if (edits && event.type === 'request.edited') {
        const { tools } = event.request;
        for (const hash of blobsBeside(event)) if (hash !== tools) needed.add(hash);
        return event;
      }
      if (event.type !== 'step.started' && event.type !== 'request.edited') {
        for (const hash of blobsBeside(event)) needed.add(hash);
        return event;
      }
      const append = event.request.append.map((pack) =>
        typeof pack === 'string' ? pack : { hash: pack.hash, messages: pack.messages },
      );
      return { ...event, request: { ...event.request, append } };
    }),
  }));
  const [first, ...others] = sessions;
  if (!first) return recording;
  const contents = new Map([...recording.contents].filter(([hash]) => needed.has(hash)));
  return { ...recording, sessions: [first, ...others], contents };
}

/** The logs of a session and of those that worked for it, each after the one it works for. */
async function logsOf(sessionID: string, source: RecordingSource): Promise<RecordedSession[]> {
  const logs: RecordedSession[] = [];
  const seen = new Set<string>();
  for (const queue = [sessionID]; queue.length > 0;) {
    const id = queue.shift();
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    const all = await source.events(id);
    if (all.length === 0) continue;
    // The files go along as they were at the start; from there on all can happen again.
    const kept = all.filter((event) => event.type !== 'snapshot.taken' || event.reason === 'session-start');
    const events = kept.map((event, seq) => (event.seq === seq ? event : { ...event, seq }));
    logs.push({ id, events });
    for (const event of events) if (event.type === 'task.started') queue.push(event.childID);
  }
  return logs;
}

async function startOf(
  events: readonly Event[],
  source: RecordingSource,
  keep: (hash: Hash) => Promise<boolean>,
): Promise<readonly SnapshotEntry[] | null> {
  const taken = events.find((event) => event.type === 'snapshot.taken');
  const bytes = taken && (await source.content(taken.manifest));
  if (!taken || !bytes) return null;
  const entries = await readSnapshot(taken.manifest, async () => bytes);
  // In part they would be other files than those it began with.
  for (const entry of entries) if (entry.type === 'file' && !(await keep(entry.hash))) return null;
  return entries;
}

function redactedEntry(
  entry: SnapshotEntry,
  redaction: Redaction,
  contents: ReadonlyMap<Hash, Uint8Array>,
): SnapshotEntry {
  if (entry.type !== 'file') return entry;
  const hash = redaction.hash(entry.hash);
  return { ...entry, hash, size: contents.get(hash)?.length ?? entry.size };
}

function blobsBeside(event: Event): readonly Hash[] {
  return event.type === 'snapshot.taken' ? [] : blobsNamedBy(event);
}

function withoutParent({ parent: _parent, ...event }: EventOf<'session.created'>): Event {
  return event;
}
