import type { Painter } from '../kit/paint.ts';
import type { Repo } from '../kit/repo.ts';

interface Name {
  readonly kind: 'head' | 'tag' | 'remote' | 'branch' | 'other';
  readonly text: string;
}

const COLOURS: Readonly<Record<Name['kind'], string>> = {
  head: 'bold cyan',
  tag: 'bold yellow',
  remote: 'bold red',
  branch: 'bold green',
  other: 'bold magenta',
};

/** The names that commits have, as `git log --decorate` shows them. */
export class Decorations {
  readonly #names: ReadonlyMap<string, readonly Name[]>;

  private constructor(names: ReadonlyMap<string, readonly Name[]>) {
    this.#names = names;
  }

  static async of(repo: Repo, full: boolean): Promise<Decorations> {
    const names = new Map<string, Name[]>();
    const add = (oid: string, name: Name) => names.set(oid, [name, ...(names.get(oid) ?? [])]);
    const head = await repo.refs.head();
    for (const [ref, oid] of await repo.refs.list()) {
      const [, folder = '', rest = ref] = /^refs\/(heads|tags|remotes)\/(.*)$/.exec(ref) ?? [];
      const kind =
        folder === 'heads' ? 'branch' : folder === 'tags' ? 'tag' : folder === 'remotes' ? 'remote' : 'other';
      if (kind === 'other' && ref !== 'refs/stash') continue;
      if (ref === head.ref) continue;
      const commit = kind === 'tag' ? ((await repo.objects.peel(oid, 'any')) ?? oid) : oid;
      const short = kind === 'other' || full ? ref : rest;
      add(commit, { kind, text: `${kind === 'tag' ? 'tag: ' : ''}${short}` });
    }
    if (head.oid !== undefined) {
      const branch =
        head.ref === undefined ? undefined : full ? head.ref : head.ref.replace(/^refs\/heads\//, '');
      if (branch !== undefined) add(head.oid, { kind: 'branch', text: branch });
      add(head.oid, { kind: 'head', text: branch === undefined ? 'HEAD' : 'HEAD -> ' });
    }
    for (const oid of await repo.objects.shallow()) add(oid, { kind: 'other', text: 'grafted' });
    return new Decorations(names);
  }

  /** The names in parentheses behind a blank; empty where the commit has none. */
  text(oid: string, painter: Painter | undefined): string {
    const inner = this.inner(oid, painter);
    if (inner === '') return '';
    const mark = (text: string) => painter?.paint('yellow', text) ?? text;
    return `${mark(' (')}${inner}${mark(')')}`;
  }

  inner(oid: string, painter?: Painter): string {
    const names = this.#names.get(oid) ?? [];
    const paint = (kind: Name['kind'], text: string) => painter?.paint(COLOURS[kind], text) ?? text;
    const between = painter?.paint('yellow', ', ') ?? ', ';
    return names
      .map(({ kind, text }, at) => `${at > 0 && !isArrow(names[at - 1]) ? between : ''}${paint(kind, text)}`)
      .join('');
  }
}

function isArrow(name: Name | undefined): boolean {
  return name?.text === 'HEAD -> ';
}
