import { decode, encode } from '../../shell/kit/io.ts';
import { textOf, type Hunk, type Text } from '../diff/hunks.ts';
import type { Git } from '../kit/git.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import type { Pair } from '../kit/trees.ts';
import { isBinary } from '../kit/bytes.ts';
import { Chooser } from './choose.ts';
import { editedHunk } from './edited-hunk.ts';
import { trimmed } from './part.ts';

/** Asks about each changed part whether it belongs into the index; the answers are lines of standard input. */
export async function addPatch(git: Git, repo: Repo, pathspec: Pathspec): Promise<number> {
  const pairs = (await repo.worktreePairs(pathspec)).filter(({ before }) => before !== undefined);
  if (pairs.length === 0) {
    await git.err('No changes.\n');
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
  const ids = `index ${before.oid.slice(0, 7)}..${(after?.oid ?? '0'.repeat(40)).slice(0, 7)}`;
  const names = `--- a/${path}\n+++ ${after ? `b/${path}` : '/dev/null'}\n`;
  const header = after ? `${ids} ${mode}\n${names}` : `deleted file mode ${mode}\n${ids}\n${names}`;
  git.out(`diff --git a/${path} b/${path}\n${after ? header : ''}`);
  const texts = { old: textOf(old), now: textOf(now) };
  const chooser = new Chooser(git, {
    texts,
    isDeleted: !after,
    lead: after ? '' : header,
    next: (question) => answers.next(question),
    edit: async (hunk) => {
      const other = await editedHunk(git, repo, hunk, texts.old, answers);
      return other && trimmed(other);
    },
  });
  const { chosen, areAll, quits } = await chooser.choose();
  git.out('\n');
  if (chosen.length > 0) await stage(repo, path, texts, chosen, areAll ? after : undefined);
  return !quits;
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
    return line;
  }
}
