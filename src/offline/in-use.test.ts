import { expect, test } from 'vitest';
import { lockName } from './build.ts';
import { buildsInUse } from './in-use.ts';
import type { WindowClient } from './scope.ts';

const SCOPE = 'https://host.example/apps/vitrine/';
const held = (build: string) => ({ name: lockName('/apps/vitrine/', build) });
const page = (url = SCOPE, frameType: WindowClient['frameType'] = 'top-level') => ({ url, frameType });

test('every page that is open holds the lock of its build', () => {
  const clients = [page(`${SCOPE}?automation=1#/session/1`), page(`${SCOPE}index.html`)];
  expect(buildsInUse(SCOPE, [held('a'), held('b'), {}], clients)).toEqual(new Set(['a', 'b']));
});

test('while a page holds no lock yet, any build may be in use', () => {
  expect(buildsInUse(SCOPE, [held('a')], [page(), page()])).toBeNull();
});

test('frames, other pages and other apps of the origin hold none', () => {
  const clients = [
    page(),
    page(`${SCOPE}licences.txt`),
    page(SCOPE, 'nested'),
    page('https://host.example/apps/other/'),
  ];
  expect(buildsInUse(SCOPE, [held('a')], clients)).toEqual(new Set(['a']));
  expect(buildsInUse(SCOPE, [{ name: lockName('/apps/other/', 'x') }], [])).toEqual(new Set());
});
