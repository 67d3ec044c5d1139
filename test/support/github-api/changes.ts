import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Refused, type Repository } from './repository.ts';
import type { Knobs } from './server.ts';

interface Changing {
  readonly repository: Repository;
  readonly knobs: Knobs;
  readonly pulls: object[];
}

interface Person {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

interface TreeItem {
  readonly path: string;
  readonly mode: string;
  readonly type?: string;
  readonly sha?: string | null;
  readonly content?: string;
}

interface Body {
  readonly content: string;
  readonly encoding?: string;
  readonly base_tree?: string;
  readonly tree: string | readonly TreeItem[];
  readonly message: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly signature?: string;
  readonly tag: string;
  readonly object: string;
  readonly type: string;
  readonly tagger: Person;
  readonly ref: string;
  readonly sha: string;
  readonly force?: boolean;
  readonly title?: string;
  readonly head?: string;
  readonly base?: string;
}

/** Answers a request that changes the repository: with what it made, or undefined where it removed something. */
export function answerChange(changing: Changing, method: string, where: string, text: string): unknown {
  const { repository, pulls } = changing;
  const body = (text === '' ? {} : JSON.parse(text)) as Body;
  if (method === 'POST' && where === '/pulls') {
    if (repository.find(`refs/heads/${body.head ?? ''}`) === undefined)
      throw new Refused(422, 'Validation Failed: head invalid');
    if (repository.find(`refs/heads/${body.base ?? ''}`) === undefined)
      throw new Refused(422, 'Validation Failed: base invalid');
    const number = pulls.push(body);
    return { number, html_url: `https://github.com/ada/tool/pull/${number}` };
  }
  if (repository.isEmpty) throw new Refused(409, 'Git Repository is empty.');
  if (method === 'POST') return made(changing, where, body);
  const [, name] = /^\/git\/(refs\/.+)$/.exec(where) ?? [];
  if (name === undefined) throw new Refused(404, 'Not Found');
  const before = repository.find(name);
  if (before === undefined) throw new Refused(422, 'Reference does not exist');
  expectOpen(changing, name);
  if (method === 'DELETE') return void repository.git(['update-ref', '-d', name]);
  if (!body.force && !isForward(repository, before, body.sha))
    throw new Refused(422, 'Update is not a fast forward');
  repository.git(['update-ref', name, body.sha]);
  return repository.ref(name);
}

function expectOpen({ knobs }: Changing, name: string): void {
  if (knobs.protects.includes(name)) throw new Refused(422, 'Protected branch update failed');
}

function isForward(repository: Repository, before: string, after: string): boolean {
  try {
    repository.git(['merge-base', '--is-ancestor', before, after]);
    return true;
  } catch {
    return false;
  }
}

function made({ repository, knobs }: Changing, where: string, body: Body): unknown {
  switch (where) {
    case '/git/blobs': {
      const bytes = Buffer.from(body.content, body.encoding === 'base64' ? 'base64' : 'utf8');
      return { sha: repository.git(['hash-object', '-w', '--stdin'], bytes) };
    }
    case '/git/trees':
      return { sha: madeTree(repository, body) };
    case '/git/commits':
      return repository.commit(madeCommit(repository, body, knobs.writesUTC));
    case '/git/tags': {
      const lines = `object ${body.object}\ntype ${body.type}\ntag ${body.tag}\ntagger ${personText(body.tagger, false)}`;
      return {
        sha: repository.git(['hash-object', '-t', 'tag', '-w', '--stdin'], `${lines}\n\n${body.message}`),
      };
    }
    case '/git/refs':
      if (repository.find(body.ref) !== undefined) throw new Refused(422, 'Reference already exists');
      if (repository.find(`${body.sha}^{object}`) === undefined)
        throw new Refused(422, 'Object does not exist');
      repository.git(['update-ref', body.ref, body.sha]);
      return repository.ref(body.ref);
  }
  throw new Refused(404, 'Not Found');
}

function madeTree(repository: Repository, { base_tree: base, tree }: Body): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'fake-index-'));
  const env = { GIT_INDEX_FILE: path.join(folder, 'index') };
  try {
    if (base !== undefined) repository.git(['read-tree', base], '', env);
    const lines = (tree as readonly TreeItem[]).map((item) => {
      if (item.sha === null) return `0 ${'0'.repeat(40)}\t${item.path}\0`;
      const sha = item.sha ?? repository.git(['hash-object', '-w', '--stdin'], item.content ?? '');
      if (item.type !== 'commit' && repository.find(`${sha}^{object}`) === undefined)
        throw new Refused(422, 'tree.sha does not exist');
      return `${item.mode} ${sha}\t${item.path}\0`;
    });
    repository.git(['update-index', '-z', '--index-info'], lines.join(''), env);
    return repository.git(['write-tree'], '', env);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function madeCommit(repository: Repository, body: Body, isUTC: boolean): string {
  for (const parent of body.parents)
    if (repository.find(`${parent}^{commit}`) === undefined)
      throw new Refused(422, 'Parent SHA does not exist');
  const signature = body.signature?.replace(/\n+$/, '').replaceAll('\n', '\n ');
  const lines = [
    `tree ${String(body.tree)}`,
    ...body.parents.map((parent) => `parent ${parent}`),
    `author ${personText(body.author, isUTC)}`,
    `committer ${personText(body.committer, isUTC)}`,
    ...(signature === undefined ? [] : [`gpgsig ${signature}`]),
  ];
  return repository.git(
    ['hash-object', '-t', 'commit', '-w', '--stdin'],
    `${lines.join('\n')}\n\n${body.message}`,
  );
}

function personText({ name, email, date }: Person, isUTC: boolean): string {
  const [, sign = '+', hours = '00', minutes = '00'] = /([-+])(\d\d):(\d\d)$/.exec(date) ?? [];
  return `${name} <${email}> ${Math.floor(Date.parse(date) / 1000)} ${isUTC ? '+0000' : `${sign}${hours}${minutes}`}`;
}
