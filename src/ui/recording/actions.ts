import { recordingText } from '../../session/recording/record.ts';
import type { Recording } from '../../session/recording/recording.ts';
import type { AppView } from '../state/app-view.svelte.ts';
import { saveBlob } from '../workbench/files/save-blob.ts';
import { recordingWords as words } from './words.ts';

/** Hands the recording of a session to the browser's downloads. */
export async function exportRecording({ app }: AppView, sessionID: string): Promise<void> {
  const recordings = await app.recordings();
  download(await recordings.record(sessionID));
}

export function download(recording: Recording): void {
  saveBlob(new Blob([recordingText(recording)], { type: 'application/json' }), fileName(recording.title));
}

function fileName(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${plain || words.fileName}.vitrine.json`;
}
