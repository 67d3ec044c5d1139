import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { english, type Words } from './english.ts';
import { german } from './german.ts';
import { russian } from './russian.ts';

export const LANGUAGES: Readonly<Record<string, Words>> = {
  en: english,
  de: german,
  ru: russian,
  zh: chinese,
  ar: arabic,
};
