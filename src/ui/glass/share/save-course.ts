import { courseFile } from '../../../lessons/course.ts';
import type { Sharing } from '../../state/dialogs.svelte.ts';
import { saveBlob } from '../../workbench/files/save-blob.ts';

/** Saves the file by which a learning platform launches a lesson. */
export function saveCourse({ kind: _, ...lesson }: Extract<Sharing, { kind: 'lesson' }>): void {
  const file = courseFile(lesson);
  saveBlob(new Blob([file], { type: 'application/xml' }), 'cmi5.xml');
}
