import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import { russian } from './russian.ts';

export const LANGUAGES: Readonly<Record<string, typeof english>> = {
  en: english,
  de: german,
  ru: russian,
  zh: chinese,
  ar: arabic,
};
