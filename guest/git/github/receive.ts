import { fromBase64 } from '../../../src/base/base64.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { asText, idOf } from '../kit/bytes.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import { parseCommit } from '../kit/objects.ts';
import type { Repo } from '../kit/repo.ts';
import type { Receiving } from '../transfer/remote.ts';
import type { Api } from './api.ts';
import { objectOf, oidOf, textOf, type Json } from './json.ts';
import { Meter } from './meter.ts';
import { commitFacts, rebuildCommit, rebuildTag, type CommitFacts } from './rebuild.ts';
import { readTree, type FileFacts, type WholeTree } from './tree-facts.ts';

/** How many files are asked for at a time. */
const AT_ONCE = 12;
/** From here on a list of commits is read instead of each one. */
const PAGE = 100;
/** Packed, a file takes about this part of its size once more. */
const PACKED = 0.4;

const POINTER = 'version https://git-lfs.github.com/spec/v1\n';

interface Plan {
  /** The oldest first. */
  readonly commits: readonly CommitFacts[];
  readonly tags: readonly { readonly oid: string; readonly bytes: Uint8Array }[];
  /** The commits whose parents stay away. */
  readonly edge: ReadonlySet<string>;
}

/**
 * Brings commits and annotated tags here with all that they consist of. Objects are written after those that they refer
 * to, so that one that is there is whole; what has come stays where the transfer breaks off.
 */
export async function receive(
  git: Git,
  repo: Repo,
  api: Api,
  wanted: readonly { readonly oid: string; readonly type: string }[],
  how: Receiving,
): Promise<void> {
  const plan = await new Planner(repo, api, how.depth).plan(wanted);
  // A commit that cannot be made anew is found out before its files are fetched.
  const commits = plan.commits.map((facts) => {
    const bytes = rebuildCommit(facts);
    if (!bytes) throw notRebuilt(facts.oid);
    return bytes;
  });
  const trees = new Map<string, WholeTree>();
  for (const { tree } of plan.commits)
    if (!trees.has(tree) && !(await repo.objects.has(tree))) trees.set(tree, await readTree(api, tree));
  const files = new Map<string, FileFacts & { readonly commit: string }>();
  for (const { oid: commit, tree } of plan.commits)
    for (const file of trees.get(tree)?.files ?? [])
      if (!files.has(file.oid)) files.set(file.oid, { ...file, commit });
  const missing = await withoutKnown(repo, [...files.values()]);
  expectRoom(api, missing);
  const count =
    plan.commits.length +
    plan.tags.length +
    [...trees.values()].reduce((sum, { trees: all }) => sum + all.length, 0);
  const meter = new Meter(git, 'Receiving objects', count + missing.length, how.progress);
  const pointers = await receiveFiles(repo, api, missing, meter);
  for (const tree of trees.values())
    // A tree stands in front of those that are in it, which have to be written before it.
    for (const { bytes } of [...tree.trees].reverse()) {
      await repo.objects.write('tree', bytes);
      await meter.add();
    }
  await writeCommits(repo, plan, commits, meter);
  await meter.end();
  await tell(
    git,
    pointers,
    [...trees.values()].flatMap(({ submodules }) => submodules),
  );
}

async function withoutKnown<File extends FileFacts>(repo: Repo, files: readonly File[]): Promise<File[]> {
  const known = await Promise.all(files.map(({ oid }) => repo.objects.has(oid)));
  return files.filter((_, at) => known[at] === false);
}

function expectRoom({ repository }: Api, files: readonly FileFacts[]): void {
  const name = `${repository.owner}/${repository.name}`;
  const large = files.find(({ size }) => size > LIMITS.exchangeBytes);
  if (large)
    throw new Fatal(
      `${large.path} has ${megabytes(large.size)} MB, and a file that is fetched may have ${megabytes(LIMITS.exchangeBytes)}.\nClone ${name} elsewhere, and add the folders that you need with "Add files".`,
    );
  const bytes = files.reduce((sum, { size }) => sum + size, 0) * (1 + PACKED);
  if (bytes > LIMITS.fileBytes)
    throw new Fatal(
      `the files of ${name} need about ${megabytes(bytes)} MB, and a workspace holds ${megabytes(LIMITS.fileBytes)}.\nClone it elsewhere, and add the folders that you need with "Add files".`,
    );
  if (files.length * 2 > LIMITS.files)
    throw new Fatal(
      `${name} has ${files.length} files, and a workspace holds ${LIMITS.files} with their git objects.\nClone it elsewhere, and add the folders that you need with "Add files".`,
    );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);

