import * as z from 'zod';
import { fromBase64 } from '../../base/base64.ts';
import { FaultError } from '../../base/fault.ts';
import { digestBytes, hashText, type Hash } from '../../base/hash.ts';
import { snapshotEntriesSchema } from '../../workspace/snapshot.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import { eventBodySchema, EVENT_VERSION, type Event } from '../events.ts';
import { MAX_RECORDING_BYTES, RECORDING_FORMAT, RECORDING_VERSION } from './recording.ts';
import type { RecordedSession, Recording } from './recording.ts';
import { unsound } from './sound-json.ts';
import { brokenTie } from './ties.ts';

const MAX_EVENTS = 200_000;
/** Of one event after the first: ten years. */
const MAX_AT = 10 * 366 * 24 * 3_600_000;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const fileSchema = z.object({
  title: z.string().max(10_000),
  started: z.number().min(0).max(4e12),
  files: snapshotEntriesSchema.nullable(),
  sessions: z
    .array(
      z.object({
        id: z.string().regex(/^ses_[a-z0-9]{1,32}$/),
        events: z.array(z.looseObject({ at: z.number().min(0).max(MAX_AT) })).min(1),
      }),
    )
    .min(1)
    .max(1_000),
  contents: z.array(
    z.union([z.strictObject({ hash, text: z.string() }), z.strictObject({ hash, base64: z.string() })]),
  ),
});

/**
 * A recording as text or as parsed JSON, from wherever: checked in full, or refused with a fault that says what is
 * wrong where. Codes: `recording-invalid`, `recording-version`, `recording-damaged`, `recording-too-big`.
 */
export async function readRecording(source: unknown): Promise<Recording> {
  const value = typeof source === 'string' ? parse(source) : source;
  requireKind(value);
  const problem = unsound(value);
  if (problem !== undefined) throw damaged(problem);
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw damaged(issueText(parsed.error));
  const { title, started, files, contents: given } = parsed.data;
  const count = parsed.data.sessions.reduce((sum, { events }) => sum + events.length, 0);
  if (count > MAX_EVENTS) throw tooBig(`It has ${count} events; ${MAX_EVENTS} are the most.`);

  const contents = new Map<Hash, Uint8Array<ArrayBuffer>>();
  let bytes = 0;
  for (const content of given) {
    const decoded = 'text' in content ? new TextEncoder().encode(content.text) : decode(content);
    bytes += decoded.length;
    if (bytes > MAX_RECORDING_BYTES) throw tooBig('Its contents are over 20 MB.');
    if ((await digestBytes(decoded)) !== content.hash)
      throw damaged('A content is not what its hash says.', content.hash);
    contents.set(content.hash, decoded);
  }
  for (const entry of files ?? [])
    if (entry.type === 'file' && contents.get(entry.hash)?.length !== entry.size)
      throw damaged('The content of a starting file is missing or of another size.', entry.path);

  const manifest = manifestText(files);
  const sessions = parsed.data.sessions.map((session, index): RecordedSession => {
    let before = 0;
    const events = session.events.map(({ at, ...rest }, seq): Event => {
      const where = `sessions[${index}].events[${seq}]`;
      const body = eventBodySchema.safeParse(rest);
      if (!body.success) throw damaged(issueText(body.error), where);
      if (at < before) throw damaged('Its time is before that of the event in front of it.', where);
      before = at;
      const envelope = { v: EVENT_VERSION, sessionID: session.id, seq, time: started + at } as const;
      if (body.data.type !== 'snapshot.taken') return { ...body.data, ...envelope };
      return { ...body.data, manifest: hashText(manifest), ...envelope };
    });
    return { id: session.id, events };
  });
  const [first, ...others] = sessions;
  if (!first) throw damaged('It has no session.');
  const recording: Recording = { title, started, files, sessions: [first, ...others], contents };
  const broken = brokenTie(recording);
  if (broken) throw damaged(broken.what, broken.where);
  return recording;
}

/** The list of the starting files as the blob store keeps it. */
export function manifestText(files: readonly SnapshotEntry[] | null): string {
  return JSON.stringify(files ?? []);
}

function parse(text: string): unknown {
  // A character is at most three bytes: only what may be too big is counted.
  if (text.length * 3 > MAX_RECORDING_BYTES && new TextEncoder().encode(text).length > MAX_RECORDING_BYTES)
    throw tooBig('It is over 20 MB.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function requireKind(value: unknown): void {
  const kind = z.looseObject({ format: z.literal(RECORDING_FORMAT), version: z.unknown() }).safeParse(value);
  if (!kind.success)
    throw new FaultError({
      code: 'recording-invalid',
      what: 'This is not a recording of a session.',
      next: 'Choose a file that was made with “Export recording”.',
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

function issueText(error: z.ZodError): string {
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
    next: 'Record a shorter session, or one in a workspace with fewer files.',
  });
}
