import { decode, readAll } from '../../shell/kit/io.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { parse, type Given } from '../kit/options.ts';
import { quotePath, unquoted } from '../kit/quote.ts';
import type { Repo } from '../kit/repo.ts';
import type { IgnoreLine } from '../../../src/protocol/ignore-rules.ts';

const WORDS = 'q|quiet v|verbose n|non-matching no-index stdin z';

export const checkIgnore: Command = async (git, args) => {
  const given = parse('check-ignore', args, WORDS);
  const repo = await git.repo();
  const words = await wordsOf(git, given);
  const isVerbose = given.has('verbose');
  if (given.has('quiet') && words.length > 1) throw new Fatal('--quiet is only valid with a single pathname');
  if (given.has('quiet') && isVerbose) throw new Fatal('cannot have both --quiet and --verbose');
  if (given.has('non-matching') && !isVerbose) throw new Fatal('--non-matching is only valid with --verbose');
  let isFound = false;
  for (const word of words) {
    const found = await lineFor(repo, word, given.has('no-index'));
    // Only the long form tells of a line that begins with an exclamation mark.
    const line = found && !isVerbose && !found.pattern.ignores ? undefined : found;
    if (line) isFound = true;
    if (!given.has('quiet') && (line ?? given.has('non-matching'))) git.out(shown(repo, given, word, line));
  }
  return isFound ? 0 : 1;
};

async function wordsOf(git: Git, given: Given): Promise<readonly string[]> {
  if (!given.has('stdin')) {
    if (given.has('z')) throw new Fatal('-z only makes sense with --stdin');
    if (given.operands.length === 0) throw new Fatal('no path specified');
    return given.operands;
  }
  if (given.operands.length > 0) throw new Fatal('cannot specify pathnames with --stdin');
  const text = decode(await readAll(git.call.stdin));
  if (given.has('z')) return text.split('\0').filter(Boolean);
  return text.split('\n').filter(Boolean).map(unquoted);
}

/** Nothing is asked about what is tracked, or holds something that is, unless `isAll` is set. */
async function lineFor(repo: Repo, word: string, isAll: boolean): Promise<IgnoreLine | undefined> {
  const pathspec = repo.pathspec([word]);
  if (!isAll && (await repo.index()).some(({ path }) => pathspec.matches(path))) return undefined;
  const { literal = '' } = pathspec.patterns[0] ?? {};
  if (literal === '') return undefined;
  const isFolder = word.endsWith('/') || (await repo.files.isFolder(repo.worktree.absolute(literal)));
  return repo.ignores.deciding(literal, isFolder);
}

function shown(repo: Repo, given: Given, word: string, line: IgnoreLine | undefined): string {
  const parts = line ? [sourceOf(repo, line), String(line.number), line.pattern.text] : ['', '', ''];
  const isLong = given.has('verbose');
  if (given.has('z')) return [...(isLong ? parts : []), word, ''].join('\0');
  const [file = '', number, pattern] = parts;
  return `${isLong ? `${quotePath(file)}:${number}:${pattern}\t` : ''}${quotePath(word)}\n`;
}

/** The files of the repository are named from its top, that of core.excludesFile as its setting says. */
function sourceOf({ worktree: { top }, gitdir }: Repo, { source }: IgnoreLine): string {
  const isOwn = source.endsWith('/.gitignore') || source === `${gitdir}/info/exclude`;
  return isOwn && source.startsWith(`${top}/`) ? source.slice(top.length + 1) : source;
}
