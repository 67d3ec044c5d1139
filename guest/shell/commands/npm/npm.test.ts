import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { InMemoryFs } from 'just-bash/browser';
import { expect, test } from 'vitest';
import recorded from '../../../../test/fixtures/node/npm.json' with { type: 'json' };
import { folderOf, HOME, parseCases } from '../../../../scripts/node-cases.mjs';
import { shell } from '../../../../test/support/shell.ts';
import { limitCache } from './cache.ts';
import { afterInstall } from './after-install.ts';
import { commandOf } from './commands.ts';
import { installedIn } from './installed.ts';

const fixture = new URL('../../../../test/fixtures/node/npm.txt', import.meta.url);
const cases = parseCases(readFileSync(fixture, 'utf8'));

/** The cases of what the shell does itself. The workspace's own suite runs all, with npm where it is asked. */
const OURS = new Set([
  'run',
  'exit codes',
  'pre and post',
  'silent and what is missing',
  'without a package.json',
  'listing the scripts',
  'test, start, stop and restart',
  'test and start without scripts',
  'scripts of scripts',
  'flags as variables of scripts',
  'variables of the package',
  'silence of scripts within',
  'scripts that are empty',
  'flags that npm does not know',
]);
/** Without those that need node or its words for broken JSON. */
const plain = cases.filter(
  ({ name, command, files }) =>
    OURS.has(name) &&
    !/\bnode\b(?!_)|\.bin|\.js\b|EJSON|JSON\)/.test(
      [command, ...Object.keys(files), ...Object.values(files)].join(' '),
    ),
);

test.for(plain)('says what npm says: $name', async ({ name, command, files }) => {
  const folder = `${HOME}/${folderOf('npm', name)}`;
  const fs = new InMemoryFs(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])),
  );
  fs.mkdirSync('/dev', { recursive: true });
  fs.writeFileSync('/dev/null', '');
  const wanted = recorded.answers.find((answer) => answer.name === name);
  const { output, code } = await shell(`{ ${command}\n} 2> /errors`, { files: fs, cwd: folder });
  expect({ stdout: output, stderr: await fs.readFile('/errors'), exitCode: code }).toEqual({
    stdout: wanted?.stdout,
    stderr: wanted?.stderr,
    exitCode: wanted?.exitCode,
  });
});

test('says what is there where the page does not bring npm', async () => {
  const { output, code } = await shell('npm install left-pad; npx left-pad', { cwd: '/' });
  expect(output).toContain('npm error This build of the page does not bring npm');
  expect(code).toBe(1);
});

test('a script that fails in a program of native code names what runs in its place', async () => {
  const scripts = {
    lint: 'oxlint . && biome check',
    both: 'npm run lint',
    other: 'false oxlint',
    fine: 'true',
  };
  const files = {
    '/package.json': JSON.stringify({ name: 'app', scripts }),
    '/node_modules/.bin/oxlint': 'echo "Please try npm i again" >&2; exit 1',
  };
  const { output, code } = await shell('chmod +x node_modules/.bin/oxlint; npm run both', {
    files,
    cwd: '/',
  });
  expect(output).toContain(
    'Please try npm i again\nnpm warn vitrine oxlint is native code, which cannot run here: eslint runs here.\n' +
      'npm warn vitrine biome is native code, which cannot run here: eslint and prettier run here.\n',
  );
  expect(output.match(/npm warn/g)).toHaveLength(2);
  expect(code).toBe(1);
  for (const line of ['npm run other', 'npm run fine', 'npm run --silent lint'])
    expect((await shell(line, { files, cwd: '/' })).output, line).not.toContain('npm warn');
});

test('prisma gets no engine in native code, and what fails without it is named; Angular gets other threads', async () => {
  const bin = (text: string) => ({
    '/app/package.json': '{}',
    '/app/node_modules/.bin/prisma': text,
    '/app/node_modules/.bin/ng': 'echo "$PISCINA_DISABLE_ATOMICS"',
    '/app/node_modules/.bin/other': text,
  });
  const line = 'chmod +x node_modules/.bin/*; npx prisma db push; npx other; npx other';
  const files = bin('echo "$PRISMA_SCHEMA_ENGINE_BINARY"; exit 1');
  const { output } = await shell(line, { files, cwd: '/app' });
  expect(output).toBe(
    '/usr/lib/no-native-code\n' +
      'npm warn vitrine The schema engine of Prisma is native code, which cannot run here: generate, validate and format do without it, migrate and db do not.\n' +
      '/usr/lib/no-native-code\n'.repeat(2),
  );
  const own = await shell(`export PRISMA_SCHEMA_ENGINE_BINARY=/own; ${line}`, { files, cwd: '/app' });
  expect(own.output).toMatch(/^\/own\n/);
  const angular = await shell('chmod +x node_modules/.bin/*; npx ng build', { files, cwd: '/app' });
  expect(angular.output).toBe('1\n');
});

