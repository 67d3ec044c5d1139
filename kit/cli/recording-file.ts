import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../src/base/message-of.ts';
import { readRecording } from '../../src/session/recording/read.ts';

/** Reads the text of a recording. Rejects with the path of the file and why it is none. */
export async function readRecordingFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no file ${path.resolve(file)}.`);
  });
  try {
    await readRecording(text);
  } catch (error) {
    throw new Error(
      `${path.resolve(file)} cannot be shown: ${messageOf(error)} A test that has failed leaves recording.json in test-results/, ` +
        '"vitrine run" writes one to the directory of --out, and Share in the app saves one.',
    );
  }
  return text;
}
