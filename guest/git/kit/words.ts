/** Splits the text of an alias into words; quotes hold a word together. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)].map(([word]) =>
    word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, single, double, char) =>
      single !== undefined
        ? String(single)
        : double !== undefined
          ? String(double).replace(/\\(.)/g, '$1')
          : String(char),
    ),
  );
}
