import { decode, encode } from '../../shell/kit/io.ts';
import { hunkHead, hunksOf, textOf, type Hunk, type Text } from '../diff/hunks.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import type { Pair } from '../kit/trees.ts';
import { isBinary } from '../kit/bytes.ts';
import { editedHunk } from './edited-hunk.ts';

const HELP = `y - stage this hunk
n - do not stage this hunk
q - quit; do not stage this hunk or any of the remaining ones
a - stage this hunk and all later hunks in the file
d - do not stage this hunk or any of the later hunks in the file
s - split the current hunk into smaller hunks
e - manually edit the current hunk
? - print help
`;

/** Asks about each changed part whether it belongs into the index; the answers are lines of standard input. */
export async function addPatch(git: Git, repo: Repo, pathspec: Pathspec): Promise<number> {
  const pairs = (await repo.worktreePairs(pathspec)).filter(({ before }) => before !== undefined);
  if (pairs.length === 0) {
    git.out('No changes.\n');
    return 0;
  }
  const answers = new Answers(git);
  for (const pair of pairs) if (!(await askAbout(git, repo, pair, answers))) break;
  return 0;
}

/** Answers false where the person wants to hear no more. */
async function askAbout(
  git: Git,
  repo: Repo,
  { path, before, after }: Pair,
  answers: Answers,
): Promise<boolean> {
  if (!before) return true;
  const old = await repo.objects.blob(before.oid);
  const stat = await repo.worktree.lstat(path);
  const now = stat ? await repo.worktree.bytes(path, stat) : new Uint8Array();
  if (isBinary(old) || isBinary(now)) return true;
  const mode = (after ?? before).mode.toString(8);
  git.out(`diff --git a/${path} b/${path}\n`);
  if (!after) git.out(`deleted file mode ${mode}\n`);
  git.out(
    `index ${before.oid.slice(0, 7)}..${(after?.oid ?? '0'.repeat(40)).slice(0, 7)}${after ? ` ${mode}` : ''}\n`,
  );
  git.out(`--- a/${path}\n+++ ${after ? `b/${path}` : '/dev/null'}\n`);
  const texts = { old: textOf(old), now: textOf(now) };
  const queue = hunksOf(texts.old, texts.now);
  const chosen: Hunk[] = [];
  let goesOn = true;
  for (let at = 0; at < queue.length; at++) {
    const hunk = queue[at];
    if (!hunk) break;
    const pieces = hunksOf(texts.old, texts.now, { context: 0 }).filter(
      (piece) => piece.a >= hunk.a && piece.a + piece.aLines <= hunk.a + hunk.aLines,
    );
    const canSplit = pieces.length > 1 && hunk.lines.some((line) => line.startsWith(' '));
    git.out(
      `${hunkHead(hunk)}${hunk.heading && ` ${hunk.heading}`}\n${hunk.lines.map((line) => `${line}\n`).join('')}`,
    );
    const answer = await answers.next(
      `(${at + 1}/${queue.length}) Stage ${after ? 'this hunk' : 'deletion'} [y,n,q,a,d${canSplit ? ',s' : ''}${after ? ',e' : ''},?]? `,
    );
    if (answer === 's' && canSplit) {
      git.out(`Split into ${pieces.length} hunks.\n`);
      queue.splice(at--, 1, ...pieces);
    } else if (answer === 'e' && after) {
      const other = await editedHunk(git, repo, hunk, texts.old, answers);
      if (other) chosen.push(other);
      else at--;
    } else if (answer === 'y') chosen.push(hunk);
    else if (answer === 'a') {
      chosen.push(...queue.slice(at));
      break;
    } else if (answer === 'd' || answer === undefined) break;
    else if (answer === 'q') {
      goesOn = false;
      break;
    } else if (answer !== 'n') {
      git.out(HELP);
      at--;
    }
  }
  git.out('\n');
  if (chosen.length > 0)
    await stage(repo, path, texts, chosen, queue.length === chosen.length ? after : undefined);
  return goesOn;
}

async function stage(
  repo: Repo,
  path: string,
  { old, now }: { readonly old: Text; readonly now: Text },
  hunks: readonly Hunk[],
  whole: Pair['after'],
): Promise<void> {
  const entries = await repo.index();
  const isDeleted = now.lines.length === 0 && (await repo.worktree.lstat(path)) === undefined;
  if (isDeleted) return repo.saveIndex(entries.filter((entry) => entry.path !== path));
  const lines: string[] = [];
  let at = 0;
  let isEnded = old.isEnded;
  for (const hunk of hunks) {
    lines.push(...old.lines.slice(at, hunk.a));
    for (const line of hunk.lines)
      if (line.startsWith(' ') || line.startsWith('+')) lines.push(line.slice(1));
    at = hunk.a + hunk.aLines;
    if (at === old.lines.length) isEnded = now.isEnded;
  }
  lines.push(...old.lines.slice(at));
  const text = lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : '');
  const oid = await repo.objects.write('blob', encode(text));
  const stat = await repo.worktree.lstat(path);
  await repo.saveIndex(
    entries.map((entry) =>
      entry.path === path && entry.stage === 0
        ? {
            ...entry,
            oid,
            mode: whole?.mode ?? entry.mode,
            size: 0,
            seconds: 0,
            nanoseconds: 0,
            inode: stat?.inode ?? 0,
          }
        : entry,
    ),
  );
}

/** Reads answers line by line. */
class Answers {
  readonly #git: Git;
  #held = '';
  #isOver = false;

  constructor(git: Git) {
    this.#git = git;
  }

  async next(question: string): Promise<string | undefined> {
    this.#git.out(question);
    await this.#git.finish();
    while (!this.#held.includes('\n') && !this.#isOver) {
      const piece = await this.#git.call.stdin.read();
      if (piece) this.#held += decode(piece);
      else this.#isOver = true;
    }
    if (this.#held === '' && this.#isOver) return undefined;
    const end = this.#held.indexOf('\n');
    const line = end < 0 ? this.#held : this.#held.slice(0, end);
    const rest = end < 0 ? '' : this.#held.slice(end + 1);
    this.#held = rest;
    if (line.length > 1) throw new Fatal(`Only one letter is expected, got '${line}'`, 1, 'error: ');
    return line.toLowerCase();
  }
}
