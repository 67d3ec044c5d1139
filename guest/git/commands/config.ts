import { ConfigFile, isTrue, normalKey, type Setting } from '../kit/config.ts';
import { Fatal, problem } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { parse, type Given } from '../kit/options.ts';

const WORDS = `global system local worktree f|file: l|list z|null get get-all get-regexp unset unset-all add replace-all
  bool int type: path show-origin name-only default: e|edit remove-section rename-section includes get-color get-colorbool`;

/** The file that a change goes to. */
async function fileFor(git: Git, given: Given): Promise<ConfigFile> {
  const named = given.value('file');
  if (named !== undefined) return new ConfigFile(git.files, git.files.fs.resolvePath(git.cwd, named));
  if (given.has('global')) {
    const paths = git.globalConfigPaths();
    const home = paths.at(-1) ?? '';
    const first = paths[0] ?? home;
    const usesFirst = !(await git.files.exists(home)) && (await git.files.exists(first));
    return new ConfigFile(git.files, usesFirst ? first : home);
  }
  if (given.has('system'))
    throw new Fatal('there are no settings for the whole system here: use --global', 4, 'error: ');
  const place = await git.place();
  if (!place)
    throw new Fatal(
      given.has('local') ? '--local can only be used inside a git repository' : 'not in a git directory',
    );
  return new ConfigFile(git.files, `${place.gitdir}/config`);
}

async function settingsFor(git: Git, given: Given): Promise<readonly Setting[]> {
  if (given.has('global') || given.has('local') || given.has('file')) {
    if (given.has('global')) {
      const files = git.globalConfigPaths().map((path) => new ConfigFile(git.files, path));
      return (await Promise.all(files.map((file) => file.settings()))).flat();
    }
    return (await fileFor(git, given)).settings();
  }
  if (given.has('system')) return [];
  return (await git.config()).all;
}

function typed(value: string, given: Given, key: string): string {
  const type = given.has('bool') ? 'bool' : given.has('int') ? 'int' : (given.value('type') ?? '');
  if (type === 'bool') return String(isTrue(value, key));
  if (type !== 'int') return value;
  const [, number, unit = ''] = /^(-?\d+)([kmg]?)$/i.exec(value) ?? [];
  if (number === undefined) throw new Fatal(`bad numeric config value '${value}' for '${key}': invalid unit`);
  return String(Number(number) * 1024 ** ' kmg'.indexOf(unit.toLowerCase() || ' '));
}

function checkKey(key: string): void {
  if (!key.includes('.')) throw problem(`key does not contain a section: ${key}`, 1);
  if (!/^[A-Za-z][\w-]*$/.test(key.slice(key.lastIndexOf('.') + 1)) && !key.startsWith('alias.'))
    throw problem(`invalid key: ${key}`, 1);
}

async function get(git: Git, given: Given, key: string, all: boolean): Promise<number> {
  checkKey(key);
  const wanted = normalKey(key);
  const found = (await settingsFor(git, given)).filter((setting) => setting.key === wanted);
  const shown = all ? found : found.slice(-1);
  const end = given.has('null') ? '\0' : '\n';
  if (shown.length === 0) {
    const otherwise = given.value('default');
    if (otherwise === undefined) return 1;
    git.out(`${typed(otherwise, given, key)}${end}`);
    return 0;
  }
  for (const { value, origin } of shown)
    git.out(`${given.has('show-origin') ? `${origin}\t` : ''}${typed(value, given, key)}${end}`);
  return 0;
}

async function list(git: Git, given: Given, pattern?: RegExp): Promise<number> {
  const found = (await settingsFor(git, given)).filter(({ key }) => !pattern || pattern.test(key));
  const end = given.has('null') ? '\0' : '\n';
  for (const { key, value, origin } of found) {
    const start = given.has('show-origin') ? `${origin}\t` : '';
    const between = given.has('null') ? '\n' : pattern ? ' ' : '=';
    git.out(`${start}${key}${given.has('name-only') ? '' : `${between}${value}`}${end}`);
  }
  return pattern && found.length === 0 ? 1 : 0;
}

const DONE = 0;
const NOT_THERE = 5;

async function change(git: Git, given: Given): Promise<number> {
  const [key = '', value] = given.operands;
  if (given.has('remove-section') || given.has('rename-section')) {
    const file = await fileFor(git, given);
    const isThere = await file.section(key, given.has('rename-section') ? value : undefined);
    if (!isThere) throw new Fatal(`no such section: ${key}`);
    return DONE;
  }
  checkKey(key);
  const file = await fileFor(git, given);
  if (given.has('unset') || given.has('unset-all')) {
    const present = (await file.settings()).filter((setting) => setting.key === normalKey(key));
    if (present.length > 1 && !given.has('unset-all')) {
      await git.err(`warning: ${key} has multiple values\n`);
      return NOT_THERE;
    }
    return (await file.unset(key)) > 0 ? DONE : NOT_THERE;
  }
  const stored =
    given.has('bool') || given.has('int') || given.has('type')
      ? typed(value ?? '', given, key)
      : (value ?? '');
  const isDone = await file.set(
    key,
    stored,
    given.has('add') ? 'add' : given.has('replace-all') ? 'all' : 'one',
  );
  if (isDone) return DONE;
  await git.err(
    `warning: ${key} has multiple values\nerror: cannot overwrite multiple values with a single value\n       Use a regexp, --add or --replace-all to change ${key}.\n`,
  );
  return NOT_THERE;
}

export const config: Command = async (git, args) => {
  const given = parse('config', args, WORDS);
  const [key, value] = given.operands;
  if (given.has('edit')) throw new Fatal('there is no editor here: set values with git config NAME VALUE');
  if (given.has('list')) return list(git, given);
  if (key === undefined) throw new Fatal('no action specified', 129, 'error: ');
  if (given.has('get-regexp')) return list(git, given, new RegExp(key));
  if (given.has('get-colorbool') || given.has('get-color')) return 1;
  const changes = ['unset', 'unset-all', 'add', 'replace-all', 'remove-section', 'rename-section'].some(
    (name) => given.has(name),
  );
  if (changes || (value !== undefined && !given.has('get') && !given.has('get-all')))
    return change(git, given);
  return get(git, given, key, given.has('get-all'));
};
