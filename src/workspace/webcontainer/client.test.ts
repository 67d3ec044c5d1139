import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientSource, patched } from '../../../build/webcontainer-patches.ts';
import { hashText } from '../../base/hash.ts';

const installed = (path: string) =>
  readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url), 'utf8');
const versionOf = (name: string) =>
  (JSON.parse(installed(`${name}/package.json`)) as { version: string }).version;

test('the client and its Comlink are the ones that this adapter and its test host were made for', () => {
  // If this fails, read the new client, adapt the host in test/support/webcontainer, and then update these lines.
  expect(versionOf('@webcontainer/api')).toBe('1.6.4');
  expect(hashText(installed('@webcontainer/api/dist/vendor/index.js'))).toBe(
    'a119d0447e07fa2a313e3577f369124cc5c0b2584fd3afd03db212c553bc5071',
  );
  expect(hashText(clientSource())).toBe('5e10a59960fd385bdf2e4c4ee94b2795e4fe9f5257db5ded67860703e0ebff8e');
  // From 4.3.1 on, Comlink's messages have another format, and every call to the client would hang.
  expect(versionOf('comlink')).toBe('4.3.0');
});

test('each patch has its place, once', () => {
  const code = patched(clientSource());
  expect(code).toContain('streamed.decode(data, { stream: true })');
  expect(code).toContain('export function forgetRuntime()');
  expect(() => patched(code)).toThrow(/not the version/);
});
