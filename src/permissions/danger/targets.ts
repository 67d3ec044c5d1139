import { HOME, ROOT } from '../../base/places.ts';
import type { ShellCommand, ShellWord } from '../shell/opaque.ts';

/** What nothing should take away or hand over as a whole. */
const PROTECTED = [
  '/',
  HOME,
  ROOT,
  ...'bin boot dev etc lib lib64 opt proc root sbin srv sys usr var Users Library System'
    .split(' ')
    .map((name) => `/${name}`),
].map(segmentsOf);

/** More directories than this that a script may be in are as good as any. */
const MAX_DIRECTORIES = 64;

/** The directories that a script may be in at any time; `null` where only the run tells. */
export function directoriesOf(
  commands: readonly ShellCommand[],
  workdir: string,
): ReadonlySet<string> | null {
  const directories = new Set([workdir]);
  for (const { words } of commands) {
    const [name, ...args] = words;
    if (name?.value !== 'cd' && name?.value !== 'pushd') continue;
    const target = args.find(({ value }) => value === '-' || !value?.startsWith('-')) ?? { value: '~' };
    if (target.value === null || target.value === '-' || /^[+-]\d/.test(target.value)) return null;
    // A loop may go up again and again.
    const times = target.value.includes('..') ? 8 : 1;
    for (let time = 0; time < times; time++)
      for (const directory of [...directories]) directories.add(resolve(directory, target.value));
    if (directories.size > MAX_DIRECTORIES) return null;
  }
  return directories;
}

/** `no`, `yes`, or `unclear` where only the run tells what a word names. */
export type Hit = 'no' | 'yes' | 'unclear';

/** Whether a word names something that holds a protected place, or all that is in one, or is inside `.git`. */
export function hitsProtected(word: ShellWord, directories: ReadonlySet<string> | null): Hit {
  const text = word.value ?? globOf(word);
  if (text === null || text === '{}' || /^~[^/]/.test(text)) return 'unclear';
  if (isInsideGit(text)) return 'yes';
  if (!directories && !/^[/~]/.test(text)) return 'unclear';
  return [...(directories ?? ['/'])].some((directory) =>
    coversProtected(segmentsOf(resolve(directory, text))),
  )
    ? 'yes'
    : 'no';
}

/** A path with a `.git` in it, however it is written; `also`: inside its hooks or configuration only. */
export function isInsideGit(path: string): boolean {
  return segmentsOf(path).some(
    (segment) => segment.startsWith('.') && segmentFits(segment.toLowerCase(), '.git'),
  );
}

/** A path of a device that holds data; not `/dev/null` and the like. */
export function isDevice(path: string): boolean {
  return /^\/+dev\/+(?!(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/.*)$)./.test(
    path.replace(/\/\.(?=\/)/g, ''),
  );
}

function coversProtected(target: readonly string[]): boolean {
  const covers = (segments: readonly string[]) =>
    PROTECTED.some(
      (place) =>
        segments.length <= place.length &&
        segments.every((segment, index) => segmentFits(segment, place[index] ?? '')),
    );
  // `*` takes all that is in a directory.
  const last = target.at(-1)?.replace(/\[[^\]]*\]/g, '?') ?? '';
  return covers(target) || (/^[.*?]*[*?][.*?]*$/.test(last) && covers(target.slice(0, -1)));
}

/** Whether a segment, which may hold wildcards, can be `name`; brackets stand for any character. */
function segmentFits(segment: string, name: string): boolean {
  if (!/[*?[]/.test(segment)) return segment === name;
  const pattern = segment
    .replace(/\[[^\]]*\]/g, '?')
    .replace(/[.+^${}()|\\\]/]/g, '\\$&')
    .replace(/\[/g, '\\[')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${pattern}$`).test(name);
}

function resolve(directory: string, path: string): string {
  const home = path.replace(/^~(?=\/|$)/, HOME);
  return `/${segmentsOf(home.startsWith('/') ? home : `${directory}/${home}`).join('/')}`;
}

function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** The text of a word that is only a glob; `null` for what else is computed. */
function globOf({ text }: ShellWord): string | null {
  return /["'`$\\{}]/.test(text) ? null : text;
}
