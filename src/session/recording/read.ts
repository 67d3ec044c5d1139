import { messageOf } from '../../base/message-of.ts';
import * as z from 'zod/mini';
import { fromBase64 } from '../../base/base64.ts';
import { FaultError } from '../../base/fault.ts';
import { Slices } from '../../base/slices.ts';
import { digestBytes, type Hash } from '../../base/hash.ts';
import { snapshotEntriesSchema } from '../../workspace/snapshot.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import { eventBodySchema, EVENT_VERSION, type Event } from '../log/events.ts';
import {
  fullLists,
  laterFilesSchema,
  laterLists,
  MAX_LISTED,
  startManifest,
  type LaterFilesJSON,
} from './later-files.ts';
import { MOST_NAMED } from './missing.ts';
import { MAX_RECORDING_BYTES, RECORDING_FORMAT, RECORDING_VERSION } from './recording.ts';
import type { RecordedSession, Recording } from './recording.ts';
import { unsound } from './sound-json.ts';
import { brokenTie } from './links.ts';

const MAX_EVENTS = 200_000;
/** The latest time of an event after the first one: ten years. */
const MAX_AT = 10 * 366 * 24 * 3_600_000;

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const count = z.exactOptional(z.int().check(z.minimum(1)));
const fileSchema = z.object({
  title: z.string().check(z.maxLength(10_000)),
  started: z.number().check(z.minimum(0), z.maximum(4e12)),
  files: z.nullable(snapshotEntriesSchema),
  leftOut: z.optional(z.array(z.string())),
  laterFiles: z.optional(laterFilesSchema),
  laterFilesLeftOut: z.optional(z.boolean()),
  withheld: z.optional(
    z.object({ files: count, outputs: count, pictures: count, requests: count, preview: count }),
  ),
  missingFiles: z.optional(
    z
      .array(z.object({ path: z.string().check(z.maxLength(10_000)), size: z.int().check(z.nonnegative()) }))
      .check(z.maxLength(MOST_NAMED)),
  ),
  sessions: z
    .array(
      z.object({
        id: z.string().check(z.regex(/^ses_[a-z0-9]{1,32}$/)),
        events: z.array(z.unknown()).check(z.minLength(1)),
      }),
    )
    .check(z.minLength(1), z.maxLength(1_000)),
  contents: z.array(
    z.union([z.strictObject({ hash, text: z.string() }), z.strictObject({ hash, base64: z.string() })]),
  ),
});

/** Each event is checked on its own, because checking a long log at once would block the page too long. */
const timedSchema = z.looseObject({ at: z.number().check(z.minimum(0), z.maximum(MAX_AT)) });

/**
 * Reads a recording, as text or as parsed JSON, from any source. It is checked completely, or refused with a
 * fault that names the problem and its place. Codes: `recording-invalid`, `recording-version`,
 * `recording-damaged`, `recording-too-big`.
 */
export async function readRecording(source: unknown): Promise<Recording> {
  const value = typeof source === 'string' ? parse(source) : source;
  requireKind(value);
  const slices = new Slices();
  const problem = await unsound(value, slices);
  if (problem !== undefined) throw damaged(problem);
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw damaged(issueText(parsed.error));
  const { title, started, files, leftOut, laterFiles: later = [], laterFilesLeftOut } = parsed.data;
  const events = parsed.data.sessions.reduce((sum, { events }) => sum + events.length, later.length);
  if (events > MAX_EVENTS) throw tooBig(`It has ${events} events; ${MAX_EVENTS} are the most.`);

  const contents = await contentsOf(parsed.data.contents, slices);
  for (const entries of [files ?? [], ...later.map(({ changed }) => changed)])
    requireContents(entries, contents);
  const lists = fullLists(files, later);
  if (!lists) throw tooBig(`Its lists of files have over ${MAX_LISTED} entries.`);
  const laterFiles = await laterLists(lists);

  const manifests = { start: startManifest(files), later: laterFiles.map(({ manifest }) => manifest) };
  const sessions: RecordedSession[] = [];
  for (const [index, { id, events }] of parsed.data.sessions.entries()) {
    const given = withSnapshots(events, index === 0 ? later : []);
    const place = { id, started, where: `sessions[${index}]`, manifests };
    sessions.push({ id, events: await eventsOf(given, place, slices) });
  }
  const [first, ...others] = sessions;
  if (!first) throw damaged('It has no session.');
  const recording: Recording = {
    title,
    started,
    files,
    leftOut,
    laterFiles,
    laterFilesLeftOut,
    withheld: parsed.data.withheld,
    missingFiles: parsed.data.missingFiles,
    sessions: [first, ...others],
    contents,
  };
  const broken = brokenTie(recording);
  if (broken) throw damaged(broken.what, broken.where);
  return recording;
}

/** The session that events belong to, and its place in the file. */
interface SessionInFile {
  readonly id: string;
  readonly started: number;
  readonly where: string;
  readonly manifests: { readonly start: Hash; readonly later: readonly Hash[] };
}