/** Answers the paths of the files that Git LFS keeps elsewhere. */
async function receiveFiles(
  repo: Repo,
  api: Api,
  files: readonly (FileFacts & { readonly commit: string })[],
  meter: Meter,
): Promise<string[]> {
  const pointers: string[] = [];
  const waiting = [...files];
  const fetchOne = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const bytes = await receiveFile(api, file);
      await repo.objects.write('blob', bytes);
      if (bytes.length < 1024 && asText(bytes).startsWith(POINTER)) pointers.push(file.path);
      await meter.add(bytes.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, fetchOne));
  } finally {
    // After a failure nothing more is begun.
    waiting.length = 0;
  }
  return pointers.sort();
}

async function receiveFile(
  api: Api,
  { oid, path, commit }: FileFacts & { readonly commit: string },
): Promise<Uint8Array> {
  const raw = await api.raw(commit, path);
  if (raw && idOf('blob', raw) === oid) return raw;
  const { content, encoding } = await api.get(`/git/blobs/${oid}`);
  if (encoding !== 'base64') throw new Fatal(`GitHub does not give ${path}: its content is missing.`);
  const bytes = fromBase64(textOf(content).replace(/\s/g, ''));
  if (idOf('blob', bytes) !== oid)
    throw new Fatal(`what GitHub gives as ${path} is not what its id ${oid} stands for.`);
  return bytes;
}

async function writeCommits(
  repo: Repo,
  { commits, tags, edge }: Plan,
  bytes: readonly Uint8Array[],
  meter: Meter,
): Promise<void> {
  const old = await repo.objects.shallow();
  const oids = new Set(commits.map(({ oid }) => oid));
  // A commit at the old edge is none any more once all of its parents are here.
  const kept: string[] = [];
  for (const oid of old) {
    const { parents } = parseCommit(oid, asText((await repo.objects.read(oid)).bytes));
    const areHere = await Promise.all(parents.map((parent) => oids.has(parent) || repo.objects.has(parent)));
    if (areHere.includes(false)) kept.push(oid);
  }
  // The edge is written first: a commit that is not at it has to have its parents.
  await repo.objects.setShallow(new Set([...old, ...edge]));
  for (const each of bytes) {
    await repo.objects.write('commit', each);
    await meter.add();
  }
  for (const tag of tags) {
    await repo.objects.write('tag', tag.bytes);
    await meter.add();
  }
  await repo.objects.setShallow(new Set([...kept, ...edge]));
}

function notRebuilt(oid: string): Fatal {
  return new Fatal(
    `commit ${oid} has parts of which GitHub's API does not tell, and cannot be made anew.\nClone the repository elsewhere, and add it with "Add files".`,
  );
}

async function tell(git: Git, pointers: readonly string[], submodules: readonly string[]): Promise<void> {
  if (pointers.length > 0)
    await git.err(
      `warning: ${pointers.length === 1 ? '1 file is' : `${pointers.length} files are`} kept by Git LFS, and here only as pointers: ${some(pointers)}\n`,
    );
  if (submodules.length > 0)
    await git.err(
      `warning: submodules are not cloned: ${some(submodules)}. Clone the repository of one into its folder.\n`,
    );
}

function some(paths: readonly string[]): string {
  const unique = [...new Set(paths)];
  return unique.slice(0, 3).join(', ') + (unique.length > 3 ? ` and ${unique.length - 3} more` : '');
}

/** Finds which commits have to come. */
class Planner {
  readonly #repo: Repo;
  readonly #api: Api;
  readonly #depth: number | undefined;
  readonly #facts = new Map<string, CommitFacts>();
  readonly #tags: { readonly oid: string; readonly bytes: Uint8Array }[] = [];

  constructor(repo: Repo, api: Api, depth: number | undefined) {
    this.#repo = repo;
    this.#api = api;
    this.#depth = depth;
  }

