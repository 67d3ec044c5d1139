import type { Program } from './child-request.ts';
import { SHELL_COMMANDS } from '../../../src/protocol/shell-commands.ts';
import type { KernelLink } from '../kernel/link.ts';
import { joined } from '../loader/files.ts';
import { EXEC_PATH } from '../start/versions.ts';

/** The folders in which the shell's own commands appear to be. */
const SHELL_FOLDERS = /^\/(?:usr\/)?bin\/(?=[^/]+$)/;

/** Finds programs as execvp does, along PATH. */
export function programFinder(link: KernelLink) {
  return (name: string, cwd: string, path: string): Program => {
    if (name === 'node' || name === EXEC_PATH || name === '/bin/node') return { kind: 'node' };
    const isCommand = (bare: string) => SHELL_COMMANDS.includes(bare);
    if (name.includes('/')) {
      const bare = SHELL_FOLDERS.test(name) ? name.replace(SHELL_FOLDERS, '') : undefined;
      if (bare !== undefined && isCommand(bare)) return { kind: 'shell' };
      return fileAt(joined(cwd, name)) ?? { kind: 'missing', code: 'ENOENT' };
    }
    let denied = false;
    for (const folder of path.split(':')) {
      const found = folder === '' ? undefined : fileAt(joined(cwd, `${folder}/${name}`));
      if (found?.kind === 'shell') return found;
      denied ||= found !== undefined;
    }
    if (isCommand(name)) return { kind: 'shell' };
    return { kind: 'missing', code: denied ? 'EACCES' : 'ENOENT' };
  };

  function fileAt(path: string): Program | undefined {
    const stat = link.files({ op: 'look', path });
    if (!stat) return undefined;
    if (stat.type !== 'file' || (stat.mode & 0o111) === 0) return { kind: 'missing', code: 'EACCES' };
    return { kind: 'shell' };
  }
}
