import type { ProgramCall } from '../../program.ts';
import { NpmFailure, print } from './failure.ts';
import type { NpmOptions } from './options.ts';
import { manifestAt } from './project.ts';

const FOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^examples?$/, 'example'],
  [/^tests?$/, 'test'],
  [/^docs?$/, 'doc'],
  [/^man$/, 'man'],
  [/^lib$/, 'lib'],
];

/** Runs `npm init -y`: makes a package.json from the contents of the folder, or completes an existing one. */
export async function init(call: ProgramCall, folder: string, options: NpmOptions): Promise<number> {
  if (options.words.length > 1)
    throw new NpmFailure([
      'code ENOTHERE',
      `npm init ${options.words[1]} would fetch a package, which the embedded workspace cannot do yet.`,
      'npm init -y makes a package.json.',
    ]);
  if (!options.flags.has('yes') && !options.flags.has('force'))
    throw new NpmFailure(['code ENOTHERE', 'npm init asks no questions here: use npm init -y']);
  const path = `${folder}/package.json`;
  const old: Readonly<Record<string, unknown>> = { ...(await manifestAt(call, folder)) };
  const base = folder.slice(folder.lastIndexOf('/') + 1);
  const name = String(old.name ?? base)
    .replaceAll(/^node-|[.-]js$/g, '')
    .replaceAll(/\s+/g, '-')
    .toLowerCase();
  const made: Record<string, unknown> = {
    ...old,
    name,
    version: old.version ?? options.flags.get('init-version') ?? '1.0.0',
    description: old.description ?? '',
    main: old.main ?? (await mainOf(call, folder, base)),
    bin: old.bin ?? (await binOf(call, folder, name)),
    directories: (await foldersOf(call, folder)) ?? old.directories,
    dependencies: old.dependencies ?? (await dependenciesOf(call, folder, old.devDependencies)),
    scripts: old.scripts ?? { test: 'echo "Error: no test specified" && exit 1' },
    keywords: old.keywords ?? [],
    author: old.author ?? options.flags.get('init-author-name') ?? '',
    license: old.license ?? options.flags.get('init-license') ?? 'ISC',
  };
  const text = `${JSON.stringify(made, null, 2)}\n`;
  const indented = Object.keys(old).length === 0 || (await call.files.readFile(path)).trim().includes('\n');
  await call.files.writeFile(path, indented ? text : `${JSON.stringify(made)}`);
  await print(call, `Wrote to ${path}:\n\n${text}\n\n`);
  return 0;
}

const namesIn = (call: ProgramCall, folder: string) =>
  call.files.readdir(folder).then(
    (names) => [...names].sort(),
    () => [],
  );

async function mainOf(call: ProgramCall, folder: string, base: string): Promise<string> {
  const scripts = (await namesIn(call, folder)).filter((name) => name.endsWith('.js'));
  return (
    ['index.js', 'main.js', `${base}.js`].find((name) => scripts.includes(name)) ?? scripts[0] ?? 'index.js'
  );
}

async function binOf(call: ProgramCall, folder: string, name: string) {
  const file = (await namesIn(call, `${folder}/bin`)).find((each) => each.endsWith('.js'));
  return file === undefined ? undefined : { [name.replace(/^@[^/]*\//, '')]: `bin/${file}` };
}

async function foldersOf(call: ProgramCall, folder: string) {
  const found = (await namesIn(call, folder)).flatMap((name) => {
    const [, kind] = FOLDERS.find(([like]) => like.test(name)) ?? [];
    return kind === undefined ? [] : [[kind, name] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The installed packages that `dev` does not name. */
async function dependenciesOf(call: ProgramCall, folder: string, dev: unknown) {
  const named = typeof dev === 'object' && dev !== null ? dev : {};
  const found: [string, string][] = [];
  for (const name of await namesIn(call, `${folder}/node_modules`)) {
    if (name.startsWith('.') || name in named) continue;
    const version = (await manifestAt(call, `${folder}/node_modules/${name}`))?.version;
    if (version !== undefined) found.push([name, `^${version}`]);
  }
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
