import type { ProgramCall } from '../../program.ts';
import { manifestAt, parentOf, type Manifest, type Project } from './project.ts';
import { satisfies } from './satisfies.ts';

export interface Installed {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly isRoot?: true;
}

/** A dependency of a package, and the installed package that satisfies it. */
export interface Edge {
  readonly name: string;
  readonly range: string;
  readonly found: Installed | undefined;
  readonly valid: boolean;
  /** True where the dependency may be missing. */
  readonly optional: boolean;
  /** True for a dependency from `devDependencies`. */
  readonly dev: boolean;
}

/** The packages in the project's `node_modules`, and their dependencies on each other. */
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

  /** Finds a package like node does, from the folder of the package that depends on it. */
  #find(name: string, from: string): Installed | undefined {
    for (let folder = from; ; folder = parentOf(folder)) {
      const found = this.packages.get(`${folder}/node_modules/${name}`);
      if (found || folder === '/') return found;
    }
  }

  /** The packages that the project depends on neither directly nor through other packages. */
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
