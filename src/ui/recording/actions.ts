import { FaultError } from '../../base/fault.ts';
import { LONGEST_LINK, packText, unpackText } from '../../session/recording/link.ts';
import { readRecording, tooBig } from '../../session/recording/read.ts';
import { recordingText, withoutRequests } from '../../session/recording/record.ts';
import { MAX_RECORDING_BYTES, type Recording } from '../../session/recording/recording.ts';
import type { AppView } from '../state/app-view.svelte.ts';
import { saveBlob } from '../workbench/files/save-blob.ts';
import { Player } from './player.svelte.ts';
import { recordingWords as words } from './words.ts';

/** Where a recording is: at an address, in a link, in a file that is chosen. */
export type RecordingPlace = 'file' | { readonly address: string } | { readonly data: string };

/** A player of what is there; `null` where no file was chosen. Rejects with a fault. */
export async function playerOf({ app }: AppView, place: RecordingPlace): Promise<Player | null> {
  if (place === 'file') {
    const file = await chosenFile();
    return file && new Player(await readRecording(await textOf(file)));
  }
  if ('data' in place) return new Player(await readRecording(await unpackText(place.data)));
  const recordings = await app.recordings();
  return new Player(await recordings.fetch(place.address), new URL(place.address, location.href).href);
}

/** Hands the recording of a session to the browser's downloads. */
export async function exportRecording({ app }: AppView, sessionID: string): Promise<void> {
  const recordings = await app.recordings();
  download(await recordings.record(sessionID));
}

export function download(recording: Recording): void {
  saveText(recordingText(recording), `${fileName(recording.title)}.vitrine.json`);
}

/** A link that shows this recording by itself, or from where it was fetched. Rejects where it would be too long. */
export async function linkTo(recording: Recording, address: string | null): Promise<string> {
  const page = location.origin + location.pathname;
  if (address !== null) return `${page}?recording=${encodeURIComponent(address)}`;
  // Where what was edited makes it too long, the rest goes without.
  for (const edits of [true, false]) {
    const link = `${page}#recording=${await packText(recordingText(withoutRequests(recording, { edits })))}`;
    if (link.length <= LONGEST_LINK) return link;
  }
  throw new FaultError({
    code: 'link-too-long',
    what: 'The recording is too long for a link.',
    next: 'Download it, put it on a server and share the address with ?recording=.',
  });
}

export function saveText(text: string, name: string): void {
  saveBlob(new Blob([text], { type: 'application/json' }), name);
}

export function fileName(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return plain || words.fileName;
}

function chosenFile(): Promise<File | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,application/json';
  return new Promise((resolve) => {
    input.onchange = () => resolve(input.files?.[0] ?? null);
    input.oncancel = () => resolve(null);
    input.click();
  });
}

function textOf(file: File): Promise<string> {
  if (file.size > MAX_RECORDING_BYTES) throw tooBig('It is over 20 MB.');
  return file.text();
}
