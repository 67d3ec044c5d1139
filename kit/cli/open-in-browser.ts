import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // Unlike `start`, which belongs to cmd.exe, it needs no quoting of an ampersand in the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** The machine on which an address is opened. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Whether somebody sits in front of this terminal. */
  readonly isAttended: boolean;
  spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptions,
  ): Pick<ChildProcess, 'unref'> & { on(event: 'error', listener: () => void): unknown };
}

const THIS: Machine = {
  platform: process.platform,
  isAttended: process.stdout.isTTY && !process.env['CI'],
  spawn,
};

/** Opens an address in the person's browser, if there is a person. It has been printed, so a failure is not told. */
export function openInBrowser(url: string, { platform, isAttended, spawn }: Machine = THIS): void {
  if (!isAttended) return;
  const [command = '', ...args] = OPENERS[platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
