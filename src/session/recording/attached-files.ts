import type { Hash } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { ATTACHMENTS, ROOT } from '../../base/places.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event } from '../log/events.ts';
import { attachmentsOf, fullOutputsOf } from './missing.ts';
import type { Recording } from './recording.ts';
import { utf8 } from './redacted.ts';
import { mapTexts } from './sound-json.ts';

/** The result of a call that told what is in an attachment which the person left out. */
export const ATTACHMENT_LEFT_OUT = '[left out: what is in an attachment]';

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i;
const NAMES_FOLDER = new RegExp(`\\b${ATTACHMENTS}\\b`);
/** A shorter line may well stand in other files, too. */
const SHORTEST_LINE = 16;

/** The pictures among the files, the files of messages, and what calls attached. */
export interface Attached {
  /** Files that are attachments, and other files with the same content. */
  readonly paths: ReadonlySet<string>;
  readonly hashes: ReadonlySet<Hash>;
  readonly count: number;
}

export function attachedOf(recording: Recording): Attached {
  const events = recording.sessions.flatMap((session) => session.events);
  const files = filesOf(recording);
  const called = events.flatMap(attachmentsOf);
  const hashes = new Set(called);
  for (const { path, hash, size } of files) if (size > 0 && isAttachment(path)) hashes.add(hash);
  const paths = new Set(
    files.filter(({ path, hash }) => isAttachment(path) || hashes.has(hash)).map(({ path }) => path),
  );
  const kept = new Set(files.map(({ hash }) => hash));
  const beside = new Set(called.filter((hash) => recording.contents.has(hash) && !kept.has(hash)));
  // Where the files were left out, the calls that read texts among the attachments still tell them.
  for (const { events: own } of recording.sessions) for (const { path } of textsRead(own)) paths.add(path);
  return { paths, hashes, count: paths.size + beside.size };
}

export function isAttachment(path: string): boolean {
  return PICTURE.test(path) || path.startsWith(`${ATTACHMENTS}/`);
}

/** Tells whether a text names the folder of attachments, an attachment, or a line of one. */
export class AttachedTexts {
  readonly #attached: Attached;
  readonly #lines = new Set<string>();

  constructor(attached: Attached, { contents, sessions }: Recording) {
    this.#attached = attached;
    for (const hash of attached.hashes) this.#add(utf8(contents.get(hash) ?? new Uint8Array()) ?? '');
    for (const { output } of sessions.flatMap(({ events }) => textsRead(events)))
      this.#add((output.match(/^\d+: .*/gm) ?? []).join('\n'));
  }

  #add(text: string): void {
    for (const line of linesOf(text)) if (line.length >= SHORTEST_LINE) this.#lines.add(line);
  }

  inText(text: string): boolean {
    if (NAMES_FOLDER.test(text) || this.#attached.paths.has(relative(text))) return true;
    return this.#lines.size > 0 && linesOf(text).some((line) => this.#lines.has(line));
  }

  inJSON(value: Json): boolean {
    let found = false;
    mapTexts(value, (text) => {
      found ||= this.inText(text);
      return text;
    });
    return found;
  }

  /** For contents that are texts: JSON, or the full output of a call. */
  inContent(bytes: Uint8Array | undefined): boolean {
    const text = bytes && utf8(bytes);
    if (!text) return false;
    try {
      return this.inJSON(JSON.parse(text) as Json);
    } catch {
      return this.inText(text);
    }
  }
}

/** The calls of a session that got or told something of an attachment, by `callKey`. */
export function callsTelling(
  events: readonly Event[],
  texts: AttachedTexts,
  contents: Recording['contents'],
): ReadonlySet<string> {
  const calls = new Set<string>();
  for (const event of events) {
    const key = callKey(event);
    if (key === undefined || calls.has(key)) continue;
    const tells =
      texts.inJSON(toldBy(event)) || fullOutputsOf(event).some((hash) => texts.inContent(contents.get(hash)));
    if (tells) calls.add(key);
  }
  return calls;
}

export function callKey(event: Event): string | undefined {
  if (event.type === 'step.part')
    return event.part.type === 'tool-call' ? `${event.messageID}/${event.part.callID}` : undefined;
  return 'callID' in event ? `${event.messageID}/${event.callID}` : undefined;
}

function toldBy(event: Event): Json {
  switch (event.type) {
    case 'step.part':
      return event.part.type === 'tool-call' ? event.part.input : null;
    case 'call.added':
    case 'call.running':
      return event.input;
    case 'call.output':
      return event.text ?? null;
    case 'call.progress':
      return event.metadata ?? null;
    case 'call.ended':
      return [event.output, event.metadata];
    default:
      return null;
  }
}

/** The texts among the attachments that calls have read and still tell. */
function textsRead(events: readonly Event[]): readonly { readonly path: string; readonly output: string }[] {
  const inputs = new Map<string, Json>();
  const read: { readonly path: string; readonly output: string }[] = [];
  for (const event of events) {
    const key = callKey(event);
    if (key === undefined) continue;
    if (event.type === 'step.part' || event.type === 'call.added') inputs.set(key, toldBy(event));
    if (event.type !== 'call.ended' || event.outcome !== 'ok') continue;
    if (event.attachments.length > 0 || event.output === ATTACHMENT_LEFT_OUT) continue;
    mapTexts(inputs.get(key) ?? null, (text) => {
      const path = relative(text);
      if (path.startsWith(`${ATTACHMENTS}/`) && !path.includes('\n'))
        read.push({ path, output: event.output });
      return text;
    });
  }
  return read;
}

function filesOf({ files, laterFiles }: Recording) {
  return [files ?? [], ...laterFiles.map(({ entries }) => entries)].flatMap((entries) =>
    entries.filter((entry): entry is SnapshotEntry & { type: 'file' } => entry.type === 'file'),
  );
}

function relative(path: string): string {
  return path.replace(`${ROOT}/`, '').replace(/^\.\//, '');
}

/** The lines without the numbers that tools put before them. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.replace(/^\s*(?:\d+[:\t|]|[-+])\s?/, '').trim());
}
