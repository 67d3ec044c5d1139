/** A formula in a text: what it is, and how many characters of the text it takes with its delimiters. */
export interface FoundFormula {
  readonly tex: string;
  readonly length: number;
  readonly display: boolean;
}

/** Longer texts between delimiters are no formulas. */
const LONGEST = 4_000;
const LONGEST_INLINE = 400;

const INLINE = [
  { rule: new RegExp(String.raw`^\$\$((?:\\[\s\S]|[^$\\]){1,${LONGEST}}?)\$\$(?!\$)`), display: true },
  { rule: new RegExp(String.raw`^\\\[([\s\S]{1,${LONGEST}}?)\\\]`), display: true },
  { rule: new RegExp(String.raw`^\\\(([\s\S]{1,${LONGEST}}?)\\\)`), display: false },
];
// As Pandoc has it, the dollars must stand close to the formula; and no word, digit or bracket may follow, as in $A/$B.
const DOLLARS = new RegExp(
  String.raw`^\$(?![\s$])((?:\\[^\n]|[^$\\\n]){1,${LONGEST_INLINE}})(?<!\s)\$(?![\w$({])`,
);
const BLOCK = [
  new RegExp(String.raw`^ {0,3}\$\$((?:(?!\n[ \t]*\n)[^$]){1,${LONGEST}}?)\$\$[ \t]*(?:\n+|$)`),
  new RegExp(String.raw`^ {0,3}\\\[((?:(?!\n[ \t]*\n)[\s\S]){1,${LONGEST}}?)\\\][ \t]*(?:\n+|$)`),
];

/** The formula with which this text begins. `before` is the character in front of it, if there is one. */
export function inlineFormula(text: string, before: string): FoundFormula | null {
  for (const { rule, display } of INLINE) {
    const [all, tex] = rule.exec(text) ?? [];
    if (all !== undefined && tex !== undefined && looksLikeMath(tex)) return found(tex, all, display);
  }
  // After a letter or a digit, a dollar belongs to a price or a variable.
  if (/[\w$\\]/.test(before)) return null;
  const [all, tex] = DOLLARS.exec(text) ?? [];
  return all !== undefined && tex !== undefined && looksLikeMath(tex) ? found(tex, all, false) : null;
}

/** The formula that stands alone in the first lines of this text. */
export function blockFormula(text: string): FoundFormula | null {
  for (const rule of BLOCK) {
    const [all, tex] = rule.exec(text) ?? [];
    if (all !== undefined && tex?.trim()) return found(tex, all, true);
  }
  return null;
}

function found(tex: string, all: string, display: boolean): FoundFormula {
  return { tex: tex.trim(), length: all.length, display };
}

/** Whether a text between delimiters is surely a formula: words are none, and neither are amounts of money. */
function looksLikeMath(tex: string): boolean {
  const text = tex.trim();
  const bare = text
    .replace(/\{[^{}]*\}/g, '')
    .replace(/\\[a-zA-Z]+/g, '')
    .trim();
  if (/[A-Za-z]{3,}/.test(bare)) return false;
  if (/\\[a-zA-Z]|[\^=]/.test(text)) return true;
  return /^\d*[A-Za-z]\d?'?$/.test(text) || (/[A-Za-z]/.test(text) && /[_<>+*/()|-]/.test(text));
}
