import { toBase64 } from '../../../src/base/base64.ts';
import { asText, type ObjectType } from '../kit/bytes.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import { MODE, parseCommit, parseTag } from '../kit/objects.ts';
import type { Person } from '../kit/person.ts';
import type { Repo } from '../kit/repo.ts';
import { treePairs } from '../kit/trees.ts';
import { walk } from '../kit/walk.ts';
import type { Api } from './api.ts';
import { oidOf, type Json } from './json.ts';
import { Meter } from './meter.ts';
import { commitFacts, rebuildCommit } from './rebuild.ts';

export interface Sending {
  readonly oid: string;
  /** The ids that the refs of the other side have. */
  readonly there: readonly string[];
  readonly progress: boolean;
}

/** Text up to this size goes along with the list of changed files; other files are sent one by one. */
const INLINE_BYTES = 100_000;
/** GitHub takes no blob above this size. */
const MOST_BYTES = 40 * 2 ** 20;

/**
 * Makes commits at GitHub, the oldest first: for each one a request for its changed files and one for the commit. Returns
 * the id that GitHub gave to the last one. It differs where GitHub writes a commit otherwise than git did; the commit as
 * GitHub has it is then in `repo`.
 */
export async function sendCommits(
  git: Git,
  repo: Repo,
  api: Api,
  { oid, there, progress }: Sending,
): Promise<string> {
  const known: string[] = [...(await repo.objects.shallow())];
  for (const each of there) if (await repo.objects.has(each)) known.push(each);
  const exclude: string[] = [];
  for (const each of known) {
    const commit = await repo.objects.peel(each, 'commit');
    if (commit !== undefined) exclude.push(commit);
  }
  const commits: string[] = [];
  for await (const commit of walk(repo, { include: [oid], exclude, order: 'topo' }))
    commits.unshift(commit.oid);
  const meter = new Meter(git, 'Writing objects', commits.length, progress);
  const made = new Map<string, string>();
  for (const commit of commits) {
    made.set(commit, await sendCommit(repo, api, commit, made));
    await meter.add();
  }
  await meter.end();
  return made.get(oid) ?? oid;
}

async function sendCommit(
  repo: Repo,
  api: Api,
  oid: string,
  made: ReadonlyMap<string, string>,
): Promise<string> {
  const text = asText((await repo.objects.read(oid)).bytes);
  const commit = parseCommit(oid, text);
  const parents = commit.parents.map((parent) => made.get(parent) ?? parent);
  await sendTree(repo, api, commit.tree, commit.parents[0]);
  const isSame = parents.every((parent, at) => parent === commit.parents[at]);
  const signature = isSame ? signatureOf(text) : undefined;
  const answer = await api.post('/git/commits', {
    message: commit.message,
    tree: commit.tree,
    parents,
    author: personOf(commit.author),
    committer: personOf(commit.committer),
    ...(signature !== undefined && { signature }),
  });
  const sha = oidOf(answer.sha);
  if (sha === oid) return oid;
  const bytes = rebuildCommit(commitFacts(answer));
  if (!bytes)
    throw new Fatal(`GitHub made another commit of ${oid}: ${sha}. Fetch the branch, and push again.`);
  return repo.objects.write('commit', bytes);
}

/** Makes a tree at GitHub out of that of a commit which is there already. */
async function sendTree(repo: Repo, api: Api, tree: string, parent: string | undefined): Promise<void> {
  const base = parent === undefined ? undefined : (await repo.objects.commit(parent)).tree;
  if (tree === base) return;
  const pairs = await treePairs(repo.objects, base, tree);
  const entries: Json[] = [];
  for (const { path, after } of pairs) {
    if (!after) entries.push({ path, mode: '100644', type: 'blob', sha: null });
    else
      entries.push({
        path,
        mode: after.mode.toString(8).padStart(6, '0'),
        ...(await contentOf(repo, api, path, after)),
      });
  }
  if (entries.length === 0) throw new Fatal('a commit without any files cannot be made by GitHub’s API.');
  const answer = await api.post('/git/trees', {
    tree: entries,
    ...(base !== undefined && { base_tree: base }),
  });
  if (oidOf(answer.sha) !== tree) throw new Fatal(`GitHub made another folder of ${tree}. Push again.`);
}

async function contentOf(
  repo: Repo,
  api: Api,
  path: string,
  { mode, oid }: { readonly mode: number; readonly oid: string },
): Promise<Json> {
  if (mode === MODE.submodule) return { type: 'commit', sha: oid };
  const bytes = await repo.objects.blob(oid);
  if (bytes.length > MOST_BYTES)
    throw new Fatal(
      `${path} has ${Math.ceil(bytes.length / 2 ** 20)} MB, and GitHub's API takes ${MOST_BYTES / 2 ** 20}.\nTake it out of the commits, or push with git elsewhere.`,
    );
  const text = bytes.length <= INLINE_BYTES ? exactText(bytes) : undefined;
  if (text !== undefined) return { type: 'blob', content: text };
  const { sha } = await api.post('/git/blobs', { content: toBase64(bytes), encoding: 'base64' });
  if (oidOf(sha) !== oid) throw new Fatal(`GitHub made another file of ${path}. Push again.`);
  return { type: 'blob', sha: oid };
}

/** Undefined where the bytes are no UTF-8, which would come back changed. */
function exactText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') || text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The time with its offset from UTC: `2026-01-31T10:00:00+01:00`. */
function personOf({ name, email, time, zone }: Person): Json {
  const sign = zone.startsWith('-') ? -1 : 1;
  const offset = sign * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(3, 5)) * 60);
  const local = new Date((time + offset) * 1000).toISOString().slice(0, 19);
  return { name, email, date: `${local}${offset === 0 ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`}` };
}

function signatureOf(text: string): string | undefined {
  const [, first, rest = ''] =
    /^gpgsig (.*)\n((?: .*\n)*)/m.exec(text.slice(0, text.indexOf('\n\n') + 1)) ?? [];
  return first === undefined ? undefined : `${first}\n${rest.replace(/^ /gm, '')}`;
}

/** Makes an annotated tag at GitHub. Returns its id there. */
export async function sendTag(repo: Repo, api: Api, oid: string, commit: string): Promise<string> {
  const tag = parseTag(asText((await repo.objects.read(oid)).bytes));
  const type: ObjectType = 'commit';
  const answer = await api.post('/git/tags', {
    tag: tag.name,
    message: tag.message,
    object: commit,
    type,
    ...(tag.tagger && { tagger: personOf(tag.tagger) }),
  });
  return oidOf(answer.sha);
}
