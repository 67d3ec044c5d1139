import { defaultOf, isTold, isUnknown, takesValue } from './definitions.ts';

/** The arguments of npm. Flags may stand anywhere before `--`; everything after it is for the script. */
export interface NpmOptions {
  /** Flags by their long names. A flag that is on is `true`; one that is off is missing. */
  readonly flags: ReadonlyMap<string, string | true>;
  /** Flags from the command line for the variables of scripts; one that is off is `''`. */
  readonly given: ReadonlyMap<string, string>;
  readonly workspaces: readonly string[];
  /** The packages of `--package`. */
  readonly packages: readonly string[];
  readonly words: readonly string[];
  /** Flags that npm does not know, without hyphens, and the words after them, which are no values of theirs. */
  readonly unknown: ReadonlySet<string>;
  readonly stray: ReadonlySet<string>;
}

const SHORT: Readonly<Record<string, readonly string[]>> = {
  s: ['silent'],
  w: ['workspace'],
  ws: ['workspaces'],
  iwr: ['include-workspace-root'],
  c: ['call'],
  C: ['prefix'],
  p: ['parseable'],
  l: ['long'],
  a: ['all'],
  f: ['force'],
  g: ['global'],
  h: ['help'],
  v: ['version'],
  y: ['yes'],
  n: ['no-yes'],
  m: ['message'],
  q: ['quiet'],
  d: ['info'],
  dd: ['verbose'],
  ddd: ['silly'],
  D: ['save-dev'],
  E: ['save-exact'],
  S: ['save'],
};

/** The shorthands of npm that are longer than a letter, in npm's order. */
export const LONG_SHORTHANDS: readonly string[] =
  'enjoy-by dd ddd quiet silent verbose desc help local no porcelain readonly reg iwr ws'.split(' ');

const LEVELS: Readonly<Record<string, string>> = {
  silent: 'silent',
  quiet: 'warn',
  info: 'info',
  verbose: 'verbose',
  silly: 'silly',
};

/** The flags that an npm called by a script inherits from the npm that runs the script. */
const INHERITED = ['loglevel', 'ignore-scripts', 'json', 'parseable', 'all', 'omit', 'yes', 'force', 'preid'];

/** Parses the arguments of npm. For npx, `upToProgram` leaves everything after the program to the program. */
export function parseOptions(
  args: readonly string[],
  {
    env = new Map(),
    upToProgram = false,
    short = SHORT,
  }: { env?: ReadonlyMap<string, string>; upToProgram?: boolean; short?: typeof SHORT } = {},
): NpmOptions {
  const flags = new Map<string, string | true>();
  for (const name of INHERITED) {
    const value = env.get(`npm_config_${name.replaceAll('-', '_')}`) ?? '';
    if (value !== '' && value !== 'false') flags.set(name, value === 'true' ? true : value);
  }
  const given = new Map<string, string>();
  const workspaces: string[] = [];
  const packages: string[] = [];
  const words: string[] = [];
  const unknown = new Set<string>();
  const stray = new Set<string>();
  const put = (name: string, value: string | boolean) => {
    if (name === 'workspace' && typeof value === 'string') workspaces.push(value);
    else if (name === 'package' && typeof value === 'string') packages.push(value);
    else if (value === false) flags.delete(name);
    else flags.set(name, value);
    given.set(name, name === 'package' ? packages.join('\n\n') : value === false ? '' : String(value));
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!/^-./.test(arg)) {
      if (upToProgram) {
        words.push(...args.slice(at));
        break;
      }
      words.push(arg);
      continue;
    }
    const [, named = '', equals] = /^--?([^=]*)(?:=([^]*))?$/.exec(arg) ?? [];
    const names = arg.startsWith('--')
      ? [named]
      : (short[named] ?? [...named].flatMap((each) => short[each] ?? []));
    for (const name of names) {
      const level = LEVELS[name];
      if (level !== undefined) put('loglevel', level);
      else if (takesValue(name)) put(name, equals ?? args[++at] ?? true);
      else {
        const bare = name.startsWith('no-') ? name.slice(3) : name;
        const next = args[at + 1];
        if (arg.startsWith('--') && isUnknown(bare) && !LONG_SHORTHANDS.includes(name)) {
          unknown.add(bare);
          if (
            equals === undefined &&
            next !== undefined &&
            /^[^-]/.test(next) &&
            !/^(true|false)$/.test(next)
          )
            stray.add(next);
        }
        const word = equals ?? (next === 'true' || next === 'false' ? next : undefined);
        if (word !== undefined && equals === undefined) at++;
        const on = word === undefined || word === 'true';
        put(bare, bare === name ? (on || word === 'false' ? on : (word ?? true)) : !on);
      }
    }
  }
  return { flags, given, workspaces, packages, words, unknown, stray };
}

export const NPX_SHORT: typeof SHORT = { ...SHORT, p: ['package'] };

export function isSilent({ flags }: NpmOptions): boolean {
  return flags.get('loglevel') === 'silent';
}

/** The `npm_config_*` variables for scripts: flags that were given and differ from their defaults. */
export function configVariables({ given }: NpmOptions, env: ReadonlyMap<string, string>): [string, string][] {
  return [...given].flatMap(([name, value]): [string, string][] => {
    if (!isTold(name)) return [];
    const key = `npm_config_${name.replaceAll('-', '_').toLowerCase()}`;
    const byDefault = defaultOf(name);
    const same = byDefault !== undefined && value === (byDefault === false ? '' : String(byDefault));
    return same && (env.get(key) ?? value) === value ? [] : [[key, value]];
  });
}
