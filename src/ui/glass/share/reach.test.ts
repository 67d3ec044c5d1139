import { expect, test } from 'vitest';
import { reachOf } from './reach.ts';

test.each([
  ['http://localhost:4173/', 'computer'],
  ['http://vitrine.localhost:4173/', 'computer'],
  ['http://127.0.0.1:4173/', 'computer'],
  ['http://[::1]:4173/', 'computer'],
  ['file:///home/me/vitrine/index.html', 'computer'],
  ['http://192.168.1.20:4173/', 'network'],
  ['http://10.0.0.5/', 'network'],
  ['http://172.20.1.1/', 'network'],
  ['http://[fd12:3456::1]/', 'network'],
  ['http://[fe80::1]/', 'network'],
  ['http://desktop:4173/', 'network'],
  ['https://nas.local/', 'network'],
  ['https://vitrine.example/app/', 'everybody'],
  ['https://172.32.0.1/', 'everybody'],
  ['https://10.example.org/', 'everybody'],
  ['https://[2001:db8::1]/', 'everybody'],
  ['https://localhost.example.org/', 'everybody'],
] as const)('who can open a link to %s: %s', (address, reach) => {
  expect(reachOf(new URL(address))).toBe(reach);
});