test('packages that compile their code, or start a browser, are named after an install', async () => {
  const printed: string[] = [];
  const stderr = { write: (bytes: Uint8Array) => void printed.push(new TextDecoder().decode(bytes)) };
  const packages = new Map([
    ['node_modules/bcrypt', { version: '6.0.0' }],
    ['node_modules/cypress', { version: '15.3.0' }],
    ['node_modules/left-pad', { version: '1.3.0' }],
  ]);
  const npmIn = async () => undefined;
  await afterInstall(
    { files: await installed(() => undefined).files, stderr },
    { project: '/app', packages, program: 'npm', isSilent: false, npm: npmIn },
  );
  expect(printed.join('')).toBe(
    'npm warn vitrine bcrypt 6.0.0 is native code, which cannot run here: bcryptjs does the same in JavaScript.\n' +
      'npm warn vitrine cypress 15.3.0 starts a browser of its own, which cannot run here: vitest and jest run with jsdom, and the preview shows pages.\n',
  );
});

const manifest = (each: object) => JSON.stringify(each);
const SYSTEMS = { '@esbuild/linux-x64': '0.28.2', '@esbuild/darwin-arm64': '0.28.2' };
const LOCKED = {
  '': { name: 'app' },
  'node_modules/husky': { version: '9.0.0', hasInstallScript: true },
  'node_modules/vite/node_modules/esbuild': {
    version: '0.28.2',
    hasInstallScript: true,
    optionalDependencies: SYSTEMS,
  },
  'node_modules/oxlint': {
    version: '1.0.0',
    optionalDependencies: { '@oxlint/linux-x64-gnu': '1.0.0', '@oxlint/win32-x64': '1.0.0' },
  },
  'node_modules/rolldown': {
    version: '1.2.0',
    optionalDependencies: {
      '@rolldown/binding-linux-x64-gnu': '1.2.0',
      '@rolldown/binding-darwin-x64': '1.2.0',
      '@rolldown/binding-wasm32-wasi': '1.2.0',
    },
  },
  'node_modules/@rolldown/binding-wasm32-wasi': { version: '1.2.0' },
  'node_modules/chokidar': { version: '3.0.0', optionalDependencies: { fsevents: '2.0.0' } },
};
const ESBUILD = '/app/node_modules/vite/node_modules/esbuild';

function installed(npm: (files: InMemoryFs, folder: string, args: readonly string[]) => string | undefined) {
  const files = new InMemoryFs({
    '/app/node_modules/.package-lock.json': manifest({ packages: LOCKED }),
    '/app/.npmrc': 'registry=http://registry/\n',
    [`${ESBUILD}/package.json`]: manifest({
      name: 'esbuild',
      version: '0.28.2',
      bin: 'a',
      optionalDependencies: SYSTEMS,
    }),
    [`${ESBUILD}/old.js`]: '',
    [`${ESBUILD}/node_modules/kept/index.js`]: '',
  });
  const calls: (readonly string[])[] = [];
  const printed: string[] = [];
  const stderr = { write: (bytes: Uint8Array) => void printed.push(new TextDecoder().decode(bytes)) };
  const run = async (isSilent = false) => {
    const npmIn = async (folder: string, args: readonly string[]) => {
      calls.push([await files.readFile(`${folder}/.npmrc`), ...args]);
      return npm(files, folder, args);
    };
    const packages = await installedIn(files, '/app');
    await afterInstall(
      { files, stderr },
      { project: '/app', packages, program: 'npm', isSilent, npm: npmIn },
    );
    return printed.splice(0).join('');
  };
  return { files, calls, run };
}

