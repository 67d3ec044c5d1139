/** Blanks other than the usual three, and characters that show nothing or reorder the others. */
const UNSEEN = /(?![ \t\n])[\p{Cc}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
/** Joins the parts of an emoji, or letters of a writing that needs it, and is no hidden character there. */
const JOINS =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)[\u200d\ufe0f]|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}])[\u200c\u200d]/gu;
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTERS = /[\p{Script=Cyrillic}\p{Script=Greek}]+/gu;
/** Letters that most fonts draw as letters of the Latin alphabet. */
const LOOKALIKES = /^[асеорхуіјѕһԁԛԝАВЕЗІЈКМНОРЅСТУХονιρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]+$/u;
/** What a shell may read as one word, with its quotes, because `e'с'ho` is one. */
const WORD = /[^\s;|&<>()]+/gu;

/** A character of a text, and how a person sees it. */
export interface ShownCharacter {
  readonly raw: string;
  readonly shown: string;
}

/**
 * The characters of a command as a person can safely read them: blanks that are not what they seem, and Cyrillic and
 * Greek letters that pass for Latin ones, are escaped. Text that is all in one script stays readable.
 */
export function charactersOf(text: string): ShownCharacter[] {
  const joins = new Set([...text.matchAll(JOINS)].map(({ index }) => index));
  const disguised = disguisedIn(text);
  let at = 0;
  return Array.from(text, (raw) => {
    const index = at;
    at += raw.length;
    const isHidden = UNSEEN.test(raw) && !joins.has(index);
    return { raw, shown: isHidden || disguised.has(index) ? escaped(raw) : raw };
  });
}

/** The whole command, as {@link charactersOf} shows it. */
export function showCommand(text: string): string {
  return charactersOf(text)
    .map(({ shown }) => shown)
    .join('');
}

/** Where letters of another script stand in a word of Latin ones: beside one, or looking like one. */
function disguisedIn(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    if (!LATIN.test(word)) continue;
    for (const { 0: letters, index } of word.matchAll(OTHER_LETTERS)) {
      const after = index + letters.length;
      const isBeside = [...word.slice(0, index)].slice(-1).concat([...word.slice(after)].slice(0, 1));
      if (!LOOKALIKES.test(letters) && !isBeside.some((each) => LATIN.test(each))) continue;
      for (let at = index; at < after; at++) found.add(start + at);
    }
  }
  return found;
}

function escaped(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
}
