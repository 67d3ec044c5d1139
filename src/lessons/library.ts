import { FaultError } from '../base/fault.ts';
import type { Lesson, LessonSource } from './lesson.ts';
import type { LessonCard } from './parts.ts';
import { lessonOf } from './parsed.ts';
import { translate } from './translate.ts';

/** The lessons that come with the app: one folder each, sorted by folder name and loaded one by one. */
const cards = import.meta.glob<LessonCard & { readonly steps: number }>('./*/lesson.md', {
  query: '?card',
  import: 'default',
  eager: true,
});
const texts = import.meta.glob<string>('./*/lesson.md', { query: '?raw', import: 'default' });
const scripts = import.meta.glob<string>('./*/script.json', { query: '?raw', import: 'default' });
const files = import.meta.glob<string>('./*/files/**', { query: '?raw', import: 'default' });

/** Translations lie in folders of the lesson that are named by a language: `de/lesson.md`, `de/script.json`. */
const translatedCards = import.meta.glob<LessonCard>(['./*/*/lesson.md', '!./*/files/**'], {
  query: '?card',
  import: 'default',
  eager: true,
});
const translatedTexts = import.meta.glob<string>(['./*/*/lesson.md', '!./*/files/**'], {
  query: '?raw',
  import: 'default',
});
const translatedScripts = import.meta.glob<string>(['./*/*/script.json', '!./*/files/**'], {
  query: '?raw',
  import: 'default',
});

const ENGLISH = 'en';

export interface ListedLesson extends LessonCard {
  readonly id: string;
  /** How many steps the lesson has. */
  readonly steps: number;
  /** The language of its texts. */
  readonly language: string;
}

/** The lessons as they are listed for somebody who reads this language; what is not translated is in English. */
export function lessonsIn(language: string): readonly ListedLesson[] {
  return Object.entries(cards)
    .map(([path, card]) => ({ folder: folderOf(path), card }))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1))
    .map(({ folder, card }) => {
      const translated = translatedCards[`./${folder}/${language}/lesson.md`];
      return {
        ...card,
        ...(translated && { title: translated.title, summary: translated.summary }),
        id: idOf(folder),
        language: translated ? language : ENGLISH,
      };
    });
}

export const lessons = lessonsIn(ENGLISH);

/** The languages other than English that a lesson is in. */
export function translationsOf(id: string): readonly string[] {
  return Object.keys(translatedCards)
    .filter((path) => idOf(folderOf(path)) === id)
    .map((path) => path.split('/')[2] ?? '');
}

/** Rejects with a fault if there is no lesson with this id. */
export async function loadSource(id: string, language = ENGLISH): Promise<LessonSource> {
  const folder = Object.keys(texts)
    .map(folderOf)
    .find((name) => idOf(name) === id);
  if (folder === undefined)
    throw new FaultError({
      code: 'lesson-unknown',
      what: `There is no lesson "${id.slice(0, 60)}".`,
      next: 'Choose one from the list.',
    });
  const [english, markdown, script] = await Promise.all([
    loadEnglish(folder),
    translatedTexts[`./${folder}/${language}/lesson.md`]?.(),
    translatedScripts[`./${folder}/${language}/script.json`]?.(),
  ]);
  return markdown === undefined
    ? english
    : translate(english, { markdown, ...(script !== undefined && { script }) });
}

async function loadEnglish(folder: string): Promise<LessonSource> {
  const text = texts[`./${folder}/lesson.md`];
  const script = scripts[`./${folder}/script.json`];
  if (!text || !script) throw new Error(`The lesson ${folder} has no text or no script.`);
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

export async function loadLesson(id: string, language?: string): Promise<Lesson> {
  return lessonOf(await loadSource(id, language), id);
}

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Removes the number in front, which only sets the order. */
function idOf(folder: string): string {
  return folder.replace(/^\d+-/, '');
}
