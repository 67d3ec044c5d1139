import type { ShellFs } from '../../shell-fs.ts';
import { listOf } from './installed.ts';
import type { Native, Substitute, SubstitutePart } from './natives.ts';

/** Runs npm in a folder. Returns undefined where it succeeded, and otherwise what it printed. */
export type NpmIn = (folder: string, args: readonly string[]) => Promise<string | undefined>;

type WithSubstitute = Native & { readonly substitute: Substitute };

/** The member of package.json that says whose files a package has. */
const MARK = 'vitrineSubstitute';
/** The fields that npm compares with the lockfile. They stay, so that npm takes the package for the one it has installed. */
const KEPT = [
  'name',
  'version',
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'engines',
];

/** The members of package.json whose paths lead to what programs load. */
const ENTRIES = ['main', 'module', 'types', 'exports', 'bin'];
const BELOW = 'substitute/';

export interface Substituted {
  /** The packages that have the files of another one, since now or since an earlier call, with its name and version. */
  readonly done: readonly {
    readonly native: Native;
    readonly kind: Substitute['kind'];
    readonly by: string;
  }[];
  /** The output of npm where it could not fetch substitutes. */
  readonly failed: string;
}

/**
 * Replaces the files of packages in native code by those of their substitutes, as an install script would fetch what runs on a
 * system. Neither package.json nor the lockfile of the project changes.
 */
export async function substitute(
  files: ShellFs,
  project: string,
  natives: readonly Native[],
  npm: NpmIn,
): Promise<Substituted> {
  const wanted = natives.filter((native): native is WithSubstitute => native.substitute !== undefined);
  const missing: WithSubstitute[] = [];
  for (const native of wanted) if ((await markOf(files, project, native)) === undefined) missing.push(native);
  let failed = '';
  if (missing.length > 0) {
    const isPart = (native: WithSubstitute) => native.substitute.part !== undefined;
    for (const group of [missing.filter((each) => !isPart(each)), missing.filter(isPart)])
      failed += await substituteGroup(files, project, group, npm);
    // npm would read all packages anew where one of them is newer than its list.
    const now = new Date();
    if (await files.exists(listOf(project))) await files.utimes(listOf(project), now, now);
  }
  const marks = await Promise.all(wanted.map((native) => markOf(files, project, native)));
  const done = wanted.flatMap((native, at) => {
    const by = marks[at];
    return by === undefined ? [] : { native, kind: native.substitute.kind, by };
  });
  return { done, failed };
}

/** Fetches and puts in place those that npm finds. Returns what it printed about the others. */
async function substituteGroup(
  files: ShellFs,
  project: string,
  natives: readonly WithSubstitute[],
  npm: NpmIn,
): Promise<string> {
  if (natives.length === 0) return '';
  const printed = await substituteAll(files, project, natives, npm);
  if (printed === undefined || natives.length === 1) return printed ?? '';
  // Where npm does not find one of them, it installs none.
  let failed = '';
  for (const each of natives) failed += (await substituteAll(files, project, [each], npm)) ?? '';
  return failed;
}

/** Fetches and puts in place all of them, or none. Returns what npm printed where it failed. */
async function substituteAll(
  files: ShellFs,
  project: string,
  natives: readonly WithSubstitute[],
  npm: NpmIn,
): Promise<string | undefined> {
  const folder = `/tmp/npm-substitutes-${crypto.getRandomValues(new Uint32Array(1)).join('')}`;
  try {
    const failed = await fetched(files, project, folder, natives, npm);
    if (failed !== undefined) return failed;
    for (const [at, native] of natives.entries()) {
      const [from, to] = [`${folder}/node_modules/${aliasOf(at)}`, `${project}/${native.path}`];
      const { part } = native.substitute;
      await (part ? addPart(files, from, to, part) : replace(files, from, to));
    }
    return undefined;
  } finally {
    await files.rm(folder, { recursive: true, force: true });
  }
}

const aliasOf = (at: number) => `substitute-${at}`;

async function manifestIn(files: ShellFs, folder: string): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await files.readFile(`${folder}/package.json`)) as Readonly<Record<string, unknown>>;
}

/** Whose files the package has. Undefined where they are its own. */
async function markOf(files: ShellFs, project: string, native: Native): Promise<string | undefined> {
  const mark = (await manifestIn(files, `${project}/${native.path}`))[MARK];
  return typeof mark === 'string' ? mark : undefined;
}

/** Installs the substitutes in a folder of their own. Returns what npm printed where it failed. */
async function fetched(
  files: ShellFs,
  project: string,
  folder: string,
  natives: readonly WithSubstitute[],
  npm: NpmIn,
): Promise<string | undefined> {
  await files.mkdir(folder, { recursive: true });
  await files.writeFile(`${folder}/package.json`, '{ "private": true }\n');
  if (await files.exists(`${project}/.npmrc`))
    await files.writeFile(`${folder}/.npmrc`, await files.readFileBuffer(`${project}/.npmrc`));
  const specs = natives.map(({ substitute: { name, range } }, at) => `${aliasOf(at)}@npm:${name}@${range}`);
  const options = ['--ignore-scripts', '--no-package-lock'];
  // npm checks the processor of what is named, and what a part needs has to go with it into the package.
  if (natives.some((native) => native.substitute.part)) options.push('--force', '--install-strategy=nested');
  return npm(folder, ['install', ...options, ...specs]);
}

const markFor = (other: Readonly<Record<string, unknown>>) =>
  `${String(other.name)} ${String(other.version)}`;

/** Adds a substitute to the files of a package. */
async function addPart(files: ShellFs, from: string, to: string, part: SubstitutePart): Promise<void> {
  const [own, other] = [await manifestIn(files, to), await manifestIn(files, from)];
  await files.rm(`${to}/${part.folder}`, { recursive: true, force: true });
  await files.mkdir(`${to}/${part.folder}`, { recursive: true });
  for (const name of await files.readdir(from))
    await files.cp(`${from}/${name}`, `${to}/${part.folder}/${name}`, { recursive: true });
  for (const [name, text] of Object.entries(part.files))
    if (name.endsWith('/')) await files.mkdir(`${to}/${name}`, { recursive: true });
    else await files.writeFile(`${to}/${name}`, text);
  const manifest = { ...own, [MARK]: markFor(other) };
  await files.writeFile(`${to}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
}

async function replace(files: ShellFs, from: string, to: string): Promise<void> {
  const [own, other] = [await manifestIn(files, to), await manifestIn(files, from)];
  const names = await files.readdir(from);
  // npm would remove packages from a node_modules that its lockfile does not have, so they lie one folder deeper.
  const below = names.includes('node_modules') ? BELOW : '';
  for (const name of await files.readdir(to))
    if (name !== 'node_modules') await files.rm(`${to}/${name}`, { recursive: true });
  if (below !== '') await files.mkdir(`${to}/${below}`);
  for (const name of names) await files.cp(`${from}/${name}`, `${to}/${below}${name}`, { recursive: true });
  const entries = Object.fromEntries(ENTRIES.map((name) => [name, movedInto(below, other[name])]));
  const kept = Object.fromEntries(KEPT.map((name) => [name, own[name]]));
  const manifest = {
    ...other,
    ...entries,
    ...kept,
    [MARK]: markFor(other),
  };
  await files.writeFile(`${to}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Puts a folder in front of each path in a member of package.json. */
function movedInto(folder: string, value: unknown): unknown {
  if (folder === '') return value;
  if (typeof value === 'string') return `./${folder}${value.replace(/^\.\//, '')}`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, movedInto(folder, each)]));
}
