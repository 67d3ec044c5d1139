import { expect, test } from 'vitest';
import { talk } from '../../test/support/scripted-talk.ts';
import { loadLesson } from './library.ts';
import { lessonScript } from './script.ts';

const FIRST = 'what-a-tool-call-is';

async function toolFor(language: string, message: string): Promise<string | undefined> {
  const { script } = await loadLesson(FIRST, language);
  return talk(lessonScript(script, 'I do not know that.'), message, () => 'A result.').calls[0]?.tool;
}

/** The first message of the first lesson may be reworded, as its text says. */
test.each([
  ['en', 'List the files'],
  ['en', 'What do you have in your directory?'],
  ['en', 'Which files are there?'],
  ['en', 'what is here'],
  ['de', 'Liste die Dateien auf.'],
  ['de', 'Was ist hier?'],
  ['zh', '列出文件'],
  ['zh', '这里有什么？'],
  ['ru', 'Покажи список файлов'],
  ['ru', 'Что здесь есть?'],
  ['ar', 'اسرد الملفات'],
  ['ar', 'ماذا لديك هنا؟'],
])('in %s, "%s" lists the files', async (language, message) => {
  expect(await toolFor(language, message)).toBe('list');
});

test.each([
  ['Whose birthday is in the files?', 'read'],
  ['How old will the child be?', 'read'],
  ['List all lines of the files with cake in them', 'grep'],
])('"%s" is about something else', async (message, tool) => {
  expect(await toolFor('en', message)).toBe(tool);
});
