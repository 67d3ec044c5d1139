import { expect, test } from 'vitest';
import { frameAddress } from './frame-address.ts';

const SITE = 'https://vitrine.example/app/';
const PAGE = 'https://blog.example/posts/one.html';
const of = (src: string, more = {}) => frameAddress(SITE, PAGE, { src, ...more });

test('a file of the page or of another host is shown in the frame of the site', () => {
  expect(of('fix.vitrine.json')).toBe(
    `${SITE}embed.html?recording=${encodeURIComponent('https://blog.example/posts/fix.vitrine.json')}`,
  );
  expect(of(' https://files.example/a.json ')).toBe(
    `${SITE}embed.html?recording=${encodeURIComponent('https://files.example/a.json')}`,
  );
});

test.each([
  ['#recording=abc', '#recording=abc'],
  ['?lesson=the-loop', '?lesson=the-loop'],
  [`${SITE}#recording=abc`, '#recording=abc'],
  [`${SITE}index.html?lesson=the-loop`, '?lesson=the-loop'],
  [`${SITE}?recording=https%3A%2F%2Fa.b%2Fc`, '?recording=https%3A%2F%2Fa.b%2Fc'],
])('the link %s of the app is shown', (src, rest) => {
  expect(of(src)).toBe(`${SITE}embed.html${rest}`);
});

test('of a link, what is neither recording nor lesson stays behind', () => {
  expect(of(`${SITE}?automation=1&prompt=x&lesson=the-loop`)).toBe(`${SITE}embed.html?lesson=the-loop`);
});

test('the other attributes go along, and what is no address is refused', () => {
  expect(of('#recording=abc', { step: '2', theme: 'dark', call: null, lang: '' })).toBe(
    `${SITE}embed.html?step=2&theme=dark#recording=abc`,
  );
  expect(of('')).toBeNull();
  expect(of('https://')).toBeNull();
});