async function eventsOf(
  given: ReturnType<typeof withSnapshots>,
  { id, started, where: session, manifests }: SessionInFile,
  slices: Slices,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  let before = 0;
  for (const [seq, [value, laterIndex]] of given.entries()) {
    await slices.next();
    const where = `${session}.events[${seq}]`;
    const timed = timedSchema.safeParse(value);
    if (!timed.success) throw damaged(issueText(timed.error), where);
    const { at, ...rest } = timed.data;
    const body = eventBodySchema.safeParse(rest);
    if (!body.success) throw damaged(issueText(body.error), where);
    if (at < before) throw damaged('Its time is before that of the event in front of it.', where);
    before = at;
    const envelope = { v: EVENT_VERSION, sessionID: id, seq, time: started + at } as const;
    const manifest = (laterIndex === undefined ? undefined : manifests.later[laterIndex]) ?? manifests.start;
    if (body.data.type === 'snapshot.taken') events.push({ ...body.data, manifest, ...envelope });
    else events.push({ ...body.data, ...envelope });
  }
  return events;
}

/** The events with the later snapshots inserted, each of those with its index. */
function withSnapshots(
  events: readonly unknown[],
  later: LaterFilesJSON,
): readonly (readonly [unknown, number?])[] {
  const all: (readonly [unknown, number?])[] = [];
  let taken = 0;
  for (const [index, { after, at, changed: _changed, gone: _gone, ...about }] of later.entries()) {
    if (after < taken || after > events.length)
      throw damaged('A list of later files is not in its place.', `laterFiles[${index}]`);
    for (const event of events.slice(taken, after)) all.push([event]);
    all.push([{ at, type: 'snapshot.taken', ...about, manifest: '' }, index]);
    taken = after;
  }
  for (const event of events.slice(taken)) all.push([event]);
  return all;
}

async function contentsOf(
  given: z.infer<typeof fileSchema>['contents'],
  slices: Slices,
): Promise<ReadonlyMap<Hash, Uint8Array<ArrayBuffer>>> {
  const contents = new Map<Hash, Uint8Array<ArrayBuffer>>();
  let bytes = 0;
  for (const content of given) {
    await slices.next();
    const decoded = 'text' in content ? new TextEncoder().encode(content.text) : decode(content);
    bytes += decoded.length;
    if (bytes > MAX_RECORDING_BYTES) throw tooBig('Its contents are over 20 MB.');
    if ((await digestBytes(decoded)) !== content.hash)
      throw damaged('A content is not what its hash says.', content.hash);
    contents.set(content.hash, decoded);
  }
  return contents;
}

function requireContents(entries: readonly SnapshotEntry[], contents: ReadonlyMap<Hash, Uint8Array>): void {
  for (const entry of entries)
    if (entry.type === 'file' && contents.get(entry.hash)?.length !== entry.size)
      throw damaged('The content of a file is missing or of another size.', entry.path);
}

function parse(text: string): unknown {
  // A character has at most three bytes, so only texts that may be too big are measured.
  if (text.length * 3 > MAX_RECORDING_BYTES && new TextEncoder().encode(text).length > MAX_RECORDING_BYTES)
    throw tooBig('It is over 20 MB.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(`it is not JSON: ${messageOf(error)}`);
  }
}

function requireKind(value: unknown): void {
  const kind = z.looseObject({ format: z.literal(RECORDING_FORMAT), version: z.unknown() }).safeParse(value);
  if (!kind.success)
    throw new FaultError({
      code: 'recording-invalid',
      what: 'This is not a recording of a session.',
      next: 'Open a file or a link that was made with Share in Vitrine.',
    });
  const { version } = kind.data;
  if (version !== RECORDING_VERSION)
    throw new FaultError({
      code: 'recording-version',
      what: `The recording is of version ${JSON.stringify(version)?.slice(0, 20)}; this app reads version ${RECORDING_VERSION}.`,
      where: 'version',
      next: 'Open it with the version of Vitrine that made it, or record it again.',
    });
}

function decode(content: { readonly hash: string; readonly base64: string }): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(content.base64);
  } catch {
    throw damaged('A content is not base64.', content.hash);
  }
}

function issueText(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  if (!issue) return error.message;
  return `${z.core.toDotPath(issue.path) || 'it'}: ${issue.message}`.slice(0, 300);
}

function damaged(problem: string, where?: string): FaultError {
  return new FaultError({
    code: 'recording-damaged',
    what: `The recording is damaged: ${problem}`,
    ...(where !== undefined && { where: where.slice(0, 200) }),
    next: 'Nothing was opened. Ask for the recording again.',
  });
}

export function tooBig(what: string): FaultError {
  return new FaultError({
    code: 'recording-too-big',
    what: `The recording is too big. ${what}`,
    next: 'In Share, files and pictures can be left out of a session before it is recorded.',
  });
}
