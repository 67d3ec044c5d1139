import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Fault } from '../../base/fault.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { useCatalogue } from '../languages/messages.ts';
import { faultText, SUMMARIZED, type ShownFault } from './fault-words.ts';

const src = new URL('../../', import.meta.url);
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).flatMap((path) =>
  path.endsWith('.ts') && !path.endsWith('.test.ts') ? [readFileSync(new URL(path, src), 'utf8')] : [],
);
const catalogues = import.meta.glob<{
  readonly default: { readonly fault: { shown(fault: Fault): ShownFault | undefined } };
}>('../languages/*/catalogue.ts', { eager: true });

test.for(SUMMARIZED)('a fault with the code %s can happen', (code) => {
  expect(sources.some((text) => text.includes(`code: '${code}'`))).toBe(true);
});

test('each language has a summary of its own for each of them, and none for others', () => {
  expect(Object.keys(catalogues)).toHaveLength(LANGUAGES.length - 1);
  for (const { default: catalogue } of Object.values(catalogues)) {
    const shown = (code: string) => catalogue.fault.shown({ code, what: 'x' });
    expect(new Set(SUMMARIZED.map((code) => shown(code)?.what)).size).toBe(SUMMARIZED.length);
    expect(shown('toString')).toBeUndefined();
    expect(shown('__proto__')).toBeUndefined();
    expect(shown('unheard-of')).toBeUndefined();
  }
});

test('in another language a fault is said in that language, with what only its own text says', () => {
  const fault = { code: 'recording-invalid', what: 'No recording.', next: 'Choose another one.' };
  expect(faultText(fault)).toBe('No recording. Choose another one.');
  useCatalogue(catalogues['../languages/de/catalogue.ts']!.default);
  expect(faultText(fault)).toBe(
    'Das ist keine Aufzeichnung einer Sitzung. Öffnen Sie eine Datei oder einen Link, die in Vitrine mit „Teilen“ entstanden sind.',
  );
  expect(
    faultText({ code: 'quota', what: 'Credits: 0', next: 'Check the balance and limits of the X account.' }),
  ).toBe(
    'Das Guthaben oder Kontingent beim Anbieter ist aufgebraucht. Prüfen Sie Guthaben und Limits Ihres Kontos für X. (Credits: 0)',
  );
  expect(faultText({ ...fault, code: 'unheard-of' })).toBe('No recording. Choose another one.');
});

test('a sentence that stands in another one is translated with it, and what it quotes is not', () => {
  const shown = (fault: Omit<Fault, 'code'>) =>
    catalogues['../languages/de/catalogue.ts']!.default.fault.shown({ code: 'malformed-stream', ...fault });
  expect(
    shown({
      what: 'The server sent something that is not part of the protocol: The server answered with a single JSON value instead of a stream.',
    })?.what,
  ).toMatch(/gehört: Der Server hat mit einem einzelnen JSON-Wert/);
  expect(
    shown({ what: 'The server sent something that is not part of the protocol: two\nlines {}' })?.what,
  ).toMatch(/gehört: two\nlines \{\}$/);
  expect(
    shown({
      what: 'x',
      next: 'Start vLLM: vllm serve MODEL If it runs: Start vLLM with this page allowed: vllm serve m --allowed-origins \'["https://v.example"]\'',
    })?.next,
  ).toBe(
    'Starten Sie vLLM: vllm serve MODEL Wenn er schon läuft: Starten Sie vLLM so, dass es diese Seite zulässt: vllm serve m --allowed-origins \'["https://v.example"]\'',
  );
});
