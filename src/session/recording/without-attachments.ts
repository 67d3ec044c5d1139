import type { Hash } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event, MessagePack, RequestRef } from '../log/events.ts';
import {
  ATTACHMENT_LEFT_OUT,
  AttachedTexts,
  callKey,
  callsTelling,
  type Attached,
} from './attached-files.ts';
import { laterLists } from './later-files.ts';
import type { RecordedSession, Recording } from './recording.ts';
import { withStart } from './start-files.ts';

/**
 * The recording without attachments: neither as files nor as what calls attached, and without results of calls
 * and parts of requests that tell what is in them.
 */
export async function withoutAttachments(recording: Recording, attached: Attached): Promise<Recording> {
  if (attached.count === 0) return recording;
  const texts = new AttachedTexts(attached, recording);
  const contents = new Map(recording.contents);
  for (const hash of attached.hashes) contents.delete(hash);
  const clean = ({ id, events }: RecordedSession): RecordedSession => {
    const calls = callsTelling(events, texts, recording.contents);
    return { id, events: events.map((event) => silenced(event, calls, texts, contents)) };
  };
  const [own, ...others] = recording.sessions;
  const sessions: Recording['sessions'] = [clean(own), ...others.map(clean)];
  const kept = (entries: readonly SnapshotEntry[]) => entries.filter((entry) => !isOf(entry, attached));
  const laterFiles = await laterLists(recording.laterFiles.map(({ entries }) => kept(entries)));
  return withStart(
    { ...recording, sessions, contents, laterFiles },
    recording.files && kept(recording.files),
  );
}

function isOf(entry: SnapshotEntry, { paths, hashes }: Attached): boolean {
  return entry.type === 'file' && (paths.has(entry.path) || hashes.has(entry.hash));
}

/** The event without what it tells of attachments. Contents that tell of them are deleted. */
function silenced(
  event: Event,
  calls: ReadonlySet<string>,
  texts: AttachedTexts,
  contents: Map<Hash, Uint8Array<ArrayBuffer>>,
): Event {
  const key = callKey(event);
  if (key !== undefined && calls.has(key)) return silentCall(event, contents);
  if (event.type === 'step.started' || event.type === 'request.edited')
    return { ...event, request: silentRequest(event.request, texts, contents) };
  if (event.type === 'message.retold' || event.type === 'system.retold') {
    if (event.told !== null && texts.inContent(contents.get(event.told))) contents.delete(event.told);
  }
  return event;
}

function silentCall(event: Event, contents: Map<Hash, Uint8Array<ArrayBuffer>>): Event {
  switch (event.type) {
    case 'call.output': {
      const { text: _text, blob, ...rest } = event;
      if (blob !== undefined) contents.delete(blob);
      return rest;
    }
    case 'call.progress': {
      const { metadata: _, ...rest } = event;
      return rest;
    }
    case 'call.ended': {
      const { fullOutput, ...rest } = event;
      if (fullOutput) contents.delete(fullOutput.blob);
      return { ...rest, output: ATTACHMENT_LEFT_OUT, metadata: {} };
    }
    case 'call.edited':
      return event.edit.kind === 'output'
        ? { ...event, edit: { kind: 'output', from: ATTACHMENT_LEFT_OUT, to: ATTACHMENT_LEFT_OUT } }
        : event;
    case 'permission.asked':
      return event.subject.kind === 'diff' ? { ...event, subject: { ...event.subject, diff: '' } } : event;
    default:
      return event;
  }
}

function silentRequest(
  request: RequestRef,
  texts: AttachedTexts,
  contents: Map<Hash, Uint8Array<ArrayBuffer>>,
): RequestRef {
  const append = request.append.map((pack): MessagePack => {
    const hash = typeof pack === 'string' ? pack : pack.hash;
    if (texts.inContent(contents.get(hash))) contents.delete(hash);
    if (typeof pack === 'string' || pack.text === undefined) return pack;
    return texts.inJSON(JSON.parse(pack.text) as Json) ? { hash, messages: pack.messages } : pack;
  });
  if (texts.inContent(contents.get(request.system))) contents.delete(request.system);
  return { ...request, append };
}
