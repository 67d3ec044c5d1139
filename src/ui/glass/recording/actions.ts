import { unpackText } from '../../../session/recording/link.ts';
import { readRecording, tooBig } from '../../../session/recording/read.ts';
import { recordingText } from '../../../session/recording/record.ts';
import { MAX_RECORDING_BYTES, type Recording } from '../../../session/recording/recording.ts';
import type { App } from '../../app.ts';
import type { Toasts } from '../../state/toasts.svelte.ts';
import { saveBlob } from '../../workbench/files/save-blob.ts';
import { Player } from './player.svelte.ts';
import { withNotice } from './long-work.ts';
import { recordingWords as words } from './recording-words.ts';

/** The source of a recording: an address, the data in a link, a given file, or one that the person chooses. */
export type RecordingPlace = 'file' | File | { readonly address: string } | { readonly data: string };

/** Resolves to a player for a recording, or to `null` if no file was chosen. Rejects with a fault. */
export async function playerOf(
  place: RecordingPlace,
  recordings: App['recordings'],
  toasts: Toasts,
): Promise<Player | null> {
  const file = place === 'file' ? await chosenFile() : place;
  return file && withNotice(toasts, words.reading, () => playerFrom(file, recordings));
}

async function playerFrom(
  place: Exclude<RecordingPlace, 'file'>,
  recordings: App['recordings'],
): Promise<Player> {
  if (place instanceof File) return new Player(await readRecording(await textOf(place)));
  if ('data' in place) return new Player(await readRecording(await unpackText(place.data)));
  const loaded = await recordings();
  return new Player(await loaded.fetch(place.address), new URL(place.address, location.href).href);
}

/** Downloads the recording of a session. */
export async function exportRecording(recordings: App['recordings'], sessionID: string): Promise<void> {
  const loaded = await recordings();
  await download(await loaded.record(sessionID));
}

export async function download(recording: Recording): Promise<void> {
  saveText(await recordingText(recording), `${fileName(recording.title)}.vitrine.json`);
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
