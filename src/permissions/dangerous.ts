import { ROOT } from '../base/places.ts';
import { gitDangers } from './danger/git.ts';
import { isForkBomb, mentioned } from './danger/mentions.ts';
import { directoriesOf, hitsProtected, isDevice, isInsideGit, type Hit } from './danger/targets.ts';
import { type ShellCommand, type ShellWord } from './shell/opaque.ts';
import type { Danger, DangerKind } from './types.ts';

/**
 * The fixed list: what is asked for again whatever the rules allow, since no undo brings it back, or since it runs
 * what nobody has seen. From the commands that a script was found to run, wrapped ones too; `workdir` is where it runs.
 */
export function dangersIn(commands: readonly ShellCommand[], script: string, workdir = ROOT): Danger[] {
  const places: Places = { directories: directoriesOf(commands, workdir) };
  const harmless = commands.every(isReader);
  const found = commands.flatMap((command) => [
    ...redirectDangers(command),
    ...(harmless ? [] : wordDangers(command, places)),
  ]);
  // Commands are a list here, without the loops that start them.
  if (!harmless && isForkBomb(script)) found.push({ kind: 'fork-bomb', text: script });
  return unique([...found, ...networkDangers(commands)]);
}

/** For a script that cannot be read with certainty: whatever it mentions. */
export function dangersInText(script: string, why: string): Danger[] {
  const found = mentioned(script);
  const isHidden = /name is computed|kind is computed/.test(why);
  if (
    isHidden &&
    /(?:^|\s)(?:-\w*[rRf]\w*|--recursive|--force|\/|~|\/\*)(?=\s|$)/m.test(script.replace(/["']/g, ''))
  )
    found.push({ kind: 'hidden-code', text: script });
  return unique(found);
}

interface Places {
  readonly directories: ReadonlySet<string> | null;
}

type Check = (args: readonly ShellWord[], places: Places) => readonly (DangerKind | false)[];

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['rm', checkRemove],
  ...'rimraf del-cli trash'
    .split(' ')
    .map((name): [string, Check] => [
      name,
      (args, places) => checkRemove([{ text: '-r', value: '-r' }, ...args], places),
    ]),
  ['tar', (args, places) => checkMoved(args, places, /^--remove/)],
  ['zip', (args, places) => checkMoved(args, places, /^-[A-Za-z]*m|^--move/)],
  ['crontab', (args) => [args.some(({ value }) => value !== '-l') && 'hidden-code']],
  ['find', checkFind],
  [
    'mv',
    (args, places) => [
      operands(args)
        .slice(0, -1)
        .some((word) => hit(word, places) === 'yes') && 'remove',
    ],
  ],
  ['rsync', checkSync],
  ['chmod', checkMode],
  ['chown', checkMode],
  ['chgrp', checkMode],
  ['git', (args) => gitDangers(args)],
  [
    'dd',
    (args) => [args.some(({ value }) => value === null || isDevice(value.replace(/^of=/, ''))) && 'disk'],
  ],
  ['kill', (args) => [args.slice(1).some(({ value }) => value === '-1') && 'system']],
  ...'mkfs mke2fs mkswap mkdosfs wipefs blkdiscard fdisk gdisk sfdisk parted shred badblocks hdparm'
    .split(' ')
    .map((name): [string, Check] => [name, (args) => [args.length > 0 && 'disk']]),
  ...'shutdown reboot halt poweroff'.split(' ').map((name): [string, Check] => [name, () => ['system']]),
]);

/** What a command that runs another, known or not, would run: each word that names one of the list is looked at. */
function wordDangers(command: ShellCommand, places: Places): Danger[] {
  const { words } = command;
  const head = nameOf(words[0]);
  const kinds: DangerKind[] = [];
  words.forEach((word, index) => {
    // What `git` is given are names of its own.
    if (index > 0 && head === 'git') return;
    const name = nameOf(word);
    const check = CHECKS.get(name.startsWith('mkfs.') ? 'mkfs' : name);
    for (const kind of check?.(words.slice(index + 1), places) ?? []) if (kind) kinds.push(kind);
  });
  if (writesGit(words, head)) kinds.push('git-files');
  if (!READERS.has(head) && words.slice(1).some(({ value }) => value !== null && isDevice(value)))
    kinds.push('disk');
  const text = words.map((word) => word.text).join(' ');
  const inside =
    head === 'git' ? [] : words.slice(1).flatMap(({ value }) => (isText(value) ? mentioned(value) : []));
  return [...kinds.map((kind) => ({ kind, text })), ...inside.map(({ kind }) => ({ kind, text }))];
}

/** A word that may be a script to whoever gets it. */
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

function checkRemove(args: readonly ShellWord[], places: Places): (DangerKind | false)[] {
  const values = args.map(({ value }) => value);
  const isRecursive = values.some(
    (value) =>
      value !== null && (/^-\w*[rR]/.test(value) || (/^--r/.test(value) && '--recursive'.startsWith(value))),
  );
  const isUnknown = values.includes(null);
  if (values.some((value) => value?.startsWith('--no-p'))) return ['remove'];
  const targets = operands(args);
  const hits = targets.map((word) => hit(word, places));
  if (isRecursive && (targets.length === 0 || hits.some((each) => each !== 'no'))) return ['remove'];
  return [(isUnknown || targets.some(isGitWord)) && hits.includes('yes') && 'remove'];
}

/** What is packed, and then taken away. */
function checkMoved(args: readonly ShellWord[], places: Places, option: RegExp): (DangerKind | false)[] {
  const moves = args.some(({ value }) => option.test(value ?? ''));
  return [moves && operands(args).some((word) => hit(word, places) !== 'no') && 'remove'];
}

function checkFind(args: readonly ShellWord[], places: Places): (DangerKind | false)[] {
  const values = args.map(({ value, text }) => value ?? text);
  const end = values.findIndex((value) => /^[-(!]/.test(value));
  const starts = args.slice(0, end < 0 ? args.length : end);
  const removes = values.some(
    (value, index) =>
      value === '-delete' ||
      (/^-(?:exec|ok)/.test(value) && /(?:^|\/)(?:rm|mv|shred|unlink)$/.test(values[index + 1] ?? '')),
  );
  if (!removes) return [];
  const isNarrow = alternativesOf(values).every((tests) => tests.some(isNarrowTest));
  const isOutside = starts.some(({ value }) => value === null || /^[/~]|^\.\.(?:\/|$)/.test(value));
  const hits = starts.length > 0 ? starts.map((word) => hit(word, places)) : ['yes'];
  return [
    (isOutside || !isNarrow || starts.some(isGitWord)) && hits.some((each) => each !== 'no') && 'remove',
  ];
}

/** What is between `-o`s. */
function alternativesOf(values: readonly string[]): string[][] {
  const found: string[][] = [[]];
  for (const value of values) {
    if (/^(?:-or?|,)$/.test(value)) found.push([]);
    else found.at(-1)?.push(value);
  }
  return found;
}

/** Whether it is a test that most files fail. */
function isNarrowTest(value: string, index: number, values: readonly string[]): boolean {
  if (!/^-(?:i?name|i?(?:whole)?path|i?wholename|i?regex|[acm](?:time|min)|newer|size|empty)/.test(value))
    return false;
  if (/^(?:!|-not)$/.test(values[index - 1] ?? '')) return false;
  return value === '-empty' || !/^[.*?/\\^$+]*$|^[+]0|^-\d/.test(values[index + 1] ?? '');
}

function checkSync(args: readonly ShellWord[], places: Places): (DangerKind | false)[] {
  const target = operands(args).at(-1);
  const deletes = args.some(({ value }) => value?.startsWith('--del') || value?.startsWith('--remove-s'));
  return [deletes && target !== undefined && hit(target, places) !== 'no' && 'remove'];
}

function checkMode(args: readonly ShellWord[], places: Places): (DangerKind | false)[] {
  const isRecursive = args.some(
    ({ value }) =>
      value === null || /^-\w*R/.test(value) || (value.length > 3 && '--recursive'.startsWith(value)),
  );
  if (!isRecursive) return [];
  const [mode, ...targets] = operands(args);
  const isOpen = /^0*[0-7]*[2367]$|^[augo]*[oa][augo]*[+=]\w*w|^[+=]\w*w|^0+$/.test(mode?.value ?? '');
  return targets.flatMap((word) => {
    const isRoot = /^\.?\/?$|^\$PWD$/.test(word.value ?? '') || word.value === ROOT;
    // Its own files are what a workspace is for; only opening them to all is worth a word.
    if (isRoot && word.value !== '/' && !isOpen) return [];
    return [hit(word, places) === 'yes' && ('permissions' as const)];
  });
}

/** Copies, links, edits or makes executable what git runs by itself. */
function writesGit(words: readonly ShellWord[], head: string): boolean {
  return !READERS.has(head) && !LOOKS_ITSELF.has(head) && words.slice(1).some(isGitWord);
}

const LOOKS_ITSELF = new Set('rm git find du tree sha1sum sha256sum'.split(' '));

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

/** What is fetched, or decoded, and run by the same script. */
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

/** Commands that only print what they are given or find, so that what they are given is no command. */
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

function hit(word: ShellWord, { directories }: Places): Hit {
  return hitsProtected(word, directories);
}

function nameOf(word: ShellWord | undefined): string {
  return nameIn(word?.value ?? '');
}

function nameIn(path: string): string {
  return path.replace(/^.*\//, '');
}

function unique(dangers: readonly Danger[]): Danger[] {
  return [...new Map(dangers.map((danger) => [`${danger.kind}\n${danger.text}`, danger])).values()];
}
