import { expect, test } from 'vitest';
import { previewAddress } from './preview-address.ts';

const page = 'https://vitrine.example/app/#x';

test('a server on another site is shown', () => {
  const url = 'https://a--5173--b.local-corp.webcontainer-api.io';
  expect(previewAddress(url, page)).toBe(`${url}/`);
});

test.each([
  'https://vitrine.example/',
  'http://a--5173--b.local-corp.webcontainer-api.io',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://vitrine.example/x',
  'https://user:secret@other.example/',
  'no address',
  '',
])('%j is not', (url) => expect(previewAddress(url, page)).toBeUndefined());
