import type { Git } from '../kit/git.ts';
import { isGoodRefName } from '../kit/refs.ts';
import type { Repo } from '../kit/repo.ts';
import type { Change, Changed, Receiving, Remote, RemoteRef } from '../transfer/remote.ts';
import { EmptyRepository, type Api } from './api.ts';
import { listOf, objectOf, oidOf, textOf, type Json } from './json.ts';
import { receive } from './receive.ts';
import { sendCommits, sendTag } from './send.ts';

/** A repository at GitHub, reached by its REST API. */
export class GitHubRemote implements Remote {
  readonly url: string;
  /** Every commit costs two requests, of which there are only so many an hour. */
  readonly usualDepth = 1;
  readonly #git: Git;
  readonly #api: Api;
  readonly #types = new Map<string, string>();
  #about: Promise<Json> | undefined;

  constructor(git: Git, api: Api, url: string) {
    this.url = url;
    this.#git = git;
    this.#api = api;
  }

  async headRef(): Promise<string | undefined> {
    this.#about ??= this.#api.about();
    return `refs/heads/${textOf((await this.#about).default_branch)}`;
  }

  async refs(names: readonly string[] = ['refs/heads/', 'refs/tags/']): Promise<readonly RemoteRef[]> {
    const head = await this.headRef();
    const found = new Map<string, string>();
    try {
      for (const name of new Set([...(head === undefined ? [] : [head]), ...names]))
        for (const ref of await this.#refsAt(name)) found.set(ref.name, ref.oid);
    } catch (error) {
      if (error instanceof EmptyRepository) return [];
      throw error;
    }
    const oid = head === undefined ? undefined : found.get(head);
    const all = [...found].map(([name, each]) => ({ name, oid: each }));
    return [...(oid === undefined ? [] : [{ name: 'HEAD', oid }]), ...all];
  }

  async #refsAt(name: string): Promise<RemoteRef[]> {
    const short = name.replace(/^refs\//, '');
    const listed = name.endsWith('/')
      ? listOf(await this.#api.all(`/git/matching-refs/${encoded(short)}`))
      : [await this.#api.find(`/git/ref/${encoded(short)}`)].flatMap((one) => (one ? [objectOf(one)] : []));
    return listed.flatMap(({ ref, object }) => {
      const { sha, type } = objectOf(object);
      const full = textOf(ref);
      if (!full.startsWith('refs/') || !isGoodRefName(full)) return [];
      this.#types.set(oidOf(sha), textOf(type));
      return [{ name: full, oid: oidOf(sha) }];
    });
  }

  /** To find out which commit an annotated tag stands for costs a request each, so tags come only where they are asked for. */
  async tags(_repo: Repo, areAll: boolean): Promise<readonly RemoteRef[]> {
    return areAll ? this.#refsAt('refs/tags/') : [];
  }

  async receive(repo: Repo, oids: readonly string[], how: Receiving): Promise<void> {
    const wanted = oids.map((oid) => ({ oid, type: this.#types.get(oid) ?? 'commit' }));
    await receive(this.#git, repo, this.#api, wanted, how);
  }

  async refusal(): Promise<string | undefined> {
    return undefined;
  }

  async change(repo: Repo, change: Change): Promise<Changed> {
    const { target, oid, before, isForced } = change;
    const place = `/git/refs/${encoded(target.replace(/^refs\//, ''))}`;
    if (oid === undefined) return this.#changed(await this.#api.send(place, 'DELETE'));
    // So that a person who may not write to the repository learns it before anything is sent.
    this.#api.mayWrite();
    const sent = await this.#send(repo, oid, change.progress);
    const answer =
      before === undefined
        ? await this.#api.send('/git/refs', 'POST', { ref: target, sha: sent })
        : await this.#api.send(place, 'PATCH', { sha: sent, force: isForced });
    const changed = this.#changed(answer);
    if (changed.refusal !== undefined) return changed;
    const branch = target.replace(/^refs\/heads\//, '');
    const isNew = before === undefined && branch !== target && target !== (await this.headRef());
    return {
      ...(sent !== oid && { oid: sent }),
      ...(isNew && {
        says: [
          '',
          `Create a pull request for '${branch}' on GitHub by visiting:`,
          `     ${this.#api.url}/pull/new/${encoded(branch)}`,
          '',
        ],
      }),
    };
  }

  /** Answers the id that GitHub gave to what was sent. */
  async #send(repo: Repo, oid: string, progress: boolean): Promise<string> {
    const { type } = await repo.objects.read(oid);
    const there = (await this.refs()).map((ref) => ref.oid);
    const commit = await repo.objects.peel(oid, 'commit');
    if (commit === undefined) return oid;
    const sent = await sendCommits(this.#git, repo, this.#api, { oid: commit, there, progress });
    return type === 'tag' ? sendTag(repo, this.#api, oid, sent) : sent;
  }

  #changed(answer: { readonly status: number; readonly bytes: Uint8Array }): Changed {
    if (answer.status < 300) return {};
    const said = this.#api.reason(answer);
    if (answer.status === 404)
      return {
        refusal: 'not found, or the GitHub token under Settings, Tools and servers has no right to change it',
      };
    return { refusal: /fast.forward/i.test(said) ? 'non-fast-forward' : said };
  }
}

function encoded(ref: string): string {
  return ref.split('/').map(encodeURIComponent).join('/');
}
