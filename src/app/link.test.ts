import { expect, test } from 'vitest';
import { parseLink } from './link.ts';

test('a plain address asks for nothing', () => {
  expect(parseLink('')).toEqual({ prompt: '', automation: false, recording: '', kind: 'auto' });
});

test('a prompt is taken as text, automation only as 1', () => {
  expect(parseLink('?prompt=%3Cb%3E%20x&automation=true')).toEqual({
    prompt: '<b> x',
    automation: false,
    recording: '',
    kind: 'auto',
  });
  expect(parseLink('?automation=1').automation).toBe(true);
});

test('a page that is driven keeps to one kind, unless its link says otherwise', () => {
  expect(parseLink('?automation=1').kind).toBe('embedded');
  expect(parseLink('?automation=1&workspace=auto').kind).toBe('auto');
});

test.each(['auto', 'embedded', 'webcontainer'])('the kind %s is there', (kind) => {
  expect(parseLink(`?workspace=${kind}`)).toMatchObject({ kind });
  expect(parseLink(`?workspace=${kind}`).fault).toBeUndefined();
});

test('a kind that nobody knows is told, and it is as without', () => {
  expect(parseLink('?workspace=docker')).toMatchObject({
    kind: 'auto',
    fault: { code: 'link-invalid', where: '?workspace' },
  });
});

test('a lesson is named by its id', () => {
  expect(parseLink('?lesson=the-loop').lesson).toBe('the-loop');
});
