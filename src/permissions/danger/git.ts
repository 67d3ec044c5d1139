import type { ShellWord } from '../shell/opaque.ts';
import type { DangerKind } from '../types.ts';

/** Options of git itself, in front of the subcommand, that take a value. */
const VALUED = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--config-env',
  '--exec-path',
]);

const PLAIN_SETTING =
  /^(?:user|author|committer|color|column|advice|log|status|init|i18n|push|pull|merge|rebase)\.[\w.]+=(?!!)|^core\.(?:quotepath|autocrlf|safecrlf|eol|ignorecase|filemode|abbrev|precomposeunicode|longpaths)=|^(?:commit|tag)\.gpgsign=|^diff\.(?:renames|renamelimit|context|noprefix|mnemonicprefix|algorithm)=|^gc\.auto=|^safe\.directory=/i;

const RUNS_SETTING =
  /^(?:alias\.|core\.(?:hookspath|sshcommand|pager|editor|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\.|sequence\.editor|credential\.|filter\.|diff\..*(?:command|textconv|external)|difftool|mergetool|merge\..*driver|gpg\.|ssh\.|include|init\.templatedir|protocol\.|remote\..*(?:vcs|uploadpack|receivepack)|uploadpack\.|sendemail\.|trailer\.|web\.|browser\.)/i;

/** Whether `name=value` of a `-c` option has no influence on what is run. */
export function isPlainSetting(setting: string): boolean {
  return PLAIN_SETTING.test(setting);
}

/** The dangers of a git command; `words` begins after `git`. */
export function gitDangers(words: readonly ShellWord[]): DangerKind[] {
  const found: DangerKind[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const value = words[at]?.value ?? '';
    if (!value.startsWith('-')) break;
    const [option = '', attached] = split(value);
    const given = attached ?? words[at + 1]?.value ?? '';
    if ((option === '-c' || option === '--config-env') && !isPlainSetting(given)) found.push('git-files');
    if (option === '--exec-path' && attached !== undefined) found.push('git-files');
    if (VALUED.has(option) && attached === undefined && option !== '--exec-path') at++;
  }
  const command = words[at];
  if (!command) return found;
  const kind = command.value === null ? undefined : commandDanger(command.value, words.slice(at + 1));
  return kind ? [...found, kind] : found;
}

function split(option: string): readonly [string, string?] {
  const equals = option.indexOf('=');
  if (option.startsWith('--') && equals > 0) return [option.slice(0, equals), option.slice(equals + 1)];
  return [option];
}

function commandDanger(command: string, words: readonly ShellWord[]): DangerKind | undefined {
  const args = words.map(({ value }) => value ?? '$');
  const has = (letters: string, ...names: string[]) => args.some((arg) => isOption(arg, letters, names));
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  switch (command) {
    case 'push': {
      const refs = args.some((arg) => arg.startsWith('+') || arg.startsWith(':'));
      return refs || has('fd', 'force', 'force-with-lease', 'mirror', 'delete', 'prune')
        ? 'git-history'
        : undefined;
    }
    case 'filter-branch':
    case 'filter-repo':
    case 'replace':
    case 'update-ref':
    case 'fast-import':
      return 'git-history';
    case 'rebase':
      return has('', 'abort', 'quit', 'show-current-patch') ? undefined : 'git-history';
    case 'commit':
      return has('', 'amend') ? 'git-history' : undefined;
    case 'reflog':
      return first === 'expire' || first === 'delete' ? 'git-history' : undefined;
    case 'gc':
    case 'prune':
      return command === 'prune' || has('', 'prune') ? 'git-history' : undefined;
    case 'branch':
    case 'tag':
      return has('Ddf', 'delete', 'force') || (command === 'branch' && has('MC')) ? 'git-history' : undefined;
    case 'reset':
      return has('', 'hard', 'soft', 'merge', 'keep') ? 'git-discard' : undefined;
    case 'clean':
      return has('f', 'force') && !has('n', 'dry-run') ? 'git-discard' : undefined;
    case 'checkout':
      return has('fB', 'force') || checksOutFiles(args) ? 'git-discard' : undefined;
    case 'switch':
      return has('fC', 'force', 'discard-changes') || args.some(isEverything) ? 'git-discard' : undefined;
    case 'rm':
      return (args.some(isEverything) || has('f', 'force')) && !has('n', 'dry-run', 'cached')
        ? 'git-discard'
        : undefined;
    case 'restore':
      return first !== '' && restoresFiles(args) ? 'git-discard' : undefined;
    case 'stash':
      return first === 'drop' || first === 'clear' ? 'git-discard' : undefined;
    case 'config':
      return args.some((arg) => RUNS_SETTING.test(arg)) ? 'git-files' : undefined;
    default:
      return undefined;
  }
}

/** Whether `git checkout` writes files over those that are there; with one word after it, it may change the branch. */
function checksOutFiles(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  if (end >= 0 && end < args.length - 1) return true;
  if (args.some((arg) => isEverything(arg) || arg.startsWith('--pathspec-f'))) return true;
  if (args.some((arg) => isOption(arg, 'bBt', ['track', 'orphan', 'detach']))) return false;
  const operands = args.filter((arg) => !arg.startsWith('-'));
  return operands.length > 1 || /(?:\/|\.[A-Za-z]\w{0,4})$/.test(operands[0] ?? '');
}

/** Whether `git restore` changes files, and not only what is staged. */
function restoresFiles(args: readonly string[]): boolean {
  // What follows the `s` of a cluster is its value.
  const has = (letter: string, name: string) =>
    args.some((arg) => new RegExp(`^-[A-Za-rt-z]*${letter}`).test(arg) || isOption(arg, '', [name]));
  return has('W', 'worktree') || !has('S', 'staged');
}

/** Whether a path is the root of the tree. */
function isEverything(arg: string): boolean {
  return /^(?::\/?|:\(top\))?(?:\.\/?|\*+|\.\/\*+)?$/.test(arg) && arg !== '';
}

/**
 * Whether an argument contains one of the letters in a cluster, or is one of the long options, which git also accepts
 * abbreviated.
 */
function isOption(arg: string, letters: string, names: readonly string[]): boolean {
  if (/^-[A-Za-z]/.test(arg)) return [...letters].some((letter) => arg.slice(1).includes(letter));
  const [name] = split(arg);
  return name.length > 3 && names.some((full) => name === `--${full}` || `--${full}`.startsWith(name));
}
