import { fromRoot } from '../protocol/paths.ts';
import { visibilityTest } from '../protocol/visibility.ts';
import { ROOT, type Entry, type Visibility, type Workspace } from '../workspace/workspace.ts';

/** Access to the configuration files of one source: a workspace, or the person's own files. */
export interface ConfigFiles {
  /** Goes in front of paths where they are shown. */
  readonly prefix: string;
  /** Returns `null` if there is no such file. Rejects if it cannot be read. */
  read(path: string): Promise<string | null>;
  /** Like `read`, for text that a model will see: also `null` if the rules hide the file. */
  readShown(path: string): Promise<string | null>;
  /** The paths of the files that match a glob. */
  match(glob: string): Promise<readonly string[]>;
  /** The paths of the files directly in a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /** A text that differs from the previous one when a file may have changed. */
  stamp(): Promise<string>;
}

/** In order of strength: later files override earlier ones. */
const CONFIG_FILES = ['opencode.json', 'opencode.jsonc'];
const FOLDER = '.opencode';

export interface Layout {
  readonly configs: readonly string[];
  readonly agents: readonly string[];
  readonly commands: readonly string[];
  /** Only the first of these files that exists is read. */
  readonly instructions: readonly string[];
}

export const WORKSPACE_LAYOUT: Layout = {
  configs: [...CONFIG_FILES, ...CONFIG_FILES.map((name) => `${FOLDER}/${name}`), `${FOLDER}/config.toml`],
  agents: [`${FOLDER}/agent`, `${FOLDER}/agents`],
  commands: [`${FOLDER}/command`, `${FOLDER}/commands`],
  instructions: ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'],
};

export const OWN_LAYOUT: Layout = {
  configs: [...CONFIG_FILES, 'config.toml'],
  agents: ['agent', 'agents'],
  commands: ['command', 'commands'],
  instructions: ['AGENTS.md', 'CLAUDE.md'],
};

const OWN_IN_FOLDERS =
  /^(?:(?:agents?|commands?)\/[^/]+\.md|(?:tools?|plugins?)\/[^/]+\.[cm]?[jt]s|skills?\/(?:.+\/)?SKILL\.md)$/;

/** Whether one of the person's own files has an effect by its name; others have one where a file names them. */
export function isUsedByName(path: string): boolean {
  return [...OWN_LAYOUT.configs, ...OWN_LAYOUT.instructions].includes(path) || OWN_IN_FOLDERS.test(path);
}

/** The names in a workspace's root that can configure it. */
const AT_TOP: readonly string[] = [...CONFIG_FILES, FOLDER, ...WORKSPACE_LAYOUT.instructions];

/** Whether a file of the workspace, given by its absolute path, may be part of its configuration. */
export function configures(path: string): boolean {
  if (!path.startsWith(`${ROOT}/`)) return false;
  const [name = '', ...rest] = fromRoot(path).split('/');
  return AT_TOP.includes(name) && (rest.length === 0 || name === FOLDER);
}

/** Size limit of a configuration file, in bytes; a longer file is not read. */
export const MAX_BYTES = 256 * 1024;

/** How many files a glob may match. */
const MAX_MATCHES = 50;
const TIMEOUT_MS = 5_000;

const FOLDERS = ['agent', 'agents', 'command', 'commands', 'tool', 'tools', 'plugin', 'plugins'];

/** The files of a workspace. Folders behind links are not followed, since their files may belong to another place. */
export function workspaceConfigFiles(workspace: Workspace, visibility: () => Visibility): ConfigFiles {
  const { files } = workspace;

  async function entriesOf(folder: string): Promise<readonly Entry[]> {
    const path = folder === '' ? ROOT : `${ROOT}/${folder}`;
    return files.list(path, { real: true }).catch(() => []);
  }

  async function read(path: string): Promise<string | null> {
    const full = `${ROOT}/${path}`;
    const stat = await files.stat(full);
    if (stat?.type !== 'file') return null;
    if (stat.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024} KiB`);
    return new TextDecoder().decode(await files.read(full));
  }

  return {
    prefix: '',
    read,
    async readShown(path) {
      const full = `${ROOT}/${path}`;
      const isVisible = visibilityTest(visibility());
      if (!isVisible(full) || !isVisible(await files.resolve(full))) return null;
      return read(path);
    },
    async match(glob) {
      if (!/[*?[{]/.test(glob)) return [glob.replace(/^\.\//, '')];
      const { paths } = await workspace.search.glob({
        pattern: glob,
        limit: MAX_MATCHES,
        visibility: visibility(),
        timeoutMs: TIMEOUT_MS,
      });
      return paths.map((path) => path.slice(ROOT.length + 1)).sort();
    },
    list: async (folder) =>
      (await entriesOf(folder)).flatMap(({ name, type }) => (type === 'file' ? `${folder}/${name}` : [])),
    async stamp() {
      const top = await entriesOf('');
      const known = top.filter(({ name }) => AT_TOP.includes(name));
      const inside = known.some(({ name }) => name === FOLDER) ? await entriesOf(FOLDER) : [];
      const folders = inside.flatMap(({ name, type }) =>
        type === 'directory' && FOLDERS.includes(name) ? `${FOLDER}/${name}` : [],
      );
      const below = await Promise.all(folders.map(entriesOf));
      return [known, inside, ...below]
        .flatMap((entries) =>
          entries.map(({ name, type, size, modified }) => `${name} ${type} ${size} ${modified}`),
        )
        .join('\n');
    },
  };
}

/** The person's own files, which are kept as texts by path. */
export function ownConfigFiles(texts: () => Readonly<Record<string, string>>, prefix: string): ConfigFiles {
  const read = async (path: string) => (Object.hasOwn(texts(), path) ? (texts()[path] ?? null) : null);
  return {
    prefix,
    read,
    readShown: read,
    match: async (glob) => [glob.replace(/^\.\//, '')],
    list: async (folder) =>
      Object.keys(texts())
        .filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'))
        .sort(),
    stamp: async () => JSON.stringify(texts()),
  };
}
