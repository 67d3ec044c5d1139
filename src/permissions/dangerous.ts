import { ROOT } from '../base/places.ts';
import { gitDangers } from './danger/git.ts';
import { INPUT_WORD, withInputWords } from './danger/fed.ts';
import { findsProtected } from './danger/find.ts';
import { Origins } from './danger/origins.ts';
import { nameIn, nameOf } from './danger/program-name.ts';
import { copiesNothing, editsAway, emptiesInLoop, movedBy, movesAway, truncates } from './danger/emptying.ts';
import { isForkBomb, mentionedDangers } from './danger/mentions.ts';
import { directoriesOf, hitsProtected, isDevice, isInsideGit, type Hit } from './danger/targets.ts';
import { type ShellCommand, type ShellWord } from './shell/opaque.ts';
import type { Danger, DangerKind } from './types.ts';

/**
 * Finds what is on the fixed list of dangers: it always asks, whatever the rules allow, because it cannot be undone
 * or runs code that nobody has seen. `commands` are those that the script runs, including wrapped ones; `workdir` is
 * where it runs.
 */
export function dangersIn(commands: readonly ShellCommand[], script: string, workdir = ROOT): Danger[] {
  const directories = directoriesOf(commands, workdir);
  const origins = new Origins(commands, (word) => hitsProtected(word, directories));
  const harmless = commands.every(isReader);
  const found = commands.flatMap((command) => [
    ...redirectDangers(command),
    ...(harmless ? [] : wordDangers(command, { directories, isAny: (word) => origins.isAny(word, command) })),
  ]);
  // The commands are a flat list here, without the loops around them.
  if (!harmless && isForkBomb(script)) found.push({ kind: 'fork-bomb', text: script });
  if (emptiesInLoop(commands, script)) found.push({ kind: 'remove', text: script });
  return unique([...found, ...networkDangers(commands)]);
}

