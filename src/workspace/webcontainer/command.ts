import type { OutsideFiles } from '../embedded/outside.ts';
import { fromRoot } from '../../protocol/paths.ts';
import { lockTest } from '../../protocol/visibility.ts';
import { ROOT, WorkspaceError, type ReadLimits, type SpawnOptions } from '../workspace.ts';
import type { StartedCommand } from './container-process.ts';
import { layKeptOutputs, namesKeptOutputs } from './kept-outputs.ts';
import type { ContainerInstance } from './instance.ts';
import type { Mirror } from './mirror.ts';

const ENVIRONMENT = { HOME: '/home', CI: '1', npm_config_yes: 'true', npm_config_update_notifier: 'false' };
const PLAIN = { NO_COLOR: '1', FORCE_COLOR: '0', TERM: 'dumb' };
const COLOURED = { FORCE_COLOR: '1', TERM: 'xterm-256color' };

export interface CommandContext {
  readonly instance: ContainerInstance;
  readonly mirror: Mirror;
  readonly outside?: OutsideFiles | undefined;
  readonly exposed: (limits: ReadLimits) => Promise<readonly string[]>;
  /** Called just before the command can change files. */
  readonly begin: () => void;
}

/** Starts a command. Rejects where its directory does not exist, or where it could read or change files that it may not. */
export async function startCommand(
  { instance, mirror, outside, exposed, begin }: CommandContext,
  command: string,
  options: SpawnOptions,
): Promise<StartedCommand> {
  const { path, node, beyond } = mirror.locate(options.cwd ?? ROOT);
  if (!beyond && !node) throw new WorkspaceError('ENOENT', path);
  if (node && node.type !== 'directory') throw new WorkspaceError('ENOTDIR', path);
  if (options.reads) {
    const [first] = await exposed(options.reads);
    if (first !== undefined)
      throw new WorkspaceError(
        'EACCES',
        first,
        lockTest(options.reads.locks)(first)
          ? `not run: commands here can change every file, and ${fromRoot(first)} must not be changed`
          : `not run: commands here can read every file, and ${fromRoot(first)} must not be read`,
      );
  }
  const { container, helper } = instance;
  if (outside && namesKeptOutputs(command))
    await layKeptOutputs(helper, outside).catch((error: unknown) => {
      // Without the copies the command itself reports a missing file.
      if (container.over) throw error;
    });
  await helper.prepare();
  begin();
  const { stdin, terminal } = options;
  const env = {
    ...ENVIRONMENT,
    ...(terminal ? COLOURED : PLAIN),
    ...(terminal && { COLUMNS: String(terminal.columns), LINES: String(terminal.rows) }),
    ...options.env,
  };
  const cwd = fromRoot(path);
  if (stdin === undefined || stdin.length > 0)
    return {
      container,
      ...(await helper.start({ ask: 'run', command, env, tellsDirectory: terminal !== undefined }, cwd)),
    };
  const process = await container.spawn('jsh', ['-c', command], {
    ...(cwd !== '' && { cwd }),
    env,
    terminal: { cols: terminal?.columns ?? 500, rows: terminal?.rows ?? 50 },
  });
  process.exit.catch(() => {});
  return { container, process, echo: helper.echo };
}
