import { FaultError } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import { comparedFiles, type ComparedFile } from '../session/compare/summary.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { CompareRequest, CompareSide, Comparison, SessionHandle } from '../ui/app.ts';
import type { SnapshotEntry, Workspace } from '../workspace/workspace.ts';
import { chooseFor } from './compare-side.ts';
import type { ConfigurationsOfApp } from './configurations.ts';
import type { Workspaces } from './workspaces.ts';

export interface ComparisonDeps {
  readonly sessions: Sessions;
  readonly workspaces: Workspaces;
  readonly configurations: Pick<ConfigurationsOfApp, 'copyTrust'>;
}

interface Tree {
  readonly entries: readonly SnapshotEntry[];
  readonly contents: ReadonlyMap<Hash, Uint8Array>;
}

interface Side {
  readonly session: Session;
  readonly workspace: Workspace;
}

const NAMES = ['A', 'B'] as const;

/**
 * Runs one prompt twice, each time in its own copy of the workspace as it is now. If that cannot begin, no copy is
 * left.
 */
export async function compare(request: CompareRequest, deps: ComparisonDeps): Promise<Comparison> {
  const start = await treeOf(await deps.workspaces.open(request.workspaceID));
  const created: string[] = [];
  try {
    const sides: Side[] = [];
    for (const [index, side] of request.sides.entries())
      sides.push(await sideOf(`${request.name} · ${NAMES[index]}`, side, { request, start, created, deps }));
    const [a, b] = sides;
    if (!a || !b) throw new FaultError({ code: 'compare', what: 'A comparison needs two sides.' });
    await Promise.all(
      sides.map(({ session }, index) => {
        const side = request.sides[index];
        return session.prompt(request.prompt, side && { model: side.model });
      }),
    );
    return new ComparisonOfApp(request, start, a, b);
  } catch (error) {
    for (const id of created) await deps.workspaces.delete(id);
    throw error;
  }
}

async function sideOf(
  name: string,
  side: CompareSide,
  of: {
    readonly request: CompareRequest;
    readonly start: Tree;
    /** The workspaces that were created for the comparison. */
    readonly created: string[];
    readonly deps: ComparisonDeps;
  },
): Promise<Side> {
  const { request, start, created } = of;
  const { workspaces, sessions, configurations } = of.deps;
  const { id } = await workspaces.create({ kind: 'embedded', name });
  created.push(id);
  const workspace = await workspaces.open(id);
  await workspace.restore(start.entries, async (hash) => contentOf(start, hash));
  // An agent may come from one of the copied files, and the new workspace has not been read yet.
  await configurations.copyTrust(request.workspaceID, id);
  const session = await sessions.create({ workspaceID: id, title: name });
  await chooseFor(session, side);
  return { session, workspace };
}

class ComparisonOfApp implements Comparison {
  readonly request: CompareRequest;
  readonly sessions: readonly [SessionHandle, SessionHandle];
  readonly #start: Tree;
  readonly #sides: readonly [Side, Side];
  #contents = new Map<Hash, Uint8Array>();
  #entries: readonly [readonly SnapshotEntry[], readonly SnapshotEntry[]] = [[], []];

  constructor(request: CompareRequest, start: Tree, a: Side, b: Side) {
    this.request = request;
    this.sessions = [a.session, b.session];
    this.#start = start;
    this.#sides = [a, b];
  }

  async files(): Promise<readonly ComparedFile[]> {
    const [a, b] = await Promise.all([treeOf(this.#sides[0].workspace), treeOf(this.#sides[1].workspace)]);
    this.#contents = new Map([...this.#start.contents, ...a.contents, ...b.contents]);
    this.#entries = [a.entries, b.entries];
    return comparedFiles(this.#start.entries, a.entries, b.entries);
  }

  texts(path: string): readonly [string | null, string | null] {
    const [a, b] = this.#entries;
    return [this.#text(a, path), this.#text(b, path)];
  }

  #text(entries: readonly SnapshotEntry[], path: string): string | null {
    const entry = entries.find((each) => each.path === path);
    if (!entry || entry.type === 'directory' || entry.type === 'ignored') return null;
    if (entry.type === 'symlink') return `-> ${entry.target}\n`;
    return new TextDecoder().decode(this.#contents.get(entry.hash));
  }
}

async function treeOf(workspace: Workspace): Promise<Tree> {
  const contents = new Map<Hash, Uint8Array>();
  const entries = await workspace.snapshot({
    missing: async (hashes) => hashes.filter((hash) => !contents.has(hash)),
    put: async (hash, bytes) => void contents.set(hash, bytes),
  });
  return { entries, contents };
}

function contentOf({ contents }: Tree, hash: Hash): Uint8Array {
  const bytes = contents.get(hash);
  if (bytes) return bytes;
  throw new FaultError({ code: 'snapshot-damaged', what: 'A file of the copy is missing.', where: hash });
}
