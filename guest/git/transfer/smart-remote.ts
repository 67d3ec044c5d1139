import { fetch as fetchPack, listServerRefs, push as pushPack, type HttpClient } from 'isomorphic-git';
import { joined } from '../../shell/kit/io.ts';
import { Fatal } from '../kit/fatal.ts';
import { nodeFs } from '../kit/files.ts';
import type { Git } from '../kit/git.ts';
import type { Repo } from '../kit/repo.ts';
import { isAmong, type Change, type Changed, type Receiving, type Remote, type RemoteRef } from './remote.ts';
import { remoteAddress } from './addresses.ts';

/** Where a commit stands while it is pushed, because isomorphic-git pushes refs. */
const PUSHED = 'refs/vitrine/push';

const ELSEWHERE =
  'If the host does not let web pages read it, name a proxy that does (git config --global url.https://PROXY/HOST/.insteadOf https://HOST/), or clone the repository elsewhere and bring it in with "Add files" (a folder or zip with its .git).';

/** A repository at a host that answers git's own protocol to web pages. isomorphic-git speaks it. */
export class SmartRemote implements Remote {
  readonly url: string;
  readonly usualDepth = undefined;
  readonly #git: Git;
  readonly #address: string;
  readonly #http: HttpClient;
  #listed: ReturnType<typeof listServerRefs> | undefined;

  constructor(git: Git, url: string) {
    this.url = url;
    this.#git = git;
    this.#address = httpAddress(url);
    this.#http = { request: (request) => this.#request(request) };
  }

