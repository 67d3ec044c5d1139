import { worded } from '../worded.ts';

/** How the starts of the first page are worded in a language. */
export interface Wording {
  /** Whole texts, by the English ones: prompts, what the model says, the files of the person who plays the model. */
  readonly texts: Readonly<Record<string, string>>;
  /** Words within the page that an agent builds, by the English ones. */
  readonly page: Readonly<Record<string, string>>;
}

const wordings = import.meta.glob<Wording>('./words/*.json', { import: 'default' });

/** Returns a function that words a start in this language; it stays in English where there is no wording. */
export async function wordingIn(language: string): Promise<<Value>(start: Value) => Value> {
  const wording = await wordings[`./words/${language}.json`]?.();
  if (!wording) return (start) => start;
  const pieces = Object.entries(wording.page);
  const text = (english: string) =>
    wording.texts[english] ??
    pieces.reduce((page, [piece, own]) => page.replaceAll(piece, () => own), english);
  return (start) => worded(start, text);
}
