import path from 'node:path';
import { expect, test } from 'vitest';
import { GuestBundler } from './guest-bundle.ts';
import { hostOf } from './guest-parts.ts';

const root = path.resolve(import.meta.dirname, '..');

test('a part of node brings what only it needs, and takes from node what both need', async () => {
  const errors = 'guest/node/builtins/internal/errors.ts';
  const { code, imports, sources } = await new GuestBundler(root, false).script(
    'guest/node/builtins/zlib/main.ts',
  );
  const inPart = sources.map((file) => path.relative(root, file));
  expect(inPart).toContain('node_modules/pako/dist/pako.mjs');
  expect(inPart).not.toContain(errors);
  expect(imports).toContain(errors);
  expect(code).toContain(`__vtr_shared["${errors}"]`);
}, 60_000);

test('a host is made anew when a file of one of its parts changes', async () => {
  const { sources } = await new GuestBundler(root, false).script('guest/node/main.ts');
  expect(sources).toContain(path.join(root, 'guest/node/builtins/zlib/main.ts'));
}, 60_000);

test('a part belongs to the script that fetches it', () => {
  expect(hostOf('guest/node/builtins/zlib/main.ts')).toBe('guest/node/main.ts');
  expect(hostOf('guest/shell/main.ts')).toBeUndefined();
});

test('the shell has neither the parser nor the commands that are rarely run', async () => {
  const { sources } = await new GuestBundler(root, false).script('guest/shell/commands/rare/main.ts');
  expect(sources).toContain(path.join(root, 'guest/shell/commands/files/tree.ts'));
  // Sources of a host count those of its parts, so its code is looked at.
  const { code } = await new GuestBundler(root, false).script('guest/shell/main.ts');
  expect(code).toContain('guest/shell/commands/files/cp.ts');
  expect(code).not.toContain('guest/shell/commands/files/tree.ts');
  expect(code).not.toContain('node_modules/unbash/');
  expect(code).not.toContain('node_modules/picomatch/');
}, 60_000);
