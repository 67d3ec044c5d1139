import { hunkHead, type Hunk, type Text } from '../diff/hunks.ts';
import type { Git } from '../kit/git.ts';
import { edited } from '../kit/message.ts';
import type { Repo } from '../kit/repo.ts';

const HEAD = '# Manual hunk edit mode -- see bottom for a quick guide.\n';
const GUIDE = `# ---
# To remove '-' lines, make them ' ' lines (context).
# To remove '+' lines, delete them.
# Lines starting with # will be removed.
# If the patch applies cleanly, the edited hunk will immediately be marked for staging.
# If it does not apply cleanly, you will be given an opportunity to
# edit again.  If all lines of the hunk are removed, then the edit is
# aborted and the hunk is left unchanged.
`;
const AGAIN = 'Your edited hunk does not apply. Edit again (saying "no" discards!) [y/n]? ';
const INSTEAD = 'stage a version of the file that has only what you want';

/** Lets the editor change what a hunk stages. Undefined where it is left as it was. */
export async function editedHunk(
  git: Git,
  repo: Repo,
  hunk: Hunk,
  old: Text,
  answers: { next(question: string): Promise<string | undefined> },
): Promise<Hunk | undefined> {
  let given = `${HEAD}${hunkHead(hunk)}\n${hunk.lines.map((line) => `${line}\n`).join('')}${GUIDE}`;
  for (;;) {
    given = await edited(git, repo, 'addp-hunk-edit.diff', given, INSTEAD);
    const lines = given
      .replace(/\n$/, '')
      .split('\n')
      .filter((line) => !/^(?:#|@@ )/.test(line))
      // Editors take away the blank of an empty line.
      .map((line) => (line === '' ? ' ' : line));
    if (lines.every((line) => line === ' ')) return undefined;
    if (applies(lines, hunk, old)) return { ...hunk, lines };
    if (!/^y/i.test((await answers.next(AGAIN)) ?? '')) return undefined;
  }
}

/** Whether the lines that a hunk keeps and takes away are those of the file. */
function applies(lines: readonly string[], { a, aLines }: Hunk, { lines: old }: Text): boolean {
  if (!lines.every((line) => /^[-+ \\]/.test(line))) return false;
  const before = lines.filter((line) => /^[- ]/.test(line)).map((line) => line.slice(1));
  return before.length === aLines && before.every((line, at) => line === old[a + at]);
}
