import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../languages/languages.ts';
import { useCatalogue } from '../languages/messages.ts';
import { faultText, SUMMARIZED, type FaultSummary } from './fault-words.ts';

const src = new URL('../../', import.meta.url);
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).flatMap((path) =>
  path.endsWith('.ts') && !path.endsWith('.test.ts') ? [readFileSync(new URL(path, src), 'utf8')] : [],
);
const catalogues = import.meta.glob<{
  readonly default: { readonly fault: { summary(code: string): FaultSummary | undefined } };
}>('../languages/*/catalogue.ts', { eager: true });

test.for(SUMMARIZED)('a fault with the code %s can happen', (code) => {
  expect(sources.some((text) => text.includes(`code: '${code}'`))).toBe(true);
});

test('each language has a summary of its own for each of them, and none for others', () => {
  expect(Object.keys(catalogues)).toHaveLength(LANGUAGES.length - 1);
  for (const { default: catalogue } of Object.values(catalogues)) {
    const texts = SUMMARIZED.map((code) => catalogue.fault.summary(code)?.what);
    expect(new Set(texts).size).toBe(SUMMARIZED.length);
    expect(catalogue.fault.summary('toString')).toBeUndefined();
    expect(catalogue.fault.summary('__proto__')).toBeUndefined();
    expect(catalogue.fault.summary('unheard-of')).toBeUndefined();
  }
});

test('in another language a fault is said in that language first, and its own text follows', () => {
  const fault = { code: 'recording-invalid', what: 'No recording.', next: 'Choose another one.' };
  expect(faultText(fault)).toBe('No recording. Choose another one.');
  useCatalogue(catalogues['../languages/de/catalogue.ts']!.default);
  expect(faultText(fault)).toBe(
    'Das ist keine Aufzeichnung einer Sitzung. Öffnen Sie eine Datei oder einen Link, die in Vitrine mit „Teilen“ entstanden sind. (No recording.)',
  );
  expect(faultText({ ...fault, code: 'unheard-of' })).toBe('No recording. Choose another one.');
});
