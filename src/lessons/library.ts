import { FaultError } from '../base/fault.ts';
import type { Lesson, LessonSource } from './lesson.ts';
import type { LessonCard } from './parts.ts';
import { lessonOf } from './parsed.ts';

/** The lessons that come with the app: one folder each, sorted by folder name and loaded one by one. */
const cards = import.meta.glob<LessonCard & { readonly steps: number }>('./*/lesson.md', {
  query: '?card',
  import: 'default',
  eager: true,
});
const texts = import.meta.glob<string>('./*/lesson.md', { query: '?raw', import: 'default' });
const scripts = import.meta.glob<string>('./*/script.json', { query: '?raw', import: 'default' });
const files = import.meta.glob<string>('./*/files/**', { query: '?raw', import: 'default' });

export interface ListedLesson extends LessonCard {
  readonly id: string;
  /** How many steps the lesson has. */
  readonly steps: number;
}

export const lessons: readonly ListedLesson[] = Object.entries(cards)
  .map(([path, card]) => ({ folder: folderOf(path), card }))
  .sort((a, b) => (a.folder < b.folder ? -1 : 1))
  .map(({ folder, card }) => ({ ...card, id: idOf(folder) }));

/** Rejects with a fault if there is no lesson with this id. */
export async function loadSource(id: string): Promise<LessonSource> {
  const folder = Object.keys(texts)
    .map(folderOf)
    .find((name) => idOf(name) === id);
  const text = texts[`./${folder}/lesson.md`];
  const script = scripts[`./${folder}/script.json`];
  if (!folder || !text || !script)
    throw new FaultError({
      code: 'lesson-unknown',
      what: `There is no lesson "${id.slice(0, 60)}".`,
      next: 'Choose one from the list.',
    });
  const filesFolder = `./${folder}/files/`;
  const own = Object.entries(files).filter(([path]) => path.startsWith(filesFolder));
  const [markdown, written, ...contents] = await Promise.all([
    text(),
    script(),
    ...own.map(([, load]) => load()),
  ]);
  if (own.length === 0) return { markdown, script: written };
  const parsed: { files?: Record<string, string> } = JSON.parse(written);
  const more = Object.fromEntries(
    own.map(([path], index) => [path.slice(filesFolder.length), contents[index] ?? '']),
  );
  return { markdown, script: JSON.stringify({ ...parsed, files: { ...parsed.files, ...more } }, null, 2) };
}

export async function loadLesson(id: string): Promise<Lesson> {
  return lessonOf(await loadSource(id), id);
}

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Removes the number in front, which only sets the order. */
function idOf(folder: string): string {
  return folder.replace(/^\d+-/, '');
}
