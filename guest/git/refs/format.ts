import { dateText, relativeText } from '../kit/dates.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import { bodyOf, subjectOf } from '../kit/message.ts';
import type { Person } from '../kit/person.ts';
import type { Repo } from '../kit/repo.ts';
import { upstreamOf } from '../kit/revisions.ts';
import { comparePaths } from '../kit/bytes.ts';
import { trackingOf } from '../status/gather.ts';

export interface NamedRef {
  readonly name: string;
  readonly oid: string;
}

interface Facts {
  readonly type: string;
  readonly author: Person | undefined;
  readonly committer: Person | undefined;
  readonly tagger: Person | undefined;
  readonly message: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly target: string | undefined;
}

async function factsOf(repo: Repo, oid: string): Promise<Facts> {
  const { type } = await repo.objects.read(oid);
  const none = {
    author: undefined,
    committer: undefined,
    tagger: undefined,
    message: '',
    tree: '',
    parents: [],
    target: undefined,
  };
  if (type === 'tag') {
    const { tagger, message, object } = await repo.objects.tag(oid);
    return { ...none, type, tagger, message, target: object };
  }
  if (type !== 'commit') return { ...none, type };
  return { ...none, type, ...(await repo.objects.commit(oid)) };
}

export function shortRef(name: string): string {
  return name.replace(/^refs\/(heads|tags|remotes)\//, '').replace(/^refs\//, '');
}

/** Replaces the `%(…)` of a format of `git for-each-ref` and its kin. */
export async function refFormatted(git: Git, repo: Repo, format: string, ref: NamedRef): Promise<string> {
  const facts = await factsOf(repo, ref.oid);
  let text = '';
  let at = 0;
  for (const { 0: token, 1: inner = '', index } of format.matchAll(/%\(([^)]*)\)|%%|%[0-9a-fA-F]{2}/g)) {
    text += format.slice(at, index);
    at = index + token.length;
    if (token === '%%') text += '%';
    else if (!token.startsWith('%(')) text += String.fromCharCode(Number.parseInt(token.slice(1), 16));
    else text += await fieldOf(git, repo, inner, ref, facts);
  }
  return text + format.slice(at);
}

async function fieldOf(git: Git, repo: Repo, field: string, ref: NamedRef, facts: Facts): Promise<string> {
  if (field.startsWith('*')) {
    if (facts.target === undefined) return '';
    return fieldOf(
      git,
      repo,
      field.slice(1),
      { name: ref.name, oid: facts.target },
      await factsOf(repo, facts.target),
    );
  }
  const [base = '', option = ''] = field.split(/:(.*)/s);
  const shown = (name: string) => {
    if (option === 'short') return shortRef(name);
    const [, side, count] = /^(?:(l|r)?strip)=(-?\d+)$/.exec(option) ?? [];
    if (count === undefined) return name;
    const parts = name.split('/');
    return (side === 'r' ? parts.slice(0, -Number(count)) : parts.slice(Number(count))).join('/');
  };
  switch (base) {
    case 'refname':
      return shown(ref.name);
    case 'objectname':
      return option.startsWith('short') ? ref.oid.slice(0, Number(option.split('=')[1] ?? 7)) : ref.oid;
    case 'objecttype':
      return facts.type;
    case 'objectsize':
      return String((await repo.objects.read(ref.oid)).bytes.length);
    case 'tree':
      return facts.tree;
    case 'parent':
      return facts.parents.join(' ');
    case 'HEAD':
      return (await repo.refs.head()).ref === ref.name ? '*' : ' ';
    case 'symref':
      return shown((await repo.refs.symbolicTarget(ref.name)) ?? '');
    case 'subject':
      return subjectOf(facts.message);
    case 'body':
      return bodyOf(facts.message);
    case 'contents':
      return option === 'subject'
        ? subjectOf(facts.message)
        : option === 'body'
          ? bodyOf(facts.message)
          : facts.message;
    case 'upstream':
    case 'push':
      return upstreamField(repo, ref.name, option, shown);
  }
  if (base.startsWith('color')) return '';
  const [, role, part = ''] = /^(author|committer|tagger|creator)(name|email|date)?$/.exec(base) ?? [];
  if (role === undefined) throw new Fatal(`unknown field name: ${field}`);
  const person =
    role === 'author'
      ? facts.author
      : role === 'tagger'
        ? facts.tagger
        : role === 'committer'
          ? facts.committer
          : (facts.tagger ?? facts.committer);
  if (!person) return '';
  if (part === 'name') return person.name;
  if (part === 'email') return option === 'trim' ? person.email : `<${person.email}>`;
  if (part === '') return `${person.name} <${person.email}> ${person.time} ${person.zone}`;
  if (option === 'relative') return relativeText(person.time, Math.floor(Date.now() / 1000));
  return dateText(person, option || 'default', git.zone);
}

async function upstreamField(
  repo: Repo,
  name: string,
  option: string,
  shown: (name: string) => string,
): Promise<string> {
  const upstream = upstreamOf(repo, name);
  if (upstream === undefined) return '';
  if (!option.startsWith('track')) return shown(upstream);
  const counts = (await trackingOf(repo, name))?.counts;
  const isBare = option.includes('nobracket');
  const parts = counts
    ? [
        ...(counts.ahead > 0 ? [`ahead ${counts.ahead}`] : []),
        ...(counts.behind > 0 ? [`behind ${counts.behind}`] : []),
      ]
    : ['gone'];
  if (parts.length === 0) return '';
  return isBare ? parts.join(', ') : `[${parts.join(', ')}]`;
}

/** Sorts by the keys of `--sort`, the last one being the most important. */
export async function sortRefs(
  repo: Repo,
  refs: readonly NamedRef[],
  keys: readonly string[],
): Promise<NamedRef[]> {
  const facts = new Map(
    await Promise.all(refs.map(async (ref) => [ref, await factsOf(repo, ref.oid)] as const)),
  );
  let sorted = [...refs].sort((a, b) => comparePaths(a.name, b.name));
  for (const key of keys) {
    const isDown = key.startsWith('-');
    const field = key.replace(/^-/, '');
    const value = (ref: NamedRef): string | number => {
      const found = facts.get(ref);
      if (field === 'committerdate') return found?.committer?.time ?? 0;
      if (field === 'authordate') return found?.author?.time ?? 0;
      if (field === 'creatordate' || field === 'taggerdate')
        return (found?.tagger ?? found?.committer)?.time ?? 0;
      if (field === 'objectname') return ref.oid;
      if (field === 'subject') return subjectOf(found?.message ?? '');
      return ref.name;
    };
    const isVersion = /^(v|version):/.test(field);
    sorted = sorted.toSorted((a, b) => {
      const [x, y] = [value(a), value(b)];
      const away =
        typeof x === 'number' && typeof y === 'number'
          ? x - y
          : isVersion
            ? String(x).localeCompare(String(y), 'en', { numeric: true })
            : comparePaths(String(x), String(y));
      return isDown ? -away : away;
    });
  }
  return sorted;
}
