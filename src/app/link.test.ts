import { expect, test } from 'vitest';
import { parseLink } from './link.ts';

test('a plain address asks for nothing', () => {
  expect(parseLink('')).toEqual({ prompt: '', automation: false });
});

test('a prompt is taken as text, automation only as 1', () => {
  expect(parseLink('?prompt=%3Cb%3E%20x&automation=true')).toEqual({ prompt: '<b> x', automation: false });
  expect(parseLink('?automation=1').automation).toBe(true);
});

test.each(['auto', 'embedded'])('the kind %s is there', (kind) => {
  expect(parseLink(`?workspace=${kind}`).fault).toBeUndefined();
});

test('a kind that is not there yet, and one that nobody knows, are told', () => {
  expect(parseLink('?workspace=webcontainer').fault?.code).toBe('kind-unavailable');
  expect(parseLink('?workspace=docker').fault).toMatchObject({ code: 'link-invalid', where: '?workspace' });
});
