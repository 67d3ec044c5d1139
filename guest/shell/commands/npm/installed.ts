import type { ProgramCall } from '../../program.ts';
import { manifestAt, parentOf, type Manifest, type Project } from './project.ts';
import { satisfies } from './satisfies.ts';

export interface Installed {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly isRoot?: true;
}

/** What a package asks for, and what answers it. */
export interface Edge {
  readonly name: string;
  readonly range: string;
  readonly found: Installed | undefined;
  readonly valid: boolean;
  /** May be missing. */
  readonly optional: boolean;
  /** Of `devDependencies`. */
  readonly dev: boolean;
}

/** The packages that lie in the project's `node_modules`, and who asks for whom. */
export class Tree {
  readonly packages = new Map<string, Installed>();
  readonly root: Installed;

  private constructor({ folder, manifest }: Project) {
    const name = manifest.name ?? folder.slice(folder.lastIndexOf('/') + 1);
    this.root = { name, folder, manifest, isRoot: true };
  }

  static async of(call: ProgramCall, project: Project): Promise<Tree> {
    const tree = new Tree(project);
    await tree.#read(call, `${project.folder}/node_modules`);
    return tree;
  }

  async #read(call: ProgramCall, modules: string): Promise<void> {
    for (const name of await namesIn(call, modules)) {
      const folder = `${modules}/${name}`;
      const manifest = await manifestAt(call, folder);
      if (!manifest) continue;
      this.packages.set(folder, { name, folder, manifest });
      await this.#read(call, `${folder}/node_modules`);
    }
  }

  edges(of: Installed): Edge[] {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      of.manifest;
    const asked = {
      ...peerDependencies,
      ...(of === this.root ? devDependencies : undefined),
      ...dependencies,
      ...optionalDependencies,
    };
    return Object.entries(asked)
      .sort(([a], [b]) => a.localeCompare(b, 'en'))
      .flatMap(([name, range]) => {
        const found = this.#find(name, of.folder);
        const optional = optionalDependencies?.[name] !== undefined;
        if (!found && peerDependenciesMeta?.[name]?.optional === true) return [];
        const valid = !found || satisfies(found.manifest.version ?? '0.0.0', range);
        const dev = dependencies?.[name] === undefined && devDependencies?.[name] !== undefined && !optional;
        return [{ name, range, found, valid, optional, dev }];
      });
  }

  /** As node would, from the folder of the package that asks. */
  #find(name: string, from: string): Installed | undefined {
    for (let folder = from; ; folder = parentOf(folder)) {
      const found = this.packages.get(`${folder}/node_modules/${name}`);
      if (found || folder === '/') return found;
    }
  }

  /** Those that nobody asks for. */
  extraneous(): Installed[] {
    const asked = new Set<Installed>([this.root]);
    for (const one of asked) for (const { found } of this.edges(one)) if (found) asked.add(found);
    return [...this.packages.values()].filter((one) => !asked.has(one));
  }
}

async function namesIn(call: ProgramCall, modules: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of [...(await call.files.readdir(modules).catch(() => []))].sort()) {
    if (name.startsWith('.')) continue;
    if (!name.startsWith('@')) names.push(name);
    else for (const inner of await call.files.readdir(`${modules}/${name}`)) names.push(`${name}/${inner}`);
  }
  return names;
}
