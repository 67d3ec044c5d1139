import type { Catalogue } from './catalogue.ts';

/**
 * What a translation of these texts must have: the same names, and functions of the same values. The texts themselves are free.
 */
export type Messages<Texts> = Texts extends string
  ? string
  : Texts extends (...values: infer Values) => infer Result
    ? (...values: Values) => Messages<Result>
    : { readonly [Name in keyof Texts]: Messages<Texts[Name]> };

let catalogue: Catalogue | undefined;
/** The texts that the page's first modules have asked for before there was a catalogue. */
const early = new Map<keyof Catalogue, object>();

/**
 * The texts of a part of the page in the page's language. English stands where it is used and is what the type checker
 * holds the catalogues of the other languages to.
 *
 * Modules of the first page must not read a text while they load: it is still in English then.
 */
export function messages<const Texts extends object>(name: keyof Catalogue, english: Texts): Messages<Texts> {
  if (!catalogue) early.set(name, english);
  // `Catalogue` gives this name the type of these very texts, which the compiler cannot tell from the name alone.
  return (catalogue?.[name] ?? english) as Messages<Texts>;
}

/** Gives the page its texts in another language: those of the first modules are replaced, all others come from here. */
export function useCatalogue(given: Catalogue): void {
  catalogue = given;
  for (const [name, english] of early) replace(english, given[name]);
  early.clear();
}

function replace(texts: object, translated: object): void {
  for (const [name, value] of Object.entries(translated)) {
    const text: unknown = Reflect.get(texts, name);
    if (typeof text === 'object' && text !== null) replace(text, value as object);
    else Reflect.set(texts, name, value);
  }
}
