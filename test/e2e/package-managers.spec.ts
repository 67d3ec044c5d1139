import { nativeProject, printTree } from '../support/npm-registry/native-npm.ts';
import { configureHosts, npmrcOf, openWith, test } from './installing.ts';
import { expect } from './test.ts';

// pnpm and Yarn themselves, in the built app, from a registry on loopback, compared with the same programs in Node.

const manifest = (packageManager: string) =>
  JSON.stringify(
    {
      name: 'app',
      version: '1.0.0',
      packageManager,
      scripts: { test: 'mocha --reporter dot', hello: 'echo hello', 'hello:again': 'echo again' },
      dependencies: { express: '*' },
      devDependencies: { mocha: '*' },
    },
    null,
    2,
  );
const TEST = "it('adds', () => { if (1 + 1 !== 2) throw new Error(); });\n";
const files = { 'test/add.js': TEST };
/** These tell times and folders of the machine. */
const OWN = ['.modules.yaml', '.pnpm-workspace-state-v1.json', '.yarn-integrity', '.yarn-state.yml'];
/**
 * A line of shell that prints what is installed, without the own files of the package managers. Commands name the project's folder,
 * which is another one natively, so its name is replaced.
 */
const TREE = `copy=/tmp/tree-$RANDOM; mkdir -p $copy; cp -r node_modules $copy; here=$PWD; cd $copy
rm -rf ${['.package-managers', '.pnpm-store', ...OWN].map((name) => `node_modules/${name}`).join(' ')}
find node_modules -type f -path '*/.bin/*' | xargs -r sed -i "s#$here#/project#g"
${printTree()}; rm -r $copy`;

test('pnpm installs a project as it does anywhere, runs its scripts, and is still there after a reload', async ({
  page,
  registry,
}) => {
  test.setTimeout(600_000);
  const project = { ...files, 'package.json': manifest('pnpm@10.34.9'), '.npmrc': npmrcOf(registry) };
  const exec = await openWith(page, [registry.host], project);
  const installed = await exec('pnpm install');
  expect(installed.output).toContain('Fetching pnpm 10.34.9 from the npm registry…\n');
  expect(installed.output).toContain('using pnpm v10.34.9');
  expect(installed.exitCode).toBe(0);
  const there = nativeProject(project, registry.url);
  await there.manager('pnpm/bin/pnpm.cjs', ['install', '--ignore-scripts', '--store-dir', '.store'], {
    npm_config_manage_package_manager_versions: 'false',
  });
  expect((await exec('cat pnpm-lock.yaml')).output).toBe(await there.shell('cat pnpm-lock.yaml'));
  expect((await exec(TREE)).output).toBe(await there.shell(TREE));
  there.remove();

  expect(await exec('pnpm test')).toMatchObject({
    output: expect.stringContaining('1 passing'),
    exitCode: 0,
  });
  expect((await exec('pnpm run "/^hello/"')).output).toMatch(/hello[\s\S]*again/);
  expect((await exec('pnpm add ms && pnpm ls ms')).output).toMatch(/ms \d+\.\d+\.\d+/);
  expect((await exec('pnpm remove ms && ls node_modules')).output).not.toMatch(/^ms$/m);
  const added = await exec('pnpm add -D lightningcss && cat node_modules/lightningcss/package.json');
  expect(added.output).toMatch(
    /^pnpm warn vitrine lightningcss \S+ is native code, which cannot run here\./m,
  );
  expect(added.output).toContain('"vitrineSubstitute": "lightningcss-wasm ');
  expect(added.exitCode).toBe(0);

  await page.reload();
  await configureHosts(page, []);
  const again = await exec('pnpm test');
  expect(again).toMatchObject({ output: expect.stringContaining('1 passing'), exitCode: 0 });
  expect(again.output).not.toContain('Fetching pnpm');
});

test('a version of pnpm that is native code is replaced by one that runs', async ({ page, registry }) => {
  const exec = await openWith(page, [registry.host], {
    'package.json': manifest('pnpm@12.21.0'),
    '.npmrc': npmrcOf(registry),
  });
  const { output, exitCode } = await exec('pnpm --version');
  expect(output).toMatch(/\npnpm 12\.21\.0 cannot run here, so pnpm 10 runs in its place\.\n10\.\d+\.\d+\n$/);
  expect(exitCode).toBe(0);
  expect((await exec('ls')).output).toBe('package.json\n');
});

for (const { version, file, lock, settings } of [
  {
    version: '1.22.22',
    file: 'yarn/bin/yarn.js',
    lock: ['install', '--ignore-scripts', '--ignore-platform'],
    settings: () => ({}),
  },
  {
    version: '4.18.1',
    file: '@yarnpkg/cli-dist/bin/yarn.js',
    lock: ['install'],
    settings: (url: string) => ({
      '.yarnrc.yml': `nodeLinker: node-modules\nnpmRegistryServer: ${url}\nunsafeHttpWhitelist: [127.0.0.1]\nenableScripts: false\n`,
      'yarn.lock': '',
    }),
  },
])
  test(`Yarn ${version} installs a project as it does anywhere, and runs its scripts`, async ({
    page,
    registry,
  }) => {
    const project = {
      ...files,
      ...settings(registry.url),
      'package.json': manifest(`yarn@${version}`),
      '.npmrc': npmrcOf(registry),
    };
    const exec = await openWith(page, [registry.host], project);
    const installed = await exec('yarn');
    expect(installed.exitCode, installed.output).toBe(0);
    const there = nativeProject(project, registry.url);
    await there.manager(file, lock, { YARN_ENABLE_TELEMETRY: '0' });
    expect((await exec('cat yarn.lock')).output).toBe(await there.shell('cat yarn.lock'));
    expect((await exec(TREE)).output).toBe(await there.shell(TREE));
    there.remove();
    expect(await exec('yarn test')).toMatchObject({
      output: expect.stringContaining('1 passing'),
      exitCode: 0,
    });
    expect((await exec('yarn --version')).output).toBe(`${version}\n`);
    expect((await exec('yarn add ms && node -p "typeof require(\'ms\')"')).output).toMatch(/function\n$/);
  });
