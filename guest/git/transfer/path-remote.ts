import type { Repo } from '../kit/repo.ts';
import { copyFolder, copyObjects } from './other.ts';
import { isAmong, type Change, type Changed, type Receiving, type Remote, type RemoteRef } from './remote.ts';

/** A repository at a path of the workspace. */
export class PathRemote implements Remote {
  readonly url: string;
  readonly usualDepth = undefined;
  readonly #other: Repo;

  constructor(url: string, other: Repo) {
    this.url = url;
    this.#other = other;
  }

  async headRef(): Promise<string | undefined> {
    return (await this.#other.refs.head()).ref;
  }

  async refs(names: readonly string[] = ['refs/']): Promise<readonly RemoteRef[]> {
    const head = await this.#other.refs.resolve('HEAD');
    const all = (await this.#other.refs.list()).map(([name, oid]) => ({ name, oid }));
    const wanted = all.filter(({ name }) => isAmong(name, names));
    return [...(head === undefined ? [] : [{ name: 'HEAD', oid: head }]), ...wanted];
  }

  async tags(repo: Repo, areAll: boolean): Promise<readonly RemoteRef[]> {
    const found: RemoteRef[] = [];
    for (const [name, oid] of await this.#other.refs.list('refs/tags/')) {
      const commit = areAll ? undefined : await this.#other.objects.peel(oid, 'commit');
      if (areAll || (commit !== undefined && (await repo.objects.has(commit)))) found.push({ name, oid });
    }
    return found;
  }

  async receive(repo: Repo, oids: readonly string[], { isClone }: Pick<Receiving, 'isClone'>): Promise<void> {
    const edge = await this.#other.objects.shallow();
    if (edge.size > 0) await repo.objects.setShallow(new Set([...(await repo.objects.shallow()), ...edge]));
    if (!isClone || !(await copyFolder(this.#other, repo))) await copyObjects(this.#other, repo, oids);
  }

  async refusal(target: string): Promise<string | undefined> {
    const isChecked =
      !this.#other.isBare &&
      (await this.#other.refs.head()).ref === target &&
      this.#other.config.get('receive.denycurrentbranch') !== 'ignore';
    return isChecked ? 'branch is currently checked out' : undefined;
  }

  async change(repo: Repo, { target, oid }: Change): Promise<Changed> {
    if (oid === undefined) await this.#other.refs.delete(target);
    else {
      await copyObjects(repo, this.#other, [oid]);
      await this.#other.refs.update(target, oid, 'push');
    }
    return {};
  }
}
