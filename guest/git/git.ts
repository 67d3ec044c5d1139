import { BrokenPipe, type Program, type ProgramCall } from '../shell/program.ts';
import { splitWords } from './kit/words.ts';
import { COMMANDS } from './commands.ts';
import { normalKey, type Setting } from './kit/config.ts';
import { gh } from './github/gh.ts';
import { Ended, Fatal } from './kit/fatal.ts';
import { Git, type Globals } from './kit/git.ts';
import { missingText, overview } from './missing.ts';

/** Native git has this number in its answers; what is there of it is written down in docs/git.md. */
const VERSION = 'git version 2.39.5 (Vitrine)\n';

const encoder = new TextEncoder();

/** The commands `git` and `gh`, by the name under which they are called. */
export const git: Program = async (call) => {
  try {
    return await (call.name.endsWith('gh') ? gh(call) : start(call));
  } catch (error) {
    return report(call, error);
  }
};

async function report(call: ProgramCall, error: unknown): Promise<number> {
  if (error instanceof BrokenPipe) throw error;
  if (error instanceof Ended) return error.code;
  if (!(error instanceof Fatal)) throw error;
  if (error.message !== '') await call.stderr.write(encoder.encode(`${error.prefix}${error.message}\n`));
  return error.code;
}

interface Words {
  readonly globals: Globals;
  readonly rest: readonly string[];
}

const ALONE = new Set([
  '--no-pager',
  '-P',
  '-p',
  '--paginate',
  '--bare',
  '--literal-pathspecs',
  '--no-optional-locks',
  '--no-replace-objects',
  '--glob-pathspecs',
  '--icase-pathspecs',
]);

/** Takes what stands in front of the name of the command. */
function globalsOf(call: ProgramCall): Words {
  const { args, files } = call;
  let cwd = call.cwd;
  let [gitDir, workTree]: (string | undefined)[] = [];
  const settings: Setting[] = [];
  const alone = new Set<string>();
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? '';
    if (
      !word.startsWith('-') ||
      /^(-h|-v|--help|--version)$/.test(word) ||
      /^--(exec|html|man|info)-path/.test(word)
    )
      break;
    const [, name = word, attached] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    if (ALONE.has(word)) {
      alone.add(word);
      continue;
    }
    const value = attached ?? args[at + 1];
    if (
      !['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--super-prefix'].includes(
        name,
      )
    )
      throw new Fatal(
        `unknown option: ${word}\nusage: git [-C <path>] [-c <name>=<value>] [--git-dir=<path>] <command> [<args>]`,
        129,
        '',
      );
    if (value === undefined) throw new Fatal(`no value given for ${name}`, 129, '');
    if (attached === undefined) at++;
    if (name === '-C') cwd = value === '' ? cwd : files.resolvePath(cwd, value);
    else if (name === '--git-dir') gitDir = value;
    else if (name === '--work-tree') workTree = value;
    else if (name === '-c') {
      const [, key = value, set = 'true'] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
      settings.push({ key: normalKey(key), value: set, origin: 'command line:' });
    }
  }
  const usesPager = !alone.has('--no-pager') && !alone.has('-P');
  const globals = { cwd, settings, gitDir, workTree, isBare: alone.has('--bare'), usesPager };
  return { globals, rest: args.slice(at) };
}

async function start(call: ProgramCall): Promise<number> {
  const { globals, rest } = globalsOf(call);
  const git = new Git(call, globals);
  const [name, ...args] = rest;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    git.out(overview());
    await git.finish();
    return name === undefined ? 1 : 0;
  }
  if (name === 'version' || name === '--version' || name === '-v') {
    git.out(VERSION);
    await git.finish();
    return 0;
  }
  if (name.startsWith('--')) {
    git.out('/usr/bin\n');
    await git.finish();
    return 0;
  }
  if (globals.cwd !== call.cwd && !(await git.files.isFolder(globals.cwd)))
    throw new Fatal(`cannot change to '${globals.cwd}': No such file or directory`);
  return run(git, name, args, 0);
}

async function run(git: Git, name: string, args: readonly string[], depth: number): Promise<number> {
  const command = COMMANDS.get(name);
  if (command) {
    try {
      return await command(git, args);
    } finally {
      if (!git.call.signal.aborted) await git.finish();
    }
  }
  const missing = missingText(name);
  if (missing !== undefined) throw new Fatal(missing, 1, '');
  const alias = (await git.config()).get(`alias.${name}`);
  if (alias === undefined || depth > 9)
    throw new Fatal(`git: '${name}' is not a git command. See 'git --help'.${nearText(name)}`, 1, '');
  if (alias.startsWith('!')) {
    const place = await git.place();
    return git.call.run(['sh', '-c', `${alias.slice(1)} "$@"`, alias.slice(1), ...args], {
      ...(place?.top !== undefined && { cwd: place.top }),
    });
  }
  const [first = '', ...words] = splitWords(alias);
  return run(git, first, [...words, ...args], depth + 1);
}

function nearText(name: string): string {
  const near = [...COMMANDS.keys()].filter((each) => isNear(name, each));
  if (near.length === 0) return '';
  return `\n\nThe most similar command${near.length === 1 ? ' is' : 's are'}\n${near.map((each) => `\t${each}`).join('\n')}`;
}

/** Whether two names differ by one letter, or by two neighbours in the other order. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  if (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)) return true;
  return a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
}
