import type { MissingFile } from '../../../session/recording/recording.ts';
import { bytes } from '../../format.ts';
import { showName } from '../../workbench/show-name.ts';
import { recordingWords as words } from './recording-words.ts';

const NAMED = 3;

/** Says how many files these are, and names the first three with their sizes. */
export function namedFiles(files: readonly MissingFile[]): string {
  const named = files.slice(0, NAMED).map(({ path, size }) => `${showName(path)} (${bytes(size)})`);
  return words.lacksFiles(files.length, named);
}