  async headRef(): Promise<string | undefined> {
    return (await this.#list()).find(({ ref }) => ref === 'HEAD')?.target;
  }

  async refs(names: readonly string[] = ['refs/heads/', 'refs/tags/']): Promise<readonly RemoteRef[]> {
    return (await this.#list()).flatMap(({ ref, oid }) =>
      ref === 'HEAD' || isAmong(ref, names) ? [{ name: ref, oid }] : [],
    );
  }

  async tags(repo: Repo, areAll: boolean): Promise<readonly RemoteRef[]> {
    const found: RemoteRef[] = [];
    for (const { ref, oid, peeled } of await this.#list())
      if (ref.startsWith('refs/tags/') && (areAll || (await repo.objects.has(peeled ?? oid))))
        found.push({ name: ref, oid });
    return found;
  }

  async receive(repo: Repo, oids: readonly string[], { depth }: Receiving): Promise<void> {
    const known = await Promise.all(oids.map((oid) => repo.objects.has(oid)));
    const missing = new Set(oids.filter((_, at) => known[at] === false));
    if (missing.size === 0 && depth === undefined) return;
    const remote = repo.config.names('remote').find((name) => remoteAddress(repo.config, name) === this.url);
    if (remote === undefined)
      throw new Fatal(`name the address first, and fetch from that: git remote add NAME ${this.url}`);
    const wanted = (await this.#list()).filter(
      ({ ref, oid }) => ref !== 'HEAD' && (missing.size === 0 ? oids.includes(oid) : missing.has(oid)),
    );
    const before = await rawRefs(repo);
    try {
      for (const { ref } of wanted)
        await this.#done(
          fetchPack({
            ...{ fs: nodeFs(repo.files.fs), http: this.#http, gitdir: repo.gitdir },
            ...{ url: this.#address, remote, ref, singleBranch: true, tags: false },
            ...(depth !== undefined && Number.isFinite(depth) && { depth }),
          }),
        );
    } finally {
      // Where the branches of the remote are noted, and said, is up to the command.
      await restoreRefs(repo, before);
      repo.objects.refresh();
    }
  }

  async refusal(): Promise<string | undefined> {
    return undefined;
  }

  async change(repo: Repo, { target, oid, isForced }: Change): Promise<Changed> {
    if (oid !== undefined) await repo.files.write(`${repo.gitdir}/${PUSHED}`, `${oid}\n`);
    try {
      const { refs } = await this.#done(
        pushPack({
          ...{ fs: nodeFs(repo.files.fs), http: this.#http, gitdir: repo.gitdir, url: this.#address },
          ...{ ref: oid === undefined ? target : PUSHED, remoteRef: target, force: isForced },
          ...(oid === undefined && { delete: true }),
        }),
      );
      const result = refs[target];
      return result && !result.ok ? { refusal: result.error } : {};
    } finally {
      await repo.files.remove(`${repo.gitdir}/refs/vitrine`);
    }
  }

  #list(): ReturnType<typeof listServerRefs> {
    this.#listed ??= this.#done(
      listServerRefs({
        http: this.#http,
        url: this.#address,
        protocolVersion: 1,
        symrefs: true,
        peelTags: true,
      }),
    );
    return this.#listed;
  }

  async #request({ url, method = 'GET', headers = {}, body }: Parameters<HttpClient['request']>[0]) {
    const pieces: Uint8Array[] = [];
    if (body) for await (const piece of body) pieces.push(piece);
    const response = await this.#git.call.fetch({
      ...{ url, method, headers: Object.entries(headers).map(([name, value]) => [name, value] as const) },
      body: body ? joined(pieces) : null,
    });
    return {
      ...{
        url: response.url ?? url,
        method,
        statusCode: response.status,
        statusMessage: response.statusText,
      },
      headers: Object.fromEntries(response.headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: response.body[Symbol.asyncIterator]() as AsyncIterableIterator<Uint8Array>,
    };
  }

  /** Says in git's words why a transfer failed. */
  async #done<Result>(transfer: Promise<Result>): Promise<Result> {
    try {
      return await transfer;
    } catch (error) {
      if (error instanceof Fatal || !(error instanceof Error)) throw error;
      throw this.#failure(error);
    }
  }

  #failure(error: Error): Fatal {
    const code: unknown = Reflect.get(error, 'code');
    const access = `unable to access '${this.url}': `;
    if (code === 'HttpError') {
      const data: unknown = Reflect.get(error, 'data');
      const status: unknown = typeof data === 'object' && data ? Reflect.get(data, 'statusCode') : undefined;
      if (status === 401 || status === 403)
        return new Fatal(
          `Authentication failed for '${this.url}'\nOnly a token in the address is known here: git remote set-url NAME https://USER:TOKEN@HOST/PATH. Programs in this workspace can read it there.`,
        );
      return new Fatal(status === 404 ? `repository '${this.url}' not found` : `${access}${error.message}`);
    }
    const isClosed = code === 'ERR_CORS' || code === 'EHOSTUNREACH';
    return new Fatal(`${access}${error.message}${isClosed ? `\n${ELSEWHERE}` : ''}`);
  }
}

/** Addresses for ssh mean the same repository by https. */
function httpAddress(url: string): string {
  const [, host, path] =
    /^(?:ssh:\/\/)(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.*)$/.exec(url) ??
    /^(?:[^/@]*@)?([\w.-]+):(?!\/\/)(.*)$/.exec(url) ??
    [];
  return host === undefined || path === undefined ? url : `https://${host}/${path.replace(/^\/+/, '')}`;
}

/** The texts of all refs that a fetch may move. */
async function rawRefs(repo: Repo): Promise<Map<string, string | undefined>> {
  const names = (await repo.refs.list()).map(([name]) => name);
  return new Map(await Promise.all(names.map(async (name) => [name, await repo.refs.raw(name)] as const)));
}

async function restoreRefs(repo: Repo, before: ReadonlyMap<string, string | undefined>): Promise<void> {
  for (const [name, text] of await rawRefs(repo)) {
    if (!before.has(name)) await repo.files.remove(`${repo.gitdir}/${name}`);
    else if (before.get(name) !== text)
      await repo.files.write(`${repo.gitdir}/${name}`, `${before.get(name) ?? ''}\n`);
  }
}
