import { inspect } from '../internal/inspect.ts';
import { edits, type DiffEntry } from './diff.ts';

const readable: Readonly<Record<string, string>> = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};

const SHORT = 12;
const UNCHANGED_LINES = 5;

/** The escape sequences that color differences. Empty where the terminal has no colors. */
export interface Paint {
  readonly blue: string;
  readonly green: string;
  readonly red: string;
  readonly plain: string;
}

export const noPaint: Paint = { blue: '', green: '', red: '', plain: '' };

function inspectFully(value: unknown): string {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    maxStringLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

const isReference = (value: unknown) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The message of a failed assertion, with the difference between the two values. */
export function difference(
  actual: unknown,
  expected: unknown,
  operator: string,
  said: string | undefined,
  paint: Paint,
  diff = 'simple',
): string {
  const asReference =
    operator === 'strictEqual' &&
    ((typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null) ||
      (typeof actual === 'function' && typeof expected === 'function'));
  const kind = asReference ? 'strictEqualObject' : operator;
  const [one, other] = [inspectFully(actual), inspectFully(expected)];
  const [lines, wanted] = [one.split('\n'), other.split('\n')];
  let header = `${paint.green}+ actual${paint.plain} ${paint.red}- expected${paint.plain}`;
  let body: string;
  let skipped = false;
  let title = kind;
  if (lines.length === 1 && wanted.length === 1 && !(isObject(actual) && isObject(expected))) {
    const quotes = (typeof actual === 'string' ? 2 : 0) + (typeof expected === 'string' ? 2 : 0);
    if (one.length + other.length - quotes <= SHORT && (actual !== 0 || expected !== 0)) {
      header = '';
      body = `${one} !== ${other}`;
    } else body = stacked(one, other, paint);
  } else if (one === other) {
    title = 'notIdentical';
    skipped = lines.length > 50 && diff === 'simple';
    body = skipped ? `${lines.slice(0, 50).join('\n')}\n...}` : one;
    header = '';
  } else ({ body, skipped } = printed(edits(lines, wanted, isObject(actual)), paint));
  return `${said ?? readable[title]}\n${header}${skipped ? '\n... Skipped lines' : ''}\n${body}\n`;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

function stacked(one: string, other: string, paint: Paint): string {
  let text = `\n${paint.green}+${paint.plain} ${one}\n${paint.red}- ${paint.plain}${other}`;
  if (one.length + other.length <= 80) {
    const at = Array.from(one).findIndex((char, index) => char !== other[index]);
    if (at >= 3) text += `\n${' '.repeat(at + 2)}^`;
  }
  return text;
}

/** `diff` is from its end on, as the search for it leaves it. */
function printed(diff: readonly DiffEntry[], paint: Paint): { body: string; skipped: boolean } {
  let text = '';
  let skipped = false;
  let unchanged = 0;
  const line = (at: number) => `${paint.plain}  ${diff[at]?.[1] ?? ''}\n`;
  for (let at = diff.length - 1; at >= 0; at--) {
    const [operation, value] = diff[at] ?? [0, ''];
    const before = diff[at + 1]?.[0];
    if (before === 0 && operation !== 0) {
      if (unchanged === UNCHANGED_LINES + 1) text += line(at + 1);
      else if (unchanged === UNCHANGED_LINES + 2) text += line(at + 2) + line(at + 1);
      else if (unchanged >= UNCHANGED_LINES + 3) {
        text += `${paint.blue}...${paint.plain}\n${line(at + 1)}`;
        skipped = true;
      }
      unchanged = 0;
    }
    if (operation === 1) text += `${paint.green}+${paint.plain} ${value}\n`;
    else if (operation === -1) text += `${paint.red}-${paint.plain} ${value}\n`;
    else {
      if (unchanged < UNCHANGED_LINES) text += line(at);
      unchanged++;
    }
  }
  return { body: `\n${text.trimEnd()}`, skipped };
}

/** For operators whose two values are not compared line by line. */
export function statement(actual: unknown, expected: unknown, operator: string, diff = 'simple'): string {
  const short = (text: string, most: number) =>
    diff === 'simple' && text.length > most ? `${text.slice(0, most - 3)}...` : text;
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') {
    const title =
      operator === 'notStrictEqual' && isReference(actual)
        ? readable.notStrictEqualObject
        : readable[operator];
    let lines = inspectFully(actual).split('\n');
    if (lines.length > 50 && diff === 'simple') lines = [...lines.slice(0, 46), '...'];
    const [first = ''] = lines;
    if (lines.length === 1) return `${title}${first.length > 5 ? '\n\n' : ' '}${first}`;
    return `${title}\n\n${lines.join('\n')}\n`;
  }
  const [one, other] = [inspectFully(actual), inspectFully(expected)];
  if (operator === 'notDeepEqual' && one === other) return short(`${readable[operator]}\n\n${one}`, 1024);
  const [first, second] = [short(one, 512), short(other, 512)];
  if (operator === 'deepEqual')
    return `${readable[operator]}\n\n${first}\n\nshould loosely deep-equal\n\n${second}`;
  const unequal = readable[`${operator}Unequal`];
  if (unequal) return `${unequal}\n\n${first}\n\nshould not loosely deep-equal\n\n${second}`;
  return `${first} ${operator} ${second}`;
}
