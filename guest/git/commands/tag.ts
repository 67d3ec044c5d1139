import { encode } from '../../shell/kit/io.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { bodyOf, cleanMessage, edited, subjectOf } from '../kit/message.ts';
import { parse, type Given } from '../kit/options.ts';
import { globSource } from '../kit/pathspec.ts';
import { personText } from '../kit/person.ts';
import { isGoodRefName } from '../kit/refs.ts';
import type { Repo } from '../kit/repo.ts';
import { resolve, tryResolve } from '../kit/revisions.ts';
import { filterRefs } from '../refs/filter.ts';
import { refFormatted, sortRefs } from '../refs/format.ts';

const WORDS = `no-column no-ignore-case a|annotate s|sign u|local-user: f|force d|delete l|list n? m|message: F|file: sort: format: contains! no-contains!
  merged! no-merged! points-at! cleanup: color? create-reflog no-sign`;

export const tag: Command = async (git, args) => {
  const given = parse('tag', args, WORDS);
  const repo = await git.repo();
  if (given.has('delete')) return remove(git, repo, given);
  const isList = [
    'list',
    'n',
    'contains',
    'no-contains',
    'merged',
    'no-merged',
    'points-at',
    'sort',
    'format',
  ].some((name) => given.order.some(([each]) => each === name));
  if (given.operands.length === 0 || isList) return list(git, repo, given);
  if (given.has('sign') || given.has('local-user'))
    throw new Fatal('tags cannot be signed here: use -a', 128, 'error: ');
  return create(git, repo, given);
};

async function create(git: Git, repo: Repo, given: Given): Promise<number> {
  const [name = '', at = 'HEAD'] = given.operands;
  if (!isGoodRefName(name) || name.startsWith('-')) throw new Fatal(`'${name}' is not a valid tag name.`);
  const full = `refs/tags/${name}`;
  const old = await repo.refs.resolve(full);
  if (old !== undefined && !given.has('force')) throw new Fatal(`tag '${name}' already exists`);
  if ((await tryResolve(repo, at)) === undefined)
    throw new Fatal(`Failed to resolve '${at}' as a valid ref.`);
  const object = await resolve(repo, at);
  const isAnnotated = given.has('annotate') || given.has('message') || given.has('file');
  let oid = object;
  if (isAnnotated) {
    const tagger = await git.person('COMMITTER');
    const message = await messageOf(git, repo, given, name);
    const { type } = await repo.objects.read(object);
    oid = await repo.objects.write(
      'tag',
      encode(`object ${object}\ntype ${type}\ntag ${name}\ntagger ${personText(tagger)}\n\n${message}`),
    );
  }
  await repo.refs.update(full, oid, '');
  if (old !== undefined && old !== oid) git.out(`Updated tag '${name}' (was ${old.slice(0, 7)})\n`);
  return 0;
}

async function messageOf(git: Git, repo: Repo, given: Given, name: string): Promise<string> {
  const parts = given.values('message');
  if (parts.length > 0) return cleanMessage(parts.map((part) => `${part}\n`).join('\n'), 'strip');
  const file = given.value('file');
  if (file !== undefined)
    return cleanMessage((await git.files.text(git.files.fs.resolvePath(git.cwd, file))) ?? '', 'strip');
  const text = await edited(
    git,
    repo,
    'TAG_EDITMSG',
    `\n#\n# Write a message for tag:\n#   ${name}\n`,
    'pass the message by -m or -F',
  );
  const message = cleanMessage(text, 'strip');
  if (message === '') throw new Fatal('no tag message?');
  return message;
}

async function remove(git: Git, repo: Repo, given: Given): Promise<number> {
  let code = 0;
  for (const name of given.operands) {
    const oid = await repo.refs.resolve(`refs/tags/${name}`);
    if (oid === undefined) {
      await git.err(`error: tag '${name}' not found.\n`);
      code = 1;
      continue;
    }
    await repo.refs.delete(`refs/tags/${name}`);
    git.out(`Deleted tag '${name}' (was ${oid.slice(0, 7)})\n`);
  }
  return code;
}

async function list(git: Git, repo: Repo, given: Given): Promise<number> {
  git.page();
  const globs = given.operands.map((glob) => new RegExp(`^${globSource(glob, false)}$`));
  const all = (await repo.refs.list('refs/tags/')).map(([name, oid]) => ({ name, oid }));
  const named = all.filter(
    ({ name }) => globs.length === 0 || globs.some((glob) => glob.test(name.slice('refs/tags/'.length))),
  );
  const kept = await filterRefs(repo, named, given);
  const sort = given.values('sort');
  const configured = repo.config.get('tag.sort');
  const keys = sort.length > 0 ? sort : configured === undefined ? [] : [configured];
  const refs = keys.length > 0 ? await sortRefs(repo, kept, keys) : kept;
  const format = given.value('format');
  const lines = given.has('n') ? Number(given.value('n') || 1) : 0;
  for (const ref of refs) {
    const short = ref.name.slice('refs/tags/'.length);
    if (format !== undefined) git.out(`${await refFormatted(git, repo, format, ref)}\n`);
    else
      git.out(lines > 0 ? `${short.padEnd(15)} ${await annotation(repo, ref.oid, lines)}\n` : `${short}\n`);
  }
  return 0;
}

async function annotation(repo: Repo, oid: string, count: number): Promise<string> {
  const { type } = await repo.objects.read(oid);
  const message =
    type === 'tag'
      ? (await repo.objects.tag(oid)).message
      : type === 'commit'
        ? (await repo.objects.commit(oid)).message
        : '';
  const body = bodyOf(message).trimEnd();
  const lines = [subjectOf(message), ...(body === '' ? [] : ['', ...body.split('\n')])];
  return lines.slice(0, count).join('\n    ');
}