  async plan(wanted: readonly { readonly oid: string; readonly type: string }[]): Promise<Plan> {
    const tips: string[] = [];
    for (const { oid, type } of wanted) {
      const commit = type === 'tag' ? await this.#tagged(oid) : oid;
      if (commit !== undefined && !tips.includes(commit)) tips.push(commit);
    }
    const horizon = await this.#horizon();
    const found = new Map<string, CommitFacts>();
    const edge = new Set<string>();
    const seen = new Set<string>(tips);
    for (let front = tips, level = 1; front.length > 0; level++) {
      const next: string[] = [];
      for (const oid of front) {
        const parents = await this.#visit(oid, found);
        if (parents === undefined || parents.length === 0) continue;
        const missing = await this.#missing(parents, seen);
        const isCut =
          missing.length > 0 &&
          (this.#depth === undefined
            ? (this.#facts.get(oid)?.committer.time ?? Infinity) <= horizon
            : level >= this.#depth);
        if (isCut) {
          edge.add(oid);
          continue;
        }
        const fresh = parents.filter((parent) => !seen.has(parent));
        for (const parent of fresh) seen.add(parent);
        next.push(...fresh);
      }
      front = next;
    }
    return { commits: parentsFirst(found), tags: this.#tags, edge };
  }

  /** Answers the parents that are to be visited; undefined where the commit is here with all that it leads to. */
  async #visit(oid: string, found: Map<string, CommitFacts>): Promise<readonly string[] | undefined> {
    if (await this.#repo.objects.has(oid)) {
      if (this.#depth === undefined) return undefined;
      // A greater depth goes on behind the edge.
      return parseCommit(oid, asText((await this.#repo.objects.read(oid)).bytes)).parents;
    }
    const facts = await this.#factsOf(oid);
    found.set(oid, facts);
    return facts.parents;
  }

  async #missing(parents: readonly string[], seen: ReadonlySet<string>): Promise<string[]> {
    const here = await Promise.all(parents.map((oid) => seen.has(oid) || this.#repo.objects.has(oid)));
    return parents.filter((_, at) => here[at] === false);
  }

  async #factsOf(oid: string): Promise<CommitFacts> {
    const known = this.#facts.get(oid);
    if (known) return known;
    if (this.#depth === 1) {
      const facts = commitFacts(await this.#api.get(`/git/commits/${oid}`));
      this.#facts.set(oid, facts);
      return facts;
    }
    const count = Math.min(PAGE, this.#depth ?? PAGE);
    const page = await this.#api.find(`/commits?sha=${oid}&per_page=${count}`);
    for (const each of Array.isArray(page) ? (page as Json[]) : []) {
      const facts = commitFacts(objectOf(each));
      this.#facts.set(facts.oid, facts);
    }
    const facts = this.#facts.get(oid) ?? commitFacts(await this.#api.get(`/git/commits/${oid}`));
    this.#facts.set(oid, facts);
    return facts;
  }

  /** Reads an annotated tag, and answers the commit that it leads to. */
  async #tagged(oid: string): Promise<string | undefined> {
    const answer = await this.#api.get(`/git/tags/${oid}`);
    const bytes = rebuildTag(answer);
    if (!bytes) throw notRebuilt(oid);
    this.#tags.unshift({ oid, bytes });
    const { sha, type } = objectOf(answer.object);
    if (type === 'tag') return this.#tagged(oidOf(sha));
    return type === 'commit' ? oidOf(sha) : undefined;
  }

  /** The time of the oldest commit at the edge of this clone: older history stays away. */
  async #horizon(): Promise<number> {
    const times: number[] = [];
    for (const oid of await this.#repo.objects.shallow())
      times.push((await this.#repo.objects.commit(oid)).committer.time);
    return times.length === 0 ? -Infinity : Math.min(...times);
  }
}

function parentsFirst(found: ReadonlyMap<string, CommitFacts>): CommitFacts[] {
  const ordered: CommitFacts[] = [];
  const done = new Set<string>();
  const stack = [...found.keys()];
  for (let oid = stack.at(-1); oid !== undefined; oid = stack.at(-1)) {
    const facts = found.get(oid);
    const before = done.has(oid)
      ? []
      : (facts?.parents.filter((parent) => found.has(parent) && !done.has(parent)) ?? []);
    if (before.length > 0) {
      stack.push(...before);
      continue;
    }
    stack.pop();
    if (facts && !done.has(oid)) ordered.push(facts);
    done.add(oid);
  }
  return ordered;
}
