/** How npm was called: flags may stand anywhere before `--`, and what comes after it is the script's. */
export interface NpmOptions {
  /** Long names; what a flag is not given counts as `true`. */
  readonly flags: ReadonlyMap<string, string | true>;
  readonly workspaces: readonly string[];
  /** Of `--package`. */
  readonly packages: readonly string[];
  readonly words: readonly string[];
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
  g: ['global'],
  h: ['help'],
  v: ['version'],
  y: ['yes'],
  q: ['quiet'],
  d: ['info'],
  D: ['save-dev'],
  E: ['save-exact'],
  S: ['save'],
};

const VALUED = new Set([
  'workspace',
  'call',
  'prefix',
  'package',
  'depth',
  'script-shell',
  'loglevel',
  'omit',
  'include',
  'registry',
  'userconfig',
]);

/** For npx `upToProgram` leaves what follows the program to the program. */
export function parseOptions(
  args: readonly string[],
  { upToProgram = false, short = SHORT }: { upToProgram?: boolean; short?: typeof SHORT } = {},
): NpmOptions {
  const flags = new Map<string, string | true>();
  const workspaces: string[] = [];
  const packages: string[] = [];
  const words: string[] = [];
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
    const [, given = '', equals] = /^--?([^=]*)(?:=([^]*))?$/.exec(arg) ?? [];
    const names = arg.startsWith('--')
      ? [given]
      : (short[given] ?? [...given].flatMap((each) => short[each] ?? []));
    for (const name of names) {
      const value = equals ?? (VALUED.has(name) ? args[++at] : undefined) ?? true;
      if (name === 'workspace' && value !== true) workspaces.push(value);
      else if (name === 'package' && value !== true) packages.push(value);
      else if (name.startsWith('no-')) flags.delete(name.slice(3));
      else flags.set(name, value);
    }
  }
  return { flags, workspaces, packages, words };
}

export const NPX_SHORT: typeof SHORT = { ...SHORT, p: ['package'] };

export function isSilent({ flags }: NpmOptions): boolean {
  return flags.has('silent') || flags.get('loglevel') === 'silent';
}
