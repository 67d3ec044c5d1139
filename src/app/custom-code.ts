import { asSentence } from '../base/sentence.ts';
import { faultOf } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { lazily } from '../base/lazily.ts';
import type { Timer } from '../base/timer.ts';
import type { CustomCodeFindings } from '../config/setup.ts';
import type { FilePlugin } from '../config/contents.ts';
import type { Problem } from '../config/parse.ts';
import { codeIn, type Code, type Sources } from '../extensions/custom/code.ts';
import type { CustomTools } from '../extensions/custom/custom-tools.ts';
import { hostProgram } from '../extensions/custom/program.ts';
import type { LoadProblem } from '../protocol/custom-tools.ts';
import type { ServiceDeps } from '../extensions/custom/services.ts';
import { OWN_FILES } from '../base/places.ts';
import type { SourcedRule } from '../permissions/rules.ts';
import type { ToolHooks } from '../tools/hooks.ts';
import { ownEntries, type OwnFiles } from '../tools/own-files.ts';
import type { ToolInfo } from '../tools/tool.ts';
import { ROOT, type Workspace } from '../workspace/workspace.ts';

const FOLDER = `${ROOT}/.opencode`;

const loadCustomTools = lazily(() => import('../extensions/custom/custom-tools.ts'));

export interface CustomCodeDeps extends ServiceDeps {
  readonly timer: Timer;
  readonly workspace: Workspace;
  own(): OwnFiles;
  rules(): readonly SourcedRule[];
}

/** The custom tools and plugins of one workspace and of the person: finds them, and loads them once that is allowed. */
export class CustomCode {
  readonly #deps: CustomCodeDeps;
  /** Absent until there is code to load. */
  #custom: CustomTools | undefined;
  #used: Code | null = null;
  #notLoaded: LoadProblem | undefined;
  #mine: Code | null = null;
  #theirs: Code | null = null;

  constructor(deps: CustomCodeDeps) {
    this.#deps = deps;
  }

  /** Searches again for all custom tools and plugins. */
  async find(plugins: {
    readonly own: readonly FilePlugin[];
    readonly workspace: readonly FilePlugin[];
  }): Promise<CustomCodeFindings> {
    const { workspace, own } = this.#deps;
    this.#mine = await codeIn(ownSources(own), OWN_FILES, OWN_FILES, withPaths(plugins.own, OWN_FILES));
    this.#theirs = await codeIn(
      workspaceSources(workspace),
      FOLDER,
      ROOT,
      withPaths(plugins.workspace, ROOT),
    );
    const { modules, problems, entries } = this.#theirs;
    const isUnsupported =
      workspace.kind !== 'embedded' && (entries.length > 0 || this.#mine.entries.length > 0);
    return {
      grants: this.#theirs.grants,
      namesOthers: modules.some(({ path }) => !OWN_FOLDERS.test(path)),
      problems: [
        ...[...this.#mine.problems, ...problems].map(problemOf),
        ...(isUnsupported ? [NOT_HERE] : []),
      ],
    };
  }

  /** Loads the code that was found; the workspace's own only if it is trusted. */
  use(trusted: boolean): void {
    const codes = [this.#mine, trusted ? this.#theirs : null].filter((code) => code !== null);
    const isHere = this.#deps.workspace.kind === 'embedded';
    this.#used =
      isHere && codes.some(({ entries }) => entries.length > 0)
        ? {
            entries: codes.flatMap(({ entries }) => entries),
            modules: codes.flatMap(({ modules }) => modules),
            // `find` tells the problems of reading the files, trusted or not.
            problems: [],
            grants: [],
          }
        : null;
    this.#custom?.use(this.#used);
  }

  /** The tools on offer now. Empty where they cannot be loaded; {@link problems} then says why. */
  async tools(): Promise<readonly ToolInfo[]> {
    if (!this.#custom && !this.#used) return [];
    try {
      const { CustomTools } = await loadCustomTools();
      this.#notLoaded = undefined;
      this.#custom ??= new CustomTools({ ...this.#deps, program: hostProgram });
    } catch (error) {
      this.#notLoaded = { path: FOLDER, message: faultOf(error).what };
      return [];
    }
    this.#custom.use(this.#used);
    return this.#custom.tools();
  }

  /** The hooks of the plugins that are loaded. */
  get hooks(): ToolHooks | undefined {
    return this.#custom?.hooks;
  }

  close(): void {
    this.#custom?.close();
  }

  /** The problems of the last load. */
  get problems(): readonly Problem[] {
    const problems = this.#notLoaded ? [this.#notLoaded] : (this.#custom?.problems ?? []);
    return problems.map(problemOf);
  }
}

/** Files whose changes are noticed without watching them separately. */
const OWN_FOLDERS = new RegExp(`^${FOLDER}/(?:(?:tools?|plugins?)/)?[^/]+$`);

const NOT_HERE: Problem = {
  file: '.opencode',
  what: 'Custom tools and plugins run in embedded workspaces only.',
  next: 'Use them in a new workspace of that kind.',
};

function problemOf({ path, message }: { readonly path: string; readonly message: string }): Problem {
  const file = path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : path.replace(/^\/home\//, '~/');
  return {
    file,
    what: asSentence(`It could not be loaded: ${message}`),
    failed: true,
    next: 'Vitrine tries again when the file changes.',
  };
}

function withPaths(plugins: readonly FilePlugin[], root: string) {
  return plugins.map(({ path, options }) => ({
    path: path.startsWith('/') ? path : `${root}/${path.replace(/^\.\//, '')}`,
    ...(options && { options: options as JsonObject satisfies Json }),
  }));
}

function workspaceSources({ files }: Workspace): Sources {
  return {
    async read(path) {
      const stat = await files.stat(path);
      return stat?.type === 'file' ? new TextDecoder().decode(await files.read(path, { real: true })) : null;
    },
    list: async (folder) =>
      (await files.list(folder, { real: true }).catch(() => [])).map(({ name }) => name),
  };
}

function ownSources(own: () => OwnFiles): Sources {
  const below = (path: string) => (path === OWN_FILES ? '' : path.slice(OWN_FILES.length + 1));
  return {
    read: async (path) => (Object.hasOwn(own(), below(path)) ? (own()[below(path)] ?? null) : null),
    list: async (folder) => ownEntries(own(), below(folder)).map(({ name }) => name),
  };
}
