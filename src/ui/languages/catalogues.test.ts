import { describe, expect, test } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { plural } from './plural.ts';

const modules = import.meta.glob<Record<string, unknown>>('../**/*words.ts', { eager: true });
const sources = import.meta.glob<string>('../**/*words.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
});
const catalogues = import.meta.glob<{ readonly default: object }>('./*/catalogue.ts', { eager: true });

/** The English texts, by the part of the page that their module says they belong to. */
const english = Object.fromEntries(
  Object.entries(sources).flatMap(([path, source]) =>
    [...source.matchAll(/^export const (\w+) = messages\('(\w+)'/gm)].map(([, constant = '', part = '']) => [
      part,
      modules[path]?.[constant],
    ]),
  ),
);

/** Every text below a value, by the names that lead to it. */
function textsOf(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => textsOf(member, path ? `${path}.${name}` : name));
}

const kindsOf = (texts: Iterable<[string, unknown]>) =>
  [...texts].map(([path, value]) => `${path}: ${typeof value}`).sort();

const englishTexts = new Map(textsOf(english));

test('the English texts are found', () => {
  expect(Object.keys(english).length).toBeGreaterThan(40);
  expect(englishTexts.size).toBeGreaterThan(1_000);
  expect(englishTexts.get('page.stop')).toBe('Stop');
});

test('every language of the page has a catalogue, and no other', () => {
  const tags = Object.keys(catalogues).map((path) => path.split('/')[1]);
  expect(tags.sort()).toEqual(LANGUAGES.filter((tag) => tag !== 'en').sort());
});

describe.each(Object.entries(catalogues))('%s', (_path, { default: catalogue }) => {
  const texts = textsOf(catalogue);

  test('has the names of the English texts', () => {
    expect(kindsOf(texts)).toEqual(kindsOf(englishTexts));
  });

  test('leaves no text empty, and no sentence in English', () => {
    const isEmpty = (value: unknown) => value === '';
    expect(texts.filter(([path, value]) => isEmpty(value) !== isEmpty(englishTexts.get(path)))).toEqual([]);
    // Single words such as Vitrine, JSON and Markdown are the same everywhere.
    const isSentence = (value: unknown) => typeof value === 'string' && / .* /.test(value);
    expect(texts.filter(([path, value]) => isSentence(value) && englishTexts.get(path) === value)).toEqual(
      [],
    );
  });
});

test('a number takes the form that its language has for it', () => {
  const forms = { one: 'file', other: 'files' };
  expect([0, 1, 2].map((count) => plural(count, forms))).toEqual(['files', 'file', 'files']);
  expect(plural(1, { other: 'only' })).toBe('only');
});
