import { isPlainSetting } from '../danger/git.ts';
import { Opaque, type ShellCommand, type ShellWord } from './opaque.ts';

/**
 * The side effects of an ordinary command's options: writing a file, removing files, running a program. They are
 * returned as separate patterns (`> file`, `rm found`), so that allowing the command does not allow them; also for
 * options known only at run time. Throws {@link Opaque} if an unknown program would run.
 */
export function escapesOf({ words, input }: Pick<ShellCommand, 'words' | 'input'>): string[] {
  const [first, ...args] = words;
  const name = first?.value?.replace(/^.*\//, '') ?? '';
  const escapes = ESCAPES.get(name)?.(args) ?? [];
  const text = words.map((word) => word.text).join(' ');
  return [...escapes, ...unknownOptions(name, args, input).map((where) => `options in ${where}: ${text}`)];
}

/** For each command with side effects, the options whose value is the next word, whatever that is. */
const VALUED: ReadonlyMap<string, RegExp> = new Map([
  ...'sort tar uniq tree curl split sed npm npx pnpm pnpx yarn'
    .split(' ')
    .map((name) => [name, /(?!)/] as const),
  ['git', /^(?:-\w*m|--message)$/],
  ['rg', /^-[eg]$/],
]);

/** Words that may turn into an option with side effects, and the command's input if it becomes arguments. */
function unknownOptions(name: string, args: readonly ShellWord[], input: ShellCommand['input']): string[] {
  const valued = VALUED.get(name);
  if (!valued) return [];
  const end = args.findIndex(({ value }) => value === '--');
  const own = end < 0 ? args : args.slice(0, end);
  const computed = own.filter(
    (word, index) =>
      (mayBeOption(word) || (input?.placeholder && word.text.startsWith(input.placeholder))) &&
      !valued.test(own[index - 1]?.value ?? ''),
  );
  const isFed = input && input.placeholder === undefined && end < 0;
  return [...new Set(computed.map(({ text }) => text)), ...(isFed ? ['its input'] : [])];
}

/** A quoted word stays one word and begins as written; other words may become several. */
function mayBeOption({ text, value }: ShellWord): boolean {
  return value === null && /[$`]/.test(text) && !/^(?:[\w./:@%+=,]+"[^"]*"|"[\w./:@%+=,][^"]*")$/.test(text);
}

type Escapes = (args: readonly ShellWord[]) => string[];

const ESCAPES: ReadonlyMap<string, Escapes> = new Map<string, Escapes>([
  ['find', escapesOfFind],
  [
    'sort',
    (args) => [...valuesOf(args, 'o', 'output').map(writing), ...refuseOptions(args, 'compress-program')],
  ],
  ['git', escapesOfGit],
  ['rg', (args) => refuseOptions(args, 'pre', 'hostname-bin')],
  [
    'tar',
    (args) =>
      refuseOptions(args, 'checkpoint-action', 'to-command', 'use-compress-program', 'rsh-command', 'I'),
  ],
  ...'npm npx pnpm pnpx yarn'.split(' ').map((name): [string, Escapes] => [name, escapesOfNpm]),
  [
    'uniq',
    (args) =>
      operandsOf(args)
        .slice(1)
        .map(({ text }) => writing(text)),
  ],
  ['sed', escapesOfSed],
  ...'awk gawk mawk nawk'.split(' ').map((name): [string, Escapes] => [name, escapesOfAwk]),
  ['date', (args) => [...valuesOf(args, 's', 'set').map(() => 'date --set')]],
  ['tree', (args) => valuesOf(args, 'o', 'output').map(writing)],
  ['jq', (args) => refuseOptions(args, 'run-tests')],
  ['split', (args) => refuseOptions(args, 'filter')],
  ['curl', escapesOfCurl],
]);

const writing = (file: string) => `> ${file}`;

function escapesOfFind(args: readonly ShellWord[]): string[] {
  return args.flatMap(({ value }, index) => {
    if (value === '-delete') return ['rm found'];
    if (value === null || !/^-f(?:print0?|printf|ls)$/.test(value)) return [];
    return [writing(args[index + 1]?.text ?? '')];
  });
}

function escapesOfGit(args: readonly ShellWord[]): string[] {
  refuseOptions(
    args,
    'ext-diff',
    'textconv',
    'open-files-in-pager',
    'upload-pack',
    'receive-pack',
    'exec',
    'exec-path',
  );
  const command = commandOfGit(args);
  if (command === 'grep' && args.some(({ value }) => /^-\w*O/.test(value ?? '')))
    throw new Opaque('git grep -O');
  args.forEach(({ value }, index) => {
    const isSetting = value === '-c' && index < args.findIndex((word) => word.value === command);
    const isPlain = isPlainSetting(args[index + 1]?.value ?? '');
    if ((isSetting && !isPlain) || value?.startsWith('--config-env'))
      throw new Opaque('git with settings that run programs');
  });
  return valuesOf(args, '', 'output', 'output-directory').map(writing);
}

/** The first word that is neither an option nor the value of one. */
function commandOfGit(args: readonly ShellWord[]): string | null | undefined {
  return args.find(
    ({ value }, index) =>
      !value?.startsWith('-') &&
      !/^(?:-[cC]|--git-dir|--work-tree|--namespace)$/.test(args[index - 1]?.value ?? ''),
  )?.value;
}

function escapesOfNpm(args: readonly ShellWord[]): string[] {
  const end = args.findIndex(({ value }) => value === '--');
  const own = end < 0 ? args : args.slice(0, end);
  // pnpm takes any of its settings so.
  const setting = own.find(({ value }) => value?.startsWith('--config.'));
  if (setting) throw new Opaque(`the option ${setting.text}`);
  refuseOptions(
    own,
    'script-shell',
    'node-options',
    'prefix',
    'C',
    'userconfig',
    'globalconfig',
    'shell',
    'workspace',
    'w',
    'call',
    'c',
    'git',
    // With the flags that follow, pnpm and Yarn take another folder or other settings.
    'dir',
    'cwd',
    'config',
    'modules-dir',
    'modules-folder',
    'use-yarnrc',
  );
  return [];
}

/** Downloads get a given name, or the one in their address. */
function escapesOfCurl(args: readonly ShellWord[]): string[] {
  const named = args.some(({ value }) => /^-[sSfiILkvNGVo46#]*O|^--remote-n/.test(value ?? ''));
  const files = args.flatMap(({ value }, index) => {
    const [, attached] =
      /^(?:-[sSfiILkvNGVO46#]*[oD]|--(?:o[a-z]*|dump[a-z-]*)=?)(.*)$/s.exec(value ?? '') ?? [];
    return attached === undefined ? [] : [attached || (args[index + 1]?.text ?? '')];
  });
  return [...files, ...(named ? operandsOf(args).map(({ text }) => text.replace(/^.*\//, '')) : [])].map(
    writing,
  );
}

/** Allows only scripts whose commands clearly print, delete or replace. */
function escapesOfSed(args: readonly ShellWord[]): string[] {
  const given = valuesOf(args, 'e', 'expression');
  const [first, ...files] = operandsOf(args);
  const scripts = given.length > 0 ? given : [first?.value ?? null];
  if (valuesOf(args, 'f', 'file').length > 0) throw new Opaque('sed with a script from a file');
  for (const script of scripts)
    if (script === null || !PLAIN_SED.test(script)) throw new Opaque('a sed script that may run or write');
  if (!args.some(({ value }) => /^-[nErszu]*i|^--i/.test(value ?? ''))) return [];
  return (given.length > 0 && first ? [first, ...files] : files).map(({ text }) => writing(text));
}

const ADDRESS = String.raw`(?:(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)(?:,(?:[+~]?\d+|\$|/(?:[^/\\\n]|\\.)*/I?))?\s*!?\s*)?`;
const SUBSTITUTE = String.raw`[sy]([/|#,:@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI\d]*`;
const PLAIN_SED = new RegExp(
  String.raw`^\s*${ADDRESS}(?:[pdqnNDGHhgxl=]|${SUBSTITUTE})(?:\s*[;\n]\s*${ADDRESS}(?:[pdqnNDGHhgxl=]|${SUBSTITUTE.replaceAll(String.raw`\1`, String.raw`\2`)}))?\s*;?\s*$`,
);

function escapesOfAwk(args: readonly ShellWord[]): string[] {
  let at = 0;
  for (; args[at]?.value !== '--'; at++) {
    const { text, value } = args[at] ?? { text: '', value: '' };
    if (!/^["']?-/.test(text) && value?.startsWith('-') !== true) break;
    if (!/^["']?-[Fv]/.test(text)) throw new Opaque('awk with an unusual option');
    const option = value === '-F' || value === '-v' ? args[++at] : args[at];
    // An unquoted word may become several words, and the next one would then be the program.
    if (option?.value === null && !/"[^"]*"$/.test(option.text))
      throw new Opaque('awk with a computed option');
  }
  const program = args[args[at]?.value === '--' ? at + 1 : at]?.value ?? null;
  if (
    program === null ||
    /system|getline|[|]|>\s*[^=\s\d]|print[^]*>|@|close|fflush/.test(program.replace(/\|\|/g, ''))
  )
    throw new Opaque('an awk program that may run or write');
  return [];
}

/**
 * The values of an option: by its letter, alone or at the end of a cluster, or by its name, which may be abbreviated.
 */
function valuesOf(args: readonly ShellWord[], letters: string, ...names: readonly string[]): string[] {
  return args.flatMap(({ value }, index) => {
    const next = args[index + 1];
    const following = next?.value ?? next?.text ?? '';
    if (value === null) return [];
    if (value.startsWith('--')) {
      const [option = '', attached] = split(value);
      if (option.length < 3 || !names.some((name) => `--${name}`.startsWith(option))) return [];
      return [attached ?? following];
    }
    if (!value.startsWith('-')) return [];
    const at = [...value.slice(1)].findIndex((letter) => letters.includes(letter));
    if (at < 0) return [];
    return [value.slice(at + 2) || following];
  });
}

/** Throws if one of these options is present, since each names a program to run. A single letter stands for itself. */
function refuseOptions(args: readonly ShellWord[], ...names: readonly string[]): string[] {
  for (const { value } of args) {
    if (value === null) continue;
    const [option = ''] = split(value);
    const isLong = value.startsWith('--') && option.length > 2;
    const hit = names.some((name) =>
      name.length === 1 ? new RegExp(`^-\\w*${name}`).test(value) : isLong && `--${name}`.startsWith(option),
    );
    if (hit || names.some((name) => option === `--${name}`)) throw new Opaque(`the option ${option}`);
  }
  return [];
}

function split(option: string): readonly [string, string?] {
  const equals = option.indexOf('=');
  return equals < 0 ? [option] : [option.slice(0, equals), option.slice(equals + 1)];
}

function operandsOf(args: readonly ShellWord[]): ShellWord[] {
  const end = args.findIndex(({ value }) => value === '--');
  const options = end < 0 ? args : args.slice(0, end);
  return [...options.filter(({ value }) => !value?.startsWith('-')), ...args.slice(options.length + 1)];
}
