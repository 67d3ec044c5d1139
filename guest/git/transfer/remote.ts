import type { Repo } from '../kit/repo.ts';

export interface RemoteRef {
  /** Full, or `HEAD`. */
  readonly name: string;
  readonly oid: string;
}

export interface Receiving {
  /** How many commits of each line of history come; without it, all that are missing. */
  readonly depth?: number | undefined;
  readonly progress: boolean;
  /** The repository is being cloned, so that everything may come that the other one has. */
  readonly isClone?: boolean;
}

/** A ref of the other repository that is to point elsewhere. */
export interface Change {
  readonly target: string;
  /** Undefined to delete it. */
  readonly oid: string | undefined;
  readonly before: string | undefined;
  readonly isForced: boolean;
  readonly progress: boolean;
}

export interface Changed {
  /** Why the other side does not do it. */
  readonly refusal?: string;
  /** The id that the other side gave to the commit, where it made another one of it. */
  readonly oid?: string;
  /** The lines that the other side prints about the change. */
  readonly says?: readonly string[];
}

/** A repository with which commits are exchanged. */
export interface Remote {
  /** The address, in the form in which commands print it. */
  readonly url: string;
  /** How much a clone brings where nothing is said: all history where it is undefined. */
  readonly usualDepth: number | undefined;
  /** The branch that HEAD names; undefined where it is on none. */
  headRef(): Promise<string | undefined>;
  /** HEAD and the refs with these names, or below them where they end with a slash. All branches and tags by default. */
  refs(names?: readonly string[]): Promise<readonly RemoteRef[]>;
  /** The tags that come along by themselves: those of commits that are in `repo`, or all. */
  tags(repo: Repo, areAll: boolean): Promise<readonly RemoteRef[]>;
  /** Brings these objects into `repo`, with all that they lead to. */
  receive(repo: Repo, oids: readonly string[], how: Receiving): Promise<void>;
  /** Why nothing may be changed at this ref, if so. */
  refusal(target: string): Promise<string | undefined>;
  change(repo: Repo, change: Change): Promise<Changed>;
}

/** Whether a ref is among names, or below one that ends with a slash. */
export function isAmong(ref: string, names: readonly string[]): boolean {
  return names.some((name) => (name.endsWith('/') ? ref.startsWith(name) : ref === name));
}
