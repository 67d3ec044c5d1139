/**
 * Whether a value has everything that is expected of it. Objects may have more members than expected, lists may not
 * have more items. Regular expressions match texts, and Playwright's asymmetric matchers (`expect.any`,
 * `expect.stringContaining` and so on) decide for themselves.
 */
export function matches(actual: unknown, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual);
  // `search` begins at the start of the text, also with the flag `g`, where `test` goes on from its last match.
  if (expected instanceof RegExp) return typeof actual === 'string' && actual.search(expected) >= 0;
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, at) => matches(actual[at], item))
    );
  if (typeof expected === 'object' && expected !== null)
    return (
      typeof actual === 'object' &&
      actual !== null &&
      Object.entries(expected).every(([name, value]) => matches(Reflect.get(actual, name), value))
    );
  return Object.is(actual, expected);
}

function isAsymmetric(value: unknown): value is { asymmetricMatch(other: unknown): boolean } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  );
}

/** One line for a message of a matcher. */
export function shown(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (isAsymmetric(value)) return asymmetricText(value);
  const json = JSON.stringify(value, (_name, item: unknown) =>
    item instanceof RegExp ? String(item) : isAsymmetric(item) ? asymmetricText(item) : item,
  );
  const line = json ?? String(value);
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Playwright's and Vitest's matchers have the value that they look for as `sample`. */
function asymmetricText(value: object): string {
  const sample: unknown = Reflect.get(value, 'sample');
  if (sample === undefined || typeof sample === 'function') return String(value);
  return `${String(value)} ${shown(sample)}`;
}

/** How many characters of a value stand in a message. */
const LONGEST = 200;
