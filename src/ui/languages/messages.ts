/** A translation of these texts has the same names, and functions of the same values. The texts themselves are free. */
export type Messages<Texts> = Texts extends string
  ? string
  : Texts extends (...values: infer Values) => infer Result
    ? (...values: Values) => Messages<Result>
    : { readonly [Name in keyof Texts]: Messages<Texts[Name]> };

/** The texts of another language, by the part of the page. This module does not import their type, whose modules import it. */
let catalogue: object | undefined;
/** The texts that the page's first modules have asked for before there was a catalogue. */
const early = new Map<string, object>();

/**
 * The texts of a part of the page in the page's language. English stands where it is used and is what the type checker
 * holds the catalogues of the other languages to. The name of the part is a member of `Catalogue`; a test compares the two.
 *
 * Modules of the first page must not read a text while they load: it is still in English then.
 */
export function messages<const Texts extends object>(name: string, english: Texts): Messages<Texts> {
  if (!catalogue) early.set(name, english);
  // `Catalogue` gives this name the type of these very texts, which the compiler cannot tell from the name alone.
  return (translated(name) ?? english) as Messages<Texts>;
}

/** Gives the page its texts, a `Catalogue`: those of the first modules are replaced, all others come from here. */
export function useCatalogue(given: object): void {
  catalogue = given;
  for (const [name, english] of early) replace(english, translated(name) ?? {});
  early.clear();
}

function translated(name: string): object | undefined {
  const texts: unknown = catalogue && Reflect.get(catalogue, name);
  return typeof texts === 'object' && texts !== null ? texts : undefined;
}

function replace(texts: object, translation: object): void {
  for (const [name, value] of Object.entries(translation)) {
    const text: unknown = Reflect.get(texts, name);
    if (typeof text === 'object' && text !== null) replace(text, value as object);
    else Reflect.set(texts, name, value);
  }
}
