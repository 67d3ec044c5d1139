import { toBase64 } from '../../base/base64.ts';
import { FaultError } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import { maskTokens } from '../../base/secrets.ts';
import { inOrder } from '../../workspace/file-lists.ts';
import { readSnapshot, SnapshotReader } from '../../workspace/snapshot.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event, EventOf } from '../log/events.ts';
import { blobsNamedBy } from '../log/references.ts';
import { withFilesOfTurns, withoutLaterFiles } from './fewer-files.ts';
import { missingFrom } from './missing.ts';
import { RecordedContents, sizeOf } from './recorded-contents.ts';
import {
  contentsOfFiles,
  isLaterSnapshot,
  laterFilesJSON,
  laterLists,
  MAX_LISTED,
  startManifest,
} from './later-files.ts';
import { tooBig } from './read.ts';
import { MAX_RECORDING_BYTES, RECORDING_FORMAT, RECORDING_VERSION } from './recording.ts';
import type { LaterList, RecordedSession, Recording } from './recording.ts';
import { Redaction, utf8 } from './redacted.ts';
import { wordsOfTheirOwn } from './words-of-their-own.ts';

/** The source of a recording's data. */
export interface RecordingSource {
  /** The whole log; empty if there is no such session. */
  events(sessionID: string): Promise<readonly Event[]>;
  content(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Masks all known secrets in the text. */
  redact(text: string): string;
}

/**
 * Records the session and its sub-agents' sessions as stored, with up to `most` bytes of files and outputs. Rejects with a
 * fault.
 */
export async function record(
  sessionID: string,
  source: RecordingSource,
  most = MAX_RECORDING_BYTES,
): Promise<Recording> {
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
  const kept = new RecordedContents(source, redaction, most);
  const start = await startOf(own.events, source, kept);
  // Older apps do not know entries of type `ignored`.
  const files = start?.filter(({ type }) => type !== 'ignored') ?? null;
  const leftOut = start?.flatMap(({ type, path }) => (type === 'ignored' ? redaction.text(path) : [])) ?? [];
  const redacted = files?.map((entry) => redactedEntry(entry, redaction, kept.contents)) ?? null;
  for (const hash of logs.flatMap(({ events }) => events.flatMap(blobsBeside))) await kept.keep(hash);
  const later = await laterFilesOf(own.events, source, kept, redaction);
  const missingFiles = missingFrom(later.dropped, [
    redacted ?? [],
    ...later.lists.map(({ entries }) => entries),
  ])?.map(({ path, size }) => ({ path: redaction.text(path), size }));

  const sessions = logs.map(({ id, events }, index): RecordedSession => {
    const whole = index === 0 ? events.filter((event) => !later.without.has(event)) : events;
    const manifests = { start: startManifest(redacted), later: later.lists.map(({ manifest }) => manifest) };
    return { id, events: cleanEvents(whole, index === 0, redaction, manifests) };
  });
  const [first, ...others] = sessions;
  if (!first) throw new Error('No session was read.');
  const title = own.events.findLast((event) => event.type === 'session.titled');
  return {
    title: redaction.text(title?.title ?? created.title),
    started: Math.min(...sessions.map(({ events }) => events[0]?.time ?? Infinity)),
    files: redacted,
    ...(leftOut.length > 0 && { leftOut }),
    laterFiles: later.lists,
    ...(later.without.size > 0 && { laterFilesLeftOut: true }),
    ...(missingFiles && { missingFiles }),
    sessions: [first, ...others],
    contents: kept.contents,
  };
}

function cleanEvents(
  events: readonly Event[],
  own: boolean,
  redaction: Redaction,
  manifests: { readonly start: Hash; readonly later: readonly Hash[] },
): readonly Event[] {
  let time = 0;
  let lists = 0;
  const numbered = events.map((event, seq) => (event.seq === seq ? event : { ...event, seq }));
  return redaction.events(numbered).map((event): Event => {
    // Clocks are sometimes set back, but the order must stay.
    time = Math.max(time, event.time);
    if (event.type === 'snapshot.taken') {
      const later = isLaterSnapshot(event) ? manifests.later[lists++] : undefined;
      return { ...event, manifest: later ?? manifests.start, time };
    }
    // The list of files of a restore is needed only to finish it.
    if (event.type === 'restore.began' && event.files !== undefined)
      return { ...event, files: manifests.start, time };
    if (event.type === 'session.created' && own) return { ...withoutParent(event), time };
    return { ...event, time };
  });
}

/**
 * The text of a recording's file; if that would be too big, without later files. Rejects with the fault
 * `recording-too-big`.
 */
export async function recordingText(recording: Recording): Promise<string> {
  return (await written(recording)).text;
}

/** A recording as a file can hold it, with the file's text. Rejects with the fault `recording-too-big`. */
export async function written(
  recording: Recording,
): Promise<{ readonly recording: Recording; readonly text: string }> {
  for (const smaller of [
    () => recording,
    () => withFilesOfTurns(recording),
    () => withoutLaterFiles(recording),
  ]) {
    const tried = await smaller();
    // Written down, they are longer still.
    if (sizeOf(tried.contents) > MAX_RECORDING_BYTES) continue;
    const text = jsonText(tried);
    if (new TextEncoder().encode(text).length <= MAX_RECORDING_BYTES) return { recording: tried, text };
  }
  throw tooBig('It would be over 20 MB.');
}

function jsonText(recording: Recording): string {
  const { title, started, files, leftOut, laterFilesLeftOut, withheld, missingFiles, sessions, contents } =
    recording;
  const laterFiles = laterFilesJSON(recording);
  return JSON.stringify({
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    title,
    started,
    files,
    ...(leftOut && { leftOut }),
    ...(laterFiles.length > 0 && { laterFiles }),
    ...(laterFilesLeftOut && { laterFilesLeftOut }),
    ...(withheld && { withheld }),
    ...(missingFiles && { missingFiles }),
    sessions: sessions.map(({ id, events }) => ({
      id,
      events: events
        .filter((event) => !isLaterSnapshot(event))
        .map(({ v: _v, sessionID: _sessionID, seq: _seq, time, ...body }) => ({
          at: time - started,
          ...body,
        })),
    })),
    contents: [...contents].map(([hash, bytes]) => {
      const inWords = utf8(bytes);
      return inWords === undefined ? { hash, base64: toBase64(bytes) } : { hash, text: inWords };
    }),
  });
}

/** The parts of requests that a link contains, if there is room. */
export interface LinkedRequests {
  /** Requests that the person edited at a pause. */
  readonly edits?: boolean;
  /** The system prompts and tools, each once. With these, requests can be rebuilt from the log. */
  readonly prompts?: boolean;
  /** Messages that cannot be rebuilt from the log. */
  readonly own?: ReadonlySet<Hash>;
}

/** A recording without the messages of its requests, most of which can be rebuilt from the log. */
export function withoutRequests(
  recording: Recording,
  { edits = true, prompts = true, own = new Set() }: LinkedRequests = {},
): Recording {
  const needed = new Set<Hash>();
  for (const entries of [recording.files ?? [], ...recording.laterFiles.map((list) => list.entries)])
    for (const hash of contentsOfFiles(entries)) needed.add(hash);
  const sessions = recording.sessions.map(({ id, events }) => ({
    id,
    events: events.map((event): Event => {
      if (event.type !== 'step.started' && event.type !== 'request.edited') {
        for (const hash of blobsBeside(event)) needed.add(hash);
        return event;
      }
      const { system, tools, append } = event.request;
      if (prompts) needed.add(system).add(tools);
      if (edits && event.type === 'request.edited') {
        for (const hash of blobsBeside(event)) if (hash !== tools) needed.add(hash);
        return event;
      }
      const bare = append.map((pack) => {
        const hash = typeof pack === 'string' ? pack : pack.hash;
        if (own.has(hash)) needed.add(hash);
        return typeof pack === 'string' || own.has(hash) ? pack : { hash, messages: pack.messages };
      });
      return { ...event, request: { ...event.request, append: bare } };
    }),
  }));
  const [first, ...others] = sessions;
  if (!first) return recording;
  const contents = new Map([...recording.contents].filter(([hash]) => needed.has(hash)));
  return { ...recording, sessions: [first, ...others], contents };
}

/**
 * Versions of a recording for a link, each shorter than the one before: first without later files, then with
 * less of the requests.
 */
export async function linkVersions(recording: Recording): Promise<readonly Recording[]> {
  const bare = withoutLaterFiles(recording);
  const own = await wordsOfTheirOwn(withoutRequests(bare));
  return [
    withoutRequests(recording, { own }),
    withoutRequests(await withFilesOfTurns(recording), { own }),
    withoutRequests(bare, { own }),
    withoutRequests(bare, { edits: false }),
    withoutRequests(bare, { edits: false, prompts: false }),
  ];
}

/** The logs of a session and its sub-agents' sessions, each after its parent's. */
async function logsOf(sessionID: string, source: RecordingSource): Promise<RecordedSession[]> {
  const logs: RecordedSession[] = [];
  const seen = new Set<string>();
  for (const queue = [sessionID]; queue.length > 0;) {
    const id = queue.shift();
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    const events = await source.events(id);
    if (events.length === 0) continue;
    logs.push({ id, events });
    for (const event of events) if (event.type === 'task.started') queue.push(event.childID);
  }
  return logs;
}

async function startOf(
  events: readonly Event[],
  source: RecordingSource,
  kept: RecordedContents,
): Promise<readonly SnapshotEntry[] | null> {
  const taken = events.find((event) => event.type === 'snapshot.taken' && event.reason === 'session-start');
  if (taken?.type !== 'snapshot.taken') return null;
  const bytes = await source.content(taken.manifest);
  if (!bytes) return null;
  const entries = await readSnapshot(taken.manifest, async () => bytes);
  // An incomplete set of files would not be what the session began with.
  for (const hash of contentsOfFiles(entries)) if (!(await kept.keep(hash))) return null;
  return entries;
}

/** The files after calls and turns: the complete lists that fit, and the events whose lists are left out. */
async function laterFilesOf(
  events: readonly Event[],
  source: RecordingSource,
  kept: RecordedContents,
  redaction: Redaction,
): Promise<{
  readonly lists: readonly LaterList[];
  readonly without: ReadonlySet<Event>;
  readonly dropped: readonly (readonly SnapshotEntry[])[];
}> {
  const lists: (readonly SnapshotEntry[])[] = [];
  const without = new Set<Event>();
  const dropped: (readonly SnapshotEntry[])[] = [];
  const reader = new SnapshotReader(async (hash) => (await source.content(hash)) ?? NOTHING);
  const clean = memoized((entry: SnapshotEntry) => redactedEntry(entry, redaction, kept.contents));
  let listed = 0;
  for (const event of events.filter(isLaterSnapshot)) {
    const entries = await entriesOf(reader, event.manifest);
    listed += entries?.length ?? 0;
    if (entries && listed <= MAX_LISTED && (await kept.keepAll(contentsOfFiles(entries))))
      lists.push(inOrder(entries.map(clean)));
    else {
      without.add(event);
      if (entries && listed <= MAX_LISTED) dropped.push(entries);
    }
  }
  return { lists: await laterLists(lists), without, dropped };
}

const NOTHING = new Uint8Array();

/** `undefined` if the list, or an earlier one that it builds on, is gone. */
async function entriesOf(
  reader: SnapshotReader,
  manifest: Hash,
): Promise<readonly SnapshotEntry[] | undefined> {
  try {
    return await reader.read(manifest);
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'snapshot-damaged') return undefined;
    throw error;
  }
}

/** Lists share most of their entries, so each entry is converted once. */
function memoized<In extends object, Out>(make: (given: In) => Out): (given: In) => Out {
  const made = new WeakMap<In, Out>();
  return (given) => {
    const known = made.get(given) ?? make(given);
    made.set(given, known);
    return known;
  };
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
  return event.type === 'snapshot.taken' || event.type === 'restore.began' ? [] : blobsNamedBy(event);
}

function withoutParent({ parent: _parent, ...event }: EventOf<'session.created'>): Event {
  return event;
}