test('gives native code the files that run here, once, and names what it skips', async () => {
  const { files, calls, run } = installed((all, folder) => {
    const other = `${folder}/node_modules/substitute-0`;
    all.mkdirSync(`${other}/lib`, { recursive: true });
    all.writeFileSync(
      `${other}/package.json`,
      manifest({ name: 'esbuild-wasm', version: '0.28.2', bin: 'b' }),
    );
    all.writeFileSync(`${other}/lib/main.js`, 'in WebAssembly');
    return undefined;
  });
  const told =
    'npm warn vitrine Install scripts do not run in this workspace; skipped: esbuild, husky\n' +
    'npm warn vitrine esbuild 0.28.2 is native code, which cannot run here. node_modules has ' +
    'esbuild-wasm 0.28.2 in its place, which is WebAssembly. All of it works but serve(), which esbuild-wasm does not have.\n' +
    'npm warn vitrine oxlint 1.0.0 is native code, which cannot run here: eslint runs here.\n';
  expect(await run()).toBe(told);
  expect(calls).toEqual([
    [
      'registry=http://registry/\n',
      'install',
      '--ignore-scripts',
      '--no-package-lock',
      'substitute-0@npm:esbuild-wasm@>=0.0.0 <=0.28.2',
    ],
  ]);
  expect((await files.readdir(ESBUILD)).sort()).toEqual(['lib', 'node_modules', 'package.json']);
  expect(await files.readFile(`${ESBUILD}/lib/main.js`)).toBe('in WebAssembly');
  expect(JSON.parse(await files.readFile(`${ESBUILD}/package.json`))).toEqual({
    name: 'esbuild',
    version: '0.28.2',
    bin: 'b',
    optionalDependencies: SYSTEMS,
    vitrineSubstitute: 'esbuild-wasm 0.28.2',
  });
  expect(await files.readdir('/tmp')).toEqual([]);
  expect(await run()).toBe(told);
  expect(await run(true)).toBe('');
  expect(calls).toHaveLength(1);
});

test('keeps packages that a substitute bundles where npm does not look', async () => {
  const { files, run } = installed((all, folder) => {
    const other = `${folder}/node_modules/substitute-0`;
    all.mkdirSync(`${other}/node_modules/bundled`, { recursive: true });
    all.writeFileSync(`${other}/node_modules/bundled/index.js`, '');
    const exports = { '.': { types: './a.d.ts', node: { import: './a.mjs' } } };
    all.writeFileSync(
      `${other}/package.json`,
      manifest({ name: 'esbuild-wasm', version: '0.28.1', main: 'a.js', exports }),
    );
    all.writeFileSync(`${other}/a.mjs`, 'in WebAssembly');
    return undefined;
  });
  expect(await run()).toContain('node_modules has esbuild-wasm 0.28.1 in its place');
  expect((await files.readdir(ESBUILD)).sort()).toEqual(['node_modules', 'package.json', 'substitute']);
  expect(await files.readdir(`${ESBUILD}/node_modules`)).toEqual(['kept']);
  expect(await files.readdir(`${ESBUILD}/substitute/node_modules`)).toEqual(['bundled']);
  expect(JSON.parse(await files.readFile(`${ESBUILD}/package.json`))).toMatchObject({
    main: './substitute/a.js',
    exports: { '.': { types: './substitute/a.d.ts', node: { import: './substitute/a.mjs' } } },
  });
});

