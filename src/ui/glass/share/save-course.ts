import { courseFile } from '../../../lessons/course.ts';
import type { Sharing } from '../../state/dialogs.svelte.ts';
import { saveBlob } from '../../workbench/files/save-blob.ts';

/** Saves the file by which a learning platform launches a lesson. The app's own lessons are in English. */
export function saveCourse({ title, summary, address }: Extract<Sharing, { kind: 'lesson' }>): void {
  const language = address.includes('#') ? document.documentElement.lang : 'en';
  const file = courseFile({ title, summary, address, language });
  saveBlob(new Blob([file], { type: 'application/xml' }), 'cmi5.xml');
}
