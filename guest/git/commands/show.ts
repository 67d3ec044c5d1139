import type { Format } from '../diff/options.ts';
import { Fatal } from '../kit/fatal.ts';
import { whyUnknown } from '../kit/missing-path.ts';
import { dateText } from '../kit/dates.ts';
import type { Command, Git } from '../kit/git.ts';
import { MODE } from '../kit/objects.ts';
import { aroundDashes, parse, type Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { checkShown, tryResolve } from '../kit/revisions.ts';
import { rangeOf } from '../log/arguments.ts';
import { CommitPrinter, type Printing } from '../log/print.ts';
import { LOG_WORDS, printingOf, selected } from './log.ts';

export const show: Command = async (git, args) => {
  const plain = args.map((arg) => (arg === '--quiet' ? '--no-patch' : arg));
  const given = parse('show', plain, LOG_WORDS, { number: 'max-count' });
  const repo = await git.repo();
  git.page();
  const [before, after] = aroundDashes(given);
  const words: string[] = [];
  const paths: string[] = [...(after ?? [])];
  for (const [at, word] of before.entries()) {
    if (isRange(word) || word.startsWith('^') || (await tryResolve(repo, word)) !== undefined)
      words.push(word);
    else if (
      after === undefined &&
      at > 0 &&
      (await git.files.lstat(git.files.fs.resolvePath(git.cwd, word)))
    )
      paths.push(word);
    else throw await whyUnknown(repo, word);
  }
  if (words.length === 0) {
    if ((await repo.refs.resolve('HEAD')) === undefined) {
      const { ref } = await repo.refs.head();
      throw new Fatal(
        `your current branch '${(ref ?? '').replace(/^refs\/heads\//, '')}' does not have any commits yet`,
      );
    }
    words.push('HEAD');
  }
  const empty = { include: [], exclude: [], paths, sides: undefined, isGiven: true, words };
  const byDefault: readonly Format[] = ['patch'];
  const found = await printingOf(git, repo, given, empty, byDefault);
  const printing: Printing = {
    ...found,
    merges: given.has('m') ? 'each' : given.has('first-parent') ? 'first' : 'combined',
  };
  const printer = new CommitPrinter(git, repo, printing);
  for (const word of words) await showOne(git, repo, given, word, printer, printing);
  return 0;
};

/** Dots behind a colon belong to a path. */
function isRange(word: string): boolean {
  return /^[^:]*\.\./.test(word);
}

async function showOne(
  git: Git,
  repo: Repo,
  given: Given,
  word: string,
  printer: CommitPrinter,
  printing: Printing,
): Promise<void> {
  if (isRange(word)) {
    const range = await rangeOf(git, repo, { ...given, operands: [word], dashes: undefined });
    for await (const commit of selected(git, repo, given, range, printing)) await printer.print(commit);
    return;
  }
  const oid = await tryResolve(repo, word);
  if (oid === undefined) throw await whyUnknown(repo, word);
  const { type, bytes } = await repo.objects.read(oid);
  if (type === 'blob') {
    await checkShown(repo, word);
    await git.finish();
    git.page();
    await git.outBytes(bytes);
  } else if (type === 'tree') {
    git.out(`${printing.pretty.painter.paint('yellow', `tree ${word}`)}\n\n`);
    for (const { name, mode } of await repo.objects.tree(oid))
      git.out(`${name}${mode === MODE.tree ? '/' : ''}\n`);
  } else if (type === 'tag') {
    const { name, tagger, message, object } = await repo.objects.tag(oid);
    git.out(`${printing.pretty.painter.paint('yellow', `tag ${name}`)}\n`);
    if (tagger)
      git.out(
        `Tagger: ${tagger.name} <${tagger.email}>\nDate:   ${dateText(tagger, printing.pretty.date, git.zone)}\n`,
      );
    git.out(`\n${message}${message.endsWith('\n') ? '' : '\n'}\n`);
    await showOne(git, repo, given, object, printer, printing);
  } else await printer.print(await repo.objects.commit(oid));
}