/** The dangers that a script mentions, for scripts that cannot be analysed. */
export function dangersInText(script: string, why: string): Danger[] {
  const found = mentionedDangers(script);
  const isHidden = /name is computed|kind is computed/.test(why);
  if (
    isHidden &&
    /(?:^|\s)(?:-\w*[rRf]\w*|--recursive|--force|\/|~|\/\*)(?=\s|$)/m.test(script.replace(/["']/g, ''))
  )
    found.push({ kind: 'hidden-code', text: script });
  return unique(found);
}

interface Context {
  readonly directories: ReadonlySet<string> | null;
  /** Whether a word of the command may stand for any file. */
  readonly isAny: (word: ShellWord) => boolean;
}

type Check = (args: readonly ShellWord[], context: Context) => readonly (DangerKind | false)[];

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['rm', checkRemove],
  ['unlink', checkRemove],
  ...'rimraf del-cli trash'
    .split(' ')
    .map((name): [string, Check] => [
      name,
      (args, context) => checkRemove([{ text: '-r', value: '-r' }, ...args], context),
    ]),
  ['tar', (args, context) => checkMoved(args, context, /^--remove/)],
  ['zip', (args, context) => checkMoved(args, context, /^-[A-Za-z]*m|^--move/)],
  ['crontab', (args) => [args.some(({ value }) => value !== '-l') && 'hidden-code']],
  ['find', checkFind],
  [
    'mv',
    (args, context) => [
      (movedBy(args).sources.some((word) => hit(word, context) === 'yes') ||
        movesAway(args, context.directories)) &&
        'remove',
    ],
  ],
  ...['cp', 'install', 'ln'].map((name): [string, Check] => [
    name,
    (args, context) => [copiesNothing(args, (word) => hit(word, context)) && 'remove'],
  ]),
  ['tee', checkTee],
  ['truncate', (args, context) => [truncates(args, (word) => hit(word, context)) && 'remove']],
  ['sed', (args, context) => [editsAway(args, (word) => hit(word, context)) && 'remove']],
  ['rsync', checkSync],
  ['chmod', checkMode],
  ['chown', checkMode],
  ['chgrp', checkMode],
  ['git', (args) => gitDangers(args)],
  [
    'dd',
    (args) => [
      args.some(({ value }) => value === null || isDevice(value.replace(/^of=/, ''))) && 'disk',
      args.some(({ value }) => value?.startsWith('of=') && value.includes('{}')) && 'remove',
    ],
  ],
  ['kill', (args) => [args.slice(1).some(({ value }) => value === '-1') && 'system']],
  ...'mkfs mke2fs mkswap mkdosfs wipefs blkdiscard fdisk gdisk sfdisk parted shred badblocks hdparm'
    .split(' ')
    .map((name): [string, Check] => [name, (args) => [args.length > 0 && 'disk']]),
  ...'shutdown reboot halt poweroff'.split(' ').map((name): [string, Check] => [name, () => ['system']]),
]);

/** Checks a command as if it ran other commands, known or not: every word that is a name on the list is checked. */
function wordDangers(command: ShellCommand, context: Context): Danger[] {
  const { words } = command;
  const head = nameOf(words[0]);
  const kinds: DangerKind[] = [];
  words.forEach((word, index) => {
    // The arguments of `git` are names of its own.
    if (index > 0 && head === 'git') return;
    const name = nameOf(word);
    const check = CHECKS.get(name.startsWith('mkfs.') ? 'mkfs' : name);
    const before = words.slice(0, index);
    // The arguments of a reader are not commands.
    const isRead = before.some((each) => READERS.has(nameOf(each)));
    const args = words.slice(index + 1);
    const given = isRead ? args : withInputWords(before, args, nameOf);
    for (const kind of check?.(given, context) ?? []) if (kind) kinds.push(kind);
  });
  if (writesGit(words, head)) kinds.push('git-files');
  if (!READERS.has(head) && words.slice(1).some(({ value }) => value !== null && isDevice(value)))
    kinds.push('disk');
  const text = words.map((word) => word.text).join(' ');
  const inside =
    head === 'git'
      ? []
      : words.slice(1).flatMap(({ value }) => (isText(value) ? mentionedDangers(value) : []));
  return [...kinds.map((kind) => ({ kind, text })), ...inside.map(({ kind }) => ({ kind, text }))];
}

/** Whether a word may be a script for the program that gets it. */
function isText(value: string | null): value is string {
  return value !== null && /[\s(]/.test(value.trim());
}

function redirectDangers({ redirects }: ShellCommand): Danger[] {
  return redirects.flatMap(({ writes, target, text }): Danger[] => {
    const value = target?.value;
    if (!writes || value === undefined || value === null) return [];
    if (isDevice(value)) return [{ kind: 'disk', text }];
    return isInsideGit(value) ? [{ kind: 'git-files', text }] : [];
  });
}

function checkRemove(args: readonly ShellWord[], context: Context): (DangerKind | false)[] {
  const values = args.map(({ value }) => value);
  const isRecursive = values.some(
    (value) =>
      value !== null && (/^-\w*[rR]/.test(value) || (/^--r/.test(value) && '--recursive'.startsWith(value))),
  );
  const isUnknown = values.includes(null);
  if (values.some((value) => value?.startsWith('--no-p'))) return ['remove'];
  const targets = operands(args);
  const hits = targets.map((word) => hit(word, context));
  if (isRecursive && (targets.length === 0 || hits.some((each) => each !== 'no'))) return ['remove'];
  return [
    (((isUnknown || targets.some(isGitWord)) && hits.includes('yes')) || targets.some(context.isAny)) &&
      'remove',
  ];
}

function checkTee(args: readonly ShellWord[], context: Context): (DangerKind | false)[] {
  const appends = args.some(({ value }) => /^-\w*a|^--a/.test(value ?? ''));
  return [!appends && operands(args).some((word) => isEverything(word, context)) && 'remove'];
}

/** Archivers that remove the files they have packed. */
function checkMoved(args: readonly ShellWord[], context: Context, option: RegExp): (DangerKind | false)[] {
  const moves = args.some(({ value }) => option.test(value ?? ''));
  return [moves && operands(args).some((word) => hit(word, context) !== 'no') && 'remove'];
}

function checkFind(args: readonly ShellWord[], context: Context): (DangerKind | false)[] {
  const values = args.map(({ value, text }) => value ?? text);
  const removes = values.some(
    (value, index) =>
      value === '-delete' ||
      (/^-(?:exec|ok)/.test(value) && /(?:^|\/)(?:rm|mv|shred|unlink)$/.test(values[index + 1] ?? '')),
  );
  if (!removes) return [];
  return [findsProtected(args, (word) => hit(word, context)) && 'remove'];
}

function checkSync(args: readonly ShellWord[], context: Context): (DangerKind | false)[] {
  const words = operands(args);
  const target = words.at(-1);
  const deletes = args.some(({ value }) => value?.startsWith('--del'));
  const moves = args.some(({ value }) => value?.startsWith('--remove-s'));
  const sources = words.slice(0, -1).map((word) => hit(word, context));
  return [
    ((deletes || moves) && target !== undefined && hit(target, context) !== 'no' && 'remove') ||
      (moves && (sources.some((each) => each !== 'no') || movesAway(words, context.directories)) && 'remove'),
  ];
}

function checkMode(args: readonly ShellWord[], context: Context): (DangerKind | false)[] {
  const isRecursive = args.some(
    ({ value }) =>
      value === null || /^-\w*R/.test(value) || (value.length > 3 && '--recursive'.startsWith(value)),
  );
  if (!isRecursive) return [];
  const [mode, ...targets] = operands(args);
  const isOpen = /^0*[0-7]*[2367]$|^[augo]*[oa][augo]*[+=]\w*w|^[+=]\w*w|^0+$/.test(mode?.value ?? '');
  return targets.flatMap((word) => {
    const isRoot = /^\.?\/?$|^\$PWD$/.test(word.value ?? '') || word.value === ROOT;
    // Changing the workspace's own files is ordinary work; only opening them to everybody is a danger.
    if (isRoot && word.value !== '/' && !isOpen) return [];
    return [hit(word, context) === 'yes' && ('permissions' as const)];
  });
}

/** Whether a command copies, links, edits or makes executable a file that git runs by itself. */
function writesGit(words: readonly ShellWord[], head: string): boolean {
  return !READERS.has(head) && !READS_OR_CHECKED_ELSEWHERE.has(head) && words.slice(1).some(isGitWord);
}

const READS_OR_CHECKED_ELSEWHERE = new Set('rm git find du tree sha1sum sha256sum'.split(' '));

function isGitWord({ value, text }: ShellWord): boolean {
  if (/^--?(?:exclude|ignore|prune)/.test(text)) return false;
  return isInsideGit((value ?? text).replace(/^[^=/]*=/, ''));
}

const NETWORK = new Set('curl wget fetch aria2c lynx nc ncat netcat socat telnet ftp scp'.split(' '));
const DECODERS = new Set('base64 base32 basenc xxd uudecode openssl rev gunzip zcat'.split(' '));
const RUNNERS = new Map<string, RegExp>([
  ...'sh bash dash zsh ksh ash jsh fish csh tcsh'.split(' ').map((name) => [name, /^-\w*c/] as const),
  ...'python python2 python3 pypy3'.split(' ').map((name) => [name, /^-[cm]/] as const),
  ...'node nodejs bun deno perl ruby lua php'
    .split(' ')
    .map((name) => [name, /^-(?:[epr]|-eval|-print)|^eval$/] as const),
  ['busybox', /^$/],
]);

/** Programs that run what an address leads to. */
const LOADERS = new Set('deno bun bunx npx pnpx uvx node'.split(' '));
const REMOTE = /^(?:--?[\w-]+=)?(?:https?|git\+\w+|github|data):/;

/** Finds scripts that run what they fetch or decode. */
function networkDangers(commands: readonly ShellCommand[]): Danger[] {
  const remote = commands.find(
    ({ words }) => LOADERS.has(nameOf(words[0])) && words.some(({ value }) => REMOTE.test(value ?? '')),
  );
  if (remote) return [{ kind: 'network-to-shell', text: remote.words.map(({ text }) => text).join(' ') }];
  const fetches = commands.filter(({ words }) => words.some((word) => NETWORK.has(nameOf(word))));
  const decodes = commands.filter(({ words }) => words.some((word) => DECODERS.has(nameOf(word))));
  if (fetches.length + decodes.length === 0) return [];
  const written = commands.flatMap(({ words, redirects }) => [
    ...redirects.flatMap(({ writes, target }) => (writes && target?.value ? nameIn(target.value) : [])),
    ...words.slice(1).flatMap(({ value }) => (value ? nameIn(value.replace(/^--?[\w-]+=?/, '')) : [])),
  ]);
  const runs = commands.find(({ words }) => {
    const at = words.findIndex((word) => RUNNERS.has(nameOf(word)));
    const program = words.slice(at + 1).map(({ value }) => value ?? '$');
    if (at < 0)
      return written.includes(nameIn(words[0]?.value ?? '') || '-') && /\//.test(words[0]?.value ?? '');
    if (program.some((value) => RUNNERS.get(nameOf(words[at]))?.test(value))) return false;
    const file = program.find((value) => !value.startsWith('-'));
    return (
      file === undefined ||
      file === '$' ||
      file.startsWith('/dev/') ||
      written.filter((name) => name === nameIn(file)).length > 1
    );
  });
  if (!runs) return [];
  const kind = fetches.length > 0 ? 'network-to-shell' : 'hidden-code';
  return [{ kind, text: runs.words.map(({ text }) => text).join(' ') }];
}

/** Commands that only print their arguments or what they find, so that their arguments are not commands. */
const READERS = new Set(
  'echo printf grep egrep fgrep rg ag cat head tail less more wc sort uniq cut tr ls stat file test [ true false : diff cmp jq man which type basename dirname pwd'.split(
    ' ',
  ),
);

function isReader({ words, redirects }: ShellCommand): boolean {
  if (redirects.some(({ writes, target }) => writes && target?.value !== '/dev/null')) return false;
  return words.length === 0 || READERS.has(nameOf(words[0]));
}

function operands(args: readonly ShellWord[]): ShellWord[] {
  const end = args.findIndex(({ value }) => value === '--');
  const before = end < 0 ? args : args.slice(0, end);
  return [...before.filter(({ value }) => !value?.startsWith('-')), ...(end < 0 ? [] : args.slice(end + 1))];
}

/** Whether a glob covers everything in a protected place. */
function isEverything(word: ShellWord, context: Context): boolean {
  return word.text.includes(INPUT_WORD) || (word.value === null && hit(word, context) === 'yes');
}

function hit(word: ShellWord, { directories }: Context): Hit {
  return hitsProtected(word, directories);
}

function unique(dangers: readonly Danger[]): Danger[] {
  return [...new Map(dangers.map((danger) => [`${danger.kind}\n${danger.text}`, danger])).values()];
}
