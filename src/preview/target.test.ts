import { expect, test } from 'vitest';
import { ROOT } from '../workspace/workspace.ts';
import { addressOf } from './target.ts';

test('a page is named by the port of its server, or by its folder', () => {
  expect(addressOf({ kind: 'server', port: 5173 }, '/cart?id=1')).toBe('http://localhost:5173/cart?id=1');
  expect(addressOf({ kind: 'folder', path: ROOT }, '/about.html')).toBe('/about.html');
  expect(addressOf({ kind: 'folder', path: `${ROOT}/site/public` }, '/about.html')).toBe(
    'site/public/about.html',
  );
  expect(addressOf(null, '/')).toBe('/');
});
