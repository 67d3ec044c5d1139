import { InMemoryFs } from 'just-bash/browser';
import { expect, test } from 'vitest';
import { packagesBelow } from './packages.ts';
import { wantedManager } from './wanted.ts';
import { readWords } from './words.ts';

test.for([
  ['pnpm', undefined, 'pnpm@10'],
  ['pnpm', 'pnpm@9.15.4', 'pnpm@9.15.4'],
  ['pnpm', 'pnpm@10.34.9+sha512.00ff', 'pnpm@10.34.9'],
  ['pnpm', 'yarn@4.1.0', 'pnpm@10'],
  ['pnpm', 'pnpm@latest', 'pnpm@10'],
  ['yarn', undefined, 'yarn@1'],
  ['yarn', 'yarn@1.22.22', 'yarn@1.22.22'],
  ['yarn', 'yarn@4.1.0', '@yarnpkg/cli-dist@4.1.0'],
] as const)('%s of a project with %s is %s', ([name, packageManager, wanted]) => {
  const { package: from, range, note } = wantedManager(name, { packageManager, isModernYarn: false });
  expect([`${from}@${range}`, note]).toEqual([wanted, undefined]);
});

test('a lockfile or settings of Yarn 2 and later ask for the newest of these', () => {
  expect(wantedManager('yarn', { isModernYarn: true })).toEqual({ package: '@yarnpkg/cli-dist', range: '4' });
});

test.for([
  ['pnpm', 'pnpm@12.21.0', 'pnpm', '10'],
  ['yarn', 'yarn@6.0.0', '@yarnpkg/cli-dist', '4'],
] as const)('%s that cannot run is replaced, and said to be', ([name, packageManager, from, range]) => {
  expect(wantedManager(name, { packageManager, isModernYarn: false })).toEqual({
    package: from,
    range,
    note: `${packageManager.replace('@', ' ')} cannot run here, so ${name} ${range} runs in its place.`,
  });
});

test.for([
  ['pnpm', 'install', true],
  ['pnpm', '--filter app add -D vite', true],
  ['pnpm', '--filter=app i', true],
  ['pnpm', 'add -g serve', false],
  ['pnpm', 'run install', false],
  ['pnpm', 'install --help', false],
  ['pnpm', 'test', false],
  ['pnpm', '', false],
  ['yarn', '', true],
  ['yarn', '--frozen-lockfile', true],
  ['yarn', 'add lodash', true],
  ['yarn', 'workspace app add lodash', true],
  ['yarn', 'workspace app build', false],
  ['yarn', 'build', false],
  ['yarn', 'global add serve', false],
  ['yarn', '--version', false],
] as const)('%s %s changes what is installed: %s', ([name, args, isInstall]) => {
  expect(readWords(name, args.split(' ').filter(Boolean)).isInstall).toBe(isInstall);
});

test.for(['-C web install', '--dir web install', '--dir=web install'])('pnpm %s is for web', (args) => {
  expect(readWords('pnpm', args.split(' ')).folder).toBe('web');
});

test('packages are found in both layouts of node_modules, and links are not followed', async () => {
  const manifest = (name: string, more = {}) => JSON.stringify({ name, version: '1.0.0', ...more });
  const files = new InMemoryFs({
    '/app/node_modules/.pnpm/a@1/node_modules/a/package.json': manifest('a', {
      scripts: { postinstall: 'x' },
    }),
    '/app/node_modules/.pnpm/@s+b@1/node_modules/@s/b/package.json': manifest('@s/b'),
    '/app/node_modules/.bin/x': '',
    '/app/node_modules/c/package.json': manifest('c', { optionalDependencies: { '@c/linux-x64': '1' } }),
    '/app/node_modules/c/node_modules/d/package.json': manifest('d'),
    '/app/node_modules/broken/package.json': '{',
  });
  await files.symlink('.pnpm/a@1/node_modules/a', '/app/node_modules/a');
  const found = await packagesBelow(files, '/app');
  expect(Object.fromEntries(found)).toEqual({
    'node_modules/.pnpm/a@1/node_modules/a': { name: 'a', version: '1.0.0', hasInstallScript: true },
    'node_modules/.pnpm/@s+b@1/node_modules/@s/b': { name: '@s/b', version: '1.0.0' },
    'node_modules/c': { name: 'c', version: '1.0.0', optionalDependencies: { '@c/linux-x64': '1' } },
    'node_modules/c/node_modules/d': { name: 'd', version: '1.0.0' },
  });
});
