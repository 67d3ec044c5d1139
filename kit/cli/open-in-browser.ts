import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // Unlike `start`, it needs no quoting of what a shell would understand.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in the person's browser, if somebody sits in front of this terminal. The address has been printed, so
 * nothing is said where there is no browser.
 */
export function openInBrowser(url: string): void {
  if (!process.stdout.isTTY || process.env['CI']) return;
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
