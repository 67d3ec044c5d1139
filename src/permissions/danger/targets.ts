import { HOME, ROOT } from '../../base/places.ts';
import type { ShellCommand, ShellWord } from '../shell/opaque.ts';
import { INPUT_WORD } from './fed.ts';

/** Places that must not be removed or opened up as a whole. */
const PROTECTED = [
  '/',
  HOME,
  ROOT,
  ...'bin boot dev etc lib lib64 opt proc root sbin srv sys usr var Users Library System'
    .split(' ')
    .map((name) => `/${name}`),
].map(segmentsOf);

/** If a script may be in more directories than this, it may be in any. */
const MAX_DIRECTORIES = 64;

/** The directories that a script may be in at any time; `null` if that is known only at run time. */
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
    // A loop may go up repeatedly.
    const times = target.value.includes('..') ? 8 : 1;
    for (let time = 0; time < times; time++)
      for (const directory of [...directories]) directories.add(resolve(directory, target.value));
    if (directories.size > MAX_DIRECTORIES) return null;
  }
  return directories;
}

/** `unclear` if it is known only at run time what a word names. */
export type Hit = 'no' | 'yes' | 'unclear';

/** Whether a word names an ancestor of a protected place, everything in one, or something inside `.git`. */
export function hitsProtected(word: ShellWord, directories: ReadonlySet<string> | null): Hit {
  const text = word.value ?? globOf(word);
  if (text === null || text.includes(INPUT_WORD) || /^~[^/]/.test(text)) return 'unclear';
  if (isInsideGit(text)) return 'yes';
  if (!directories && !/^[/~]/.test(text)) return 'unclear';
  return [...(directories ?? ['/'])].some((directory) =>
    coversProtected(segmentsOf(resolve(directory, text))),
  )
    ? 'yes'
    : 'no';
}

/** Whether a word names a place outside the workspace, starting from any of these directories. */
export function leadsOutside(word: ShellWord, directories: ReadonlySet<string> | null): boolean {
  const text = word.value ?? literalStart(word);
  if (text === null) return /^"?\$(?:\{?(?:TMPDIR|HOME)\b|\(\s*mktemp\b)/.test(word.text);
  if (!directories && !/^[/~]/.test(text)) return false;
  return [...(directories ?? ['/'])].some(
    (directory) => !`${resolve(directory, text)}/`.startsWith(`${ROOT}/`),
  );
}

/** Whether the folder that a word refers to is known only at run time. */
export function isAnywhere(word: ShellWord): boolean {
  if (word.value !== null && !word.value.includes(INPUT_WORD)) return false;
  return !/^"?\$(?:PWD|\{PWD\})\//.test(word.text) && literalStart(word) === null;
}

/** Whether two words name files in the same folder, whatever a variable contains: `$f` and `${f%.js}.ts`. */
export function areNeighbours(one: ShellWord, other: ShellWord): boolean {
  const name = stemOf(one);
  return name !== undefined && name === stemOf(other);
}

function stemOf({ text }: ShellWord): string | undefined {
  const stem = /^(?:\$(\w+)|\$\{(\w+)(?:%%?[^{}/$`]*|\^\^?|,,?)?\}|(\{\}))[^/]*$/.exec(
    text.replaceAll('"', ''),
  );
  return stem?.[1] ?? stem?.[2] ?? stem?.[3];
}

/** Whether a path contains `.git`, in any spelling. */
export function isInsideGit(path: string): boolean {
  return segmentsOf(path).some(
    (segment) => segment.startsWith('.') && segmentFits(segment.toLowerCase(), '.git'),
  );
}

/** Whether a path is a device with data; `/dev/null` and the like are not. */
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
  // `*` covers everything in a directory.
  const last = target.at(-1)?.replace(/\[[^\]]*\]/g, '?') ?? '';
  return covers(target) || (/^[.*?]*[*?][.*?]*$/.test(last) && covers(target.slice(0, -1)));
}

/** Whether a segment, which may contain wildcards, can match `name`; brackets stand for any character. */
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

/** The literal start of a word, up to the last slash before its first computed part. */
function literalStart({ text }: ShellWord): string | null {
  return /^"?([\w./~-]*\/)/.exec(text)?.[1] ?? globOf({ text, value: null });
}

/** The text of a word that is only a glob; `null` if other parts are computed. */
function globOf({ text }: ShellWord): string | null {
  return /["'`$\\{}]/.test(text) ? null : text;
}
