import { expect, test } from 'vitest';
import { parseLink } from './link.ts';

test('an address without parameters gives an empty link', () => {
  expect(parseLink('')).toEqual({ prompt: '', automation: false, recording: '', kind: 'auto' });
});

test('a prompt is any text, automation is on only with 1', () => {
  expect(parseLink('?prompt=%3Cb%3E%20x&automation=true')).toEqual({
    prompt: '<b> x',
    automation: false,
    recording: '',
    kind: 'auto',
  });
  expect(parseLink('?automation=1').automation).toBe(true);
});

test('automation fixes the workspace kind, unless the link sets another', () => {
  expect(parseLink('?automation=1').kind).toBe('embedded');
  expect(parseLink('?automation=1&workspace=auto').kind).toBe('auto');
});

test.each(['auto', 'embedded', 'webcontainer'])('the kind %s is known', (kind) => {
  expect(parseLink(`?workspace=${kind}`)).toMatchObject({ kind });
  expect(parseLink(`?workspace=${kind}`).fault).toBeUndefined();
});

test('an unknown kind is reported and ignored', () => {
  expect(parseLink('?workspace=docker')).toMatchObject({
    kind: 'auto',
    fault: { code: 'link-invalid', where: '?workspace' },
  });
});

test.each([
  ['lang', 'fr'],
  ['lang', ''],
  ['offline', 'maybe'],
])('%s=%s is reported and ignored', (name, value) => {
  expect(parseLink(`?${name}=${value}`).fault).toMatchObject({ code: 'link-invalid', where: `?${name}` });
});

test('languages and the two words of offline are known', () => {
  for (const known of ['lang=de', 'lang=de-AT', 'lang=ar', 'offline=on', 'offline=off'])
    expect(parseLink(`?${known}`).fault).toBeUndefined();
});

test('a page of the settings is named, or none for the first', () => {
  expect(parseLink('?settings=storage').settings).toBe('storage');
  expect(parseLink('?settings').settings).toBe('');
  expect(parseLink('?prompt=settings').settings).toBeUndefined();
});

test('a person who comes back from a sign-in goes on in the settings', () => {
  expect(parseLink('?sign-in=a&code=b')).toMatchObject({
    settings: 'sign-in',
    returned: '?sign-in=a&code=b',
  });
  expect(parseLink('?code=b').returned).toBeUndefined();
});

test('a recording plays by itself only with 1', () => {
  expect(parseLink('?recording=a&play=1').plays).toBe(true);
  expect(parseLink('?recording=a&play=true').plays).toBeUndefined();
});

test('a lesson is named by its id', () => {
  expect(parseLink('?lesson=the-loop').lesson).toBe('the-loop');
});

test.each([
  ['ada/tool', { repository: 'ada/tool' }],
  ['ada/tool.js@feature/x', { repository: 'ada/tool.js', ref: 'feature/x' }],
])('the repository %s is offered, with an agent', (text, repository) => {
  expect(parseLink(`?repo=${encodeURIComponent(text)}&agent=plan&prompt=Fix`)).toMatchObject({
    repository,
    agent: 'plan',
    prompt: 'Fix',
  });
});

test.each(['ada', 'ada/..', 'https://evil.example/x', 'a/b;rm', 'a/b@$(x)'])(
  'the text %s names no repository and is reported',
  (text) => {
    const link = parseLink(`?repo=${encodeURIComponent(text)}`);
    expect(link.repository).toBeUndefined();
    expect(link.fault).toMatchObject({ code: 'link-invalid', where: '?repo' });
  },
);
