import type { ManagerName } from './wanted.ts';

/** The commands that change what is installed. */
const INSTALLS: Readonly<Record<ManagerName, ReadonlySet<string>>> = {
  pnpm: new Set(
    (
      'install i install-test it add update up upgrade remove rm uninstall un link ln unlink dislink dedupe prune rebuild rb ' +
      'ci clean-install'
    ).split(' '),
  ),
  yarn: new Set(
    'install add remove upgrade up upgrade-interactive dedupe link unlink rebuild import'.split(' '),
  ),
};

/** Options before the command that have a value of their own. */
const WITH_VALUE = new Set([
  '-C',
  '--dir',
  '--filter',
  '-F',
  '--filter-prod',
  '--reporter',
  '--cwd',
  '--loglevel',
]);

const NAMES_FOLDER = new Set(['-C', '--dir', '--cwd']);

export interface Words {
  /** Whether the command changes what is installed in the project. */
  readonly isInstall: boolean;
  /** The folder that an option names. */
  readonly folder?: string;
}

/** Reads as much of the arguments of pnpm or Yarn as Vitrine has to know. */
export function readWords(name: ManagerName, args: readonly string[]): Words {
  const words: string[] = [];
  let folder: string | undefined;
  for (let at = 0; at < args.length && args[at] !== '--'; at++) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const [option = '', own] = arg.split('=', 2);
    const value = own ?? (WITH_VALUE.has(arg) ? args[++at] : undefined);
    if (NAMES_FOLDER.has(option)) folder = value;
  }
  const [command = '', , third = ''] = words;
  const isGlobal = args.includes('-g') || args.includes('--global') || command === 'global';
  const isHelp = args.includes('--help') || args.includes('-h') || args.includes('--version');
  // Yarn installs where it is given no command, and `yarn workspace NAME COMMAND` is about one of the packages.
  const given = name === 'yarn' && command === 'workspace' ? third : command;
  const isInstall = INSTALLS[name].has(given) || (name === 'yarn' && given === '');
  return { isInstall: isInstall && !isGlobal && !isHelp, ...(folder !== undefined && { folder }) };
}
