import { InMemoryFs, type InitialFiles } from 'just-bash/browser';
import { joined } from '../../guest/shell/kit/io.ts';
import { runShell, type ShellInput, type ShellPrograms } from '../../guest/shell/engine.ts';

export interface ShellRun {
  readonly output: string;
  readonly chunks: readonly string[];
  readonly bytes: Uint8Array;
  readonly code: number;
  readonly cwd: string;
  readonly files: InMemoryFs;
}

export interface ShellSetting {
  readonly files?: InitialFiles | InMemoryFs;
  readonly env?: Record<string, string>;
  readonly stdin?: ShellInput | string;
  readonly cwd?: string;
  readonly columns?: number;
  output?(chunk: string): void;
  readonly lingerMs?: number;
  readonly programs?: ShellPrograms;
  aborted?(): boolean;
}

export const ROOT = '/home/project';

/** Runs a script over files in memory, relative names being in the root. */
export async function shell(script: string, setting: ShellSetting = {}): Promise<ShellRun> {
  const files = setting.files instanceof InMemoryFs ? setting.files : memoryFiles(setting.files);
  const parts: Uint8Array[] = [];
  const end = await runShell(files, script, {
    cwd: setting.cwd ?? ROOT,
    env: { HOME: '/home', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...setting.env },
    stdin:
      typeof setting.stdin === 'string'
        ? new TextEncoder().encode(setting.stdin)
        : (setting.stdin ?? new Uint8Array()),
    output(chunk) {
      parts.push(chunk);
      setting.output?.(new TextDecoder().decode(chunk));
    },
    aborted: setting.aborted ?? (() => false),
    ...(setting.columns !== undefined && { columns: setting.columns }),
    ...(setting.lingerMs !== undefined && { lingerMs: setting.lingerMs }),
    ...(setting.programs && { programs: setting.programs }),
  });
  const bytes = joined(parts);
  const chunks = parts.map((part) => new TextDecoder().decode(part));
  return { output: new TextDecoder().decode(bytes), chunks, bytes, code: end.exitCode, cwd: end.cwd, files };
}

/** Files in memory that tell as much at once as those of the kernel do. */
class ListedFiles extends InMemoryFs {
  override async readdirWithFileTypes(path: string) {
    const entries = await super.readdirWithFileTypes(path);
    return Promise.all(
      entries.map(async (entry) => ({
        ...entry,
        stat: await this.lstat(path === '/' ? `/${entry.name}` : `${path}/${entry.name}`),
      })),
    );
  }

  async sameContent(one: string, other: string): Promise<boolean> {
    const [a, b] = await Promise.all([one, other].map((path) => this.readFileBuffer(path)));
    return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
  }
}

export function memoryFiles(initial: InitialFiles = {}): InMemoryFs {
  const placed = Object.entries(initial).map(([path, file]) => [
    path.startsWith('/') ? path : `${ROOT}/${path}`,
    file,
  ]);
  const files = new ListedFiles(Object.fromEntries(placed));
  files.mkdirSync(ROOT, { recursive: true });
  files.mkdirSync('/tmp', { recursive: true });
  return files;
}