test('adds to a package the part in WebAssembly that it looks for', async () => {
  const { files, calls, run } = installed((all, folder, args) => {
    // Nothing is found of the other group.
    if (!args.includes('--install-strategy=nested')) return 'npm error code E404\n';
    const other = `${folder}/node_modules/substitute-0`;
    all.mkdirSync(`${other}/node_modules/needed`, { recursive: true });
    all.writeFileSync(`${other}/node_modules/needed/index.js`, '');
    all.writeFileSync(
      `${other}/package.json`,
      manifest({ name: '@next/swc-wasm-nodejs', version: '16.3.7', main: 'wasm.js' }),
    );
    all.writeFileSync(`${other}/wasm.js`, 'in WebAssembly');
    return undefined;
  });
  const next = { name: 'next', version: '16.4.6', main: 'next.js' };
  const parts = { '@next/swc-linux-x64-gnu': '16.4.6', '@next/swc-darwin-x64': '16.4.6', sharp: '0.35.5' };
  const packages = {
    ...LOCKED,
    'node_modules/next': { version: '16.4.6', optionalDependencies: parts },
    'node_modules/sharp': { version: '0.35.5' },
  };
  await files.writeFile('/app/node_modules/.package-lock.json', manifest({ packages }));
  await files.mkdir('/app/node_modules/next', { recursive: true });
  await files.writeFile('/app/node_modules/next/package.json', manifest(next));
  await files.writeFile('/app/node_modules/next/next.js', 'own');
  const told =
    'npm warn vitrine next 16.4.6 has parts in native code, which cannot run here. @next/swc-wasm-nodejs 16.3.7 was put in ' +
    'their place, which is WebAssembly. Turbopack has no such build, so run next build --webpack.\n';
  expect(await run()).toContain(told);
  expect(calls.at(-1)?.slice(2)).toEqual([
    '--ignore-scripts',
    '--no-package-lock',
    '--force',
    '--install-strategy=nested',
    'substitute-0@npm:@next/swc-wasm-nodejs@>=16.0.0 <=16.4.6',
  ]);
  const folder = '/app/node_modules/next';
  expect(await files.readFile(`${folder}/next.js`)).toBe('own');
  expect((await files.readdir(`${folder}/wasm/@next/swc-wasm-nodejs`)).sort()).toEqual([
    'node_modules',
    'package.json',
    'wasm.js',
  ]);
  expect(await files.readdir(`${folder}/next-swc-fallback/@next`)).toEqual([
    'swc-linux-x64-gnu',
    'swc-linux-x64-musl',
  ]);
  expect(JSON.parse(await files.readFile(`${folder}/package.json`))).toEqual({
    ...next,
    vitrineSubstitute: '@next/swc-wasm-nodejs 16.3.7',
  });
  const before = calls.length;
  expect(await run()).toContain(told);
  expect(calls.slice(before).filter((call) => call.includes('--install-strategy=nested'))).toEqual([]);
});

test.for([
  { megabytes: 60, isKept: true },
  { megabytes: 70, isKept: false },
])('npm keeps a cache of 64 MB at most: $megabytes MB', async ({ megabytes, isKept }) => {
  const content = '/home/.npm/_cacache/content-v2/sha512/aa';
  const files = new InMemoryFs({
    [`${content}/1`]: new Uint8Array(megabytes * 1024 * 1024),
    '/home/.npm/_logs/a': '',
  });
  await limitCache({ files, env: new Map([['HOME', '/home']]) });
  expect(await files.exists(content)).toBe(isKept);
  expect(await files.exists('/home/.npm/_logs/a')).toBe(true);
});

test('says what to do where the files that run here cannot be fetched', async () => {
  const { files, run } = installed(() => 'npm error code E404\n');
  expect(await run()).toContain(
    'npm error code E404\nnpm warn vitrine Install scripts do not run in this workspace; skipped: esbuild, husky\n' +
      'npm warn vitrine esbuild 0.28.2 is native code, which cannot run here: esbuild-wasm does the same in ' +
      'WebAssembly; run npm install again to fetch it.\n',
  );
  expect(await files.exists(`${ESBUILD}/old.js`)).toBe(true);
});

test.for([
  ["trap 'echo ended; exit 3' TERM; touch up; while :; do sleep 0.01; done", 'ended\n3\n'],
  ['touch up; while :; do sleep 0.01; done', '143\n'],
])('a job is told of TERM, and its script ends as it will: %s', async ([serve, wanted]) => {
  const files = { 'package.json': JSON.stringify({ scripts: { serve } }) };
  const script = 'npm run -s serve & until [ -e up ]; do sleep 0.01; done; kill $!; wait $!; echo $?';
  expect((await shell(script, { files })).output).toBe(wanted);
});

test.for([
  'A=1 npm run -s get',
  'A=0; export A; A=1 npm run -s get',
  'f() { local -x A=1; npm run -s get; }; f',
  'A=0 env A=1 npm run -s get',
  'A=1 npx -c "echo \\$A"',
])('scripts get the variables of the command alone: %s', async (line) => {
  const files = { 'package.json': JSON.stringify({ scripts: { get: 'echo $A' } }) };
  expect((await shell(line, { files })).output).toBe('1\n');
});

test('commands, their abbreviations and other names are those of the npm that the page brings', () => {
  const { aliases, commands, deref } = createRequire(import.meta.url)(
    '../../../../node_modules/npm/lib/utils/cmd-list.js',
  ) as {
    readonly aliases: Readonly<Record<string, string>>;
    readonly commands: readonly string[];
    readonly deref: (word: string) => string | undefined;
  };
  const names = [...commands, ...Object.keys(aliases)];
  const words = new Set(names.flatMap((name) => Array.from(name, (_, at) => name.slice(0, at + 1))));
  const differing = [...words].filter((word) => commandOf(word) !== deref(word));
  expect(differing).toEqual([]);
});
