import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerChange } from './changes.ts';
import { Refused, Repository } from './repository.ts';

/** Tests set these while the fake runs, to have it answer otherwise than GitHub usually does. */
export interface Knobs {
  /** Only requests with this token see the repository. */
  token: string;
  isPrivate: boolean;
  /** Recursive lists are cut off after the first level, as those of large trees are. */
  truncates: boolean;
  /** How many requests are answered until the hour is over. */
  remaining: number;
  /** Commits that are made by requests get their times in UTC. */
  writesUTC: boolean;
  /** The branches that nobody may change. */
  protects: readonly string[];
  /** The host of single files answers that it is asked too much. */
  rawIsBusy: boolean;
  /** Pull requests that others made from their forks. */
  fromForks: readonly { readonly title: string; readonly branch: string; readonly state: PullState }[];
}

type PullState = 'open' | 'closed' | 'merged';

export interface GitHubFake {
  /** Where its API is: `http://127.0.0.1:PORT/api`, and single files: `…/raw`. */
  readonly url: string;
  /** The bare repository, for native git. */
  readonly folder: string;
  readonly knobs: Knobs;
  /** The requests so far, such as `GET /repos/o/n`, those with a token with a star at the end. */
  readonly asked: string[];
  /** The pull requests that were made. */
  readonly pulls: readonly object[];
  close(): Promise<void>;
}

/** A fake of GitHub's REST API on loopback, for the repository `ada/tool`. What it says is read from a repository by native git. */
export async function gitHubFake(folder: string): Promise<GitHubFake> {
  const repository = new Repository(folder);
  const knobs: Knobs = {
    token: 'ghp_fake',
    isPrivate: false,
    truncates: false,
    remaining: Infinity,
    writesUTC: false,
    protects: [],
    rawIsBusy: false,
    fromForks: [],
  };
  const asked: string[] = [];
  const pulls: object[] = [];
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type, accept');
    response.setHeader('access-control-allow-methods', 'GET, POST, PATCH, DELETE');
    response.setHeader(
      'access-control-expose-headers',
      'link, retry-after, x-ratelimit-remaining, x-ratelimit-reset',
    );
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    void bodyOf(request).then((body) => {
      try {
        answer({ request, response, body, repository, knobs, asked, pulls });
      } catch (error) {
        const { status, message } = error instanceof Refused ? error : new Refused(500, String(error));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    folder,
    knobs,
    asked,
    pulls,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly repository: Repository;
  readonly knobs: Knobs;
  readonly asked: string[];
  readonly pulls: object[];
}

function answer({ request, response, body, repository, knobs, asked, pulls }: Asked): void {
  const { method = 'GET', url = '/', headers } = request;
  const { pathname, searchParams } = new URL(url, 'http://fake');
  const hasToken = headers.authorization !== undefined;
  asked.push(`${method} ${decodeURIComponent(pathname)}${hasToken ? ' *' : ''}`);
  if (pathname.startsWith('/raw/')) return answerRaw(response, repository, knobs, pathname);
  if (hasToken && headers.authorization !== `Bearer ${knobs.token}`)
    throw new Refused(401, 'Bad credentials');
  const reset = Math.floor(Date.now() / 1000) + 600;
  if (!hasToken) {
    response.setHeader('x-ratelimit-remaining', String(Math.max(0, knobs.remaining)));
    response.setHeader('x-ratelimit-reset', String(reset));
    if (knobs.remaining-- <= 0) throw new Refused(403, 'API rate limit exceeded for 127.0.0.1.');
  }
  const [, path] = /^\/api\/repos\/ada\/tool(\/.*)?$/.exec(pathname) ?? [];
  const isKnown = /^\/api\/repos\/ada\/tool(\/|$)/.test(pathname);
  if (!isKnown || (knobs.isPrivate && !hasToken)) throw new Refused(404, 'Not Found');
  if (method !== 'GET' && !hasToken) throw new Refused(401, 'Requires authentication');
  const sent =
    method === 'GET'
      ? path === '/pulls'
        ? listedPulls(pulls, knobs, searchParams.get('state') ?? 'open')
        : answerRead(repository, knobs, decodeURIComponent(path ?? ''), searchParams, response)
      : answerChange({ repository, knobs, pulls }, method, decodeURIComponent(path ?? ''), body);
  const status = sent === undefined ? 204 : method === 'POST' ? 201 : 200;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(sent === undefined ? undefined : JSON.stringify(sent));
}

function listedPulls(pulls: readonly object[], { fromForks }: Knobs, wanted: string): object[] {
  const own = pulls.map((pull) => ({
    title: Reflect.get(pull, 'title') as unknown,
    branch: Reflect.get(pull, 'head') as unknown,
    state: 'open' as PullState,
    owner: 'ada',
  }));
  const all = [...own, ...fromForks.map((pull) => ({ ...pull, owner: 'eve' }))];
  return all
    .map(({ title, branch, state, owner }, at) => ({
      ...{ number: at + 1, title, state: state === 'open' ? 'open' : 'closed' },
      merged_at: state === 'merged' ? '2026-01-31T10:00:00Z' : null,
      head: { ref: branch, label: `${owner}:${String(branch)}`, repo: { full_name: `${owner}/tool` } },
      base: { ref: 'main', repo: { full_name: 'ada/tool' } },
    }))
    .filter(({ state }) => wanted === 'all' || state === wanted);
}

function answerRaw(response: ServerResponse, repository: Repository, knobs: Knobs, pathname: string): void {
  if (knobs.rawIsBusy) throw new Refused(429, 'Too many requests');
  const [, commit = '', path = ''] = /^\/raw\/ada\/tool\/([0-9a-f]{40})\/(.*)$/.exec(pathname) ?? [];
  if (knobs.isPrivate || commit === '') throw new Refused(404, 'Not Found');
  response.setHeader('content-type', 'text/plain');
  response.end(repository.bytes(`${commit}:${decodeURIComponent(path)}`));
}

function answerRead(
  repository: Repository,
  knobs: Knobs,
  path: string,
  query: URLSearchParams,
  response: ServerResponse,
): unknown {
  if (path === '')
    return {
      name: 'tool',
      full_name: 'ada/tool',
      private: knobs.isPrivate,
      default_branch: repository.defaultBranch,
    };
  if (repository.isEmpty) throw new Refused(409, 'Git Repository is empty.');
  const [, ref] = /^\/git\/ref\/(.+)$/.exec(path) ?? [];
  if (ref !== undefined) return repository.ref(`refs/${ref}`);
  const [, start] = /^\/git\/matching-refs\/(.+)$/.exec(path) ?? [];
  if (start !== undefined) return repository.refs(`refs/${start}`);
  const [, kind, oid = ''] = /^\/git\/(commits|trees|blobs|tags)\/([0-9a-f]{40})$/.exec(path) ?? [];
  if (kind === 'commits') return repository.commit(oid);
  if (kind === 'tags') return repository.tag(oid);
  if (kind === 'blobs') return repository.blob(oid);
  if (kind === 'trees') return repository.tree(oid, query.get('recursive') === '1', knobs.truncates);
  if (path === '/commits') {
    const count = Number(query.get('per_page') ?? 30);
    const list = repository.commits(query.get('sha') ?? 'HEAD', count);
    if (list.length === count) response.setHeader('link', '<next>; rel="next"');
    return list;
  }
  throw new Refused(404, 'Not Found');
}
