import { english, type Words } from './english.ts';
import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { german } from './german.ts';
import { russian } from './russian.ts';
import { useTag } from './tag.ts';

const LANGUAGES: Readonly<Record<string, Words>> = {
  en: english,
  de: german,
  ru: russian,
  zh: chinese,
  ar: arabic,
};

let words: Words = english;

/** Chooses the language that is asked for, else the first one of the browser that is there; without an argument, the chosen one stays. */
export function useLanguage(asked?: string): Words {
  if (asked === undefined) return words;
  const tag = useTag([asked, ...navigator.languages], LANGUAGES);
  words = LANGUAGES[tag] ?? english;
  return words;
}
