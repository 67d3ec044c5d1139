import { expect, test } from 'vitest';
import { holdsKey } from './key-in.ts';

const KEY = 'sk-this/is+a-key';

test.each([
  ['as it is', `Your key is ${KEY}.`],
  ['in an address', `https://example.org/?key=${encodeURIComponent(KEY)}`],
  ['in an address with small letters', `?key=${encodeURIComponent(KEY).replaceAll('%2F', '%2f')}`],
  ['in Base64 of more', `Basic ${Buffer.from(`user:${KEY}!`).toString('base64')}`],
  ['in Base64 for addresses', Buffer.from(`a${KEY}~~~`).toString('base64url')],
  ['with escaped slashes', `{"said":"${KEY.replaceAll('/', '\\/')}"}`],
  ['in Base64', `Basic ${Buffer.from(KEY).toString('base64')}`],
  [
    'in pieces of a stream',
    ['Your ', 'sk-this/', 'is+a', '-key', '.']
      .map((content) => `data: ${JSON.stringify({ id: 'x', choices: [{ delta: { content } }] })}\n\n`)
      .join('') + 'data: [DONE]\n\n',
  ],
])('a key is found %s', (_how, text) => {
  expect(holdsKey(text, KEY)).toBe(true);
});

test('other texts hold none, and a placeholder is no key', () => {
  expect(holdsKey('data: {"choices":[{"delta":{"content":"sk-this/is"}}]}\n\n', KEY)).toBe(false);
  expect(holdsKey('there is none here', 'none')).toBe(false);
});
