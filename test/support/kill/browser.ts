import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { chromium, type Browser } from '@playwright/test';
import { chromiumArgs, ensureChromium } from '../../../scripts/chromium.mjs';

/** A Chromium of its own on a profile, which can be killed with all its processes at once. */
export class KillableBrowser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #devtools: Promise<string>;

  constructor(profile: string, url: string) {
    this.#profile = profile;
    // Detached, so that it leads a process group.
    this.#process = spawn(
      ensureChromium(),
      [
        ...chromiumArgs,
        '--headless=new',
        '--no-default-browser-check',
        '--password-store=basic',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        url,
      ],
      { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#devtools = this.#saysWhere();
    // Who never connects does not ask.
    this.#devtools.catch(() => {});
  }

  /** Playwright's hold on it. Rejects where it ends before it is up. */
  async connect(): Promise<Browser> {
    return chromium.connectOverCDP(await this.#devtools);
  }

  /** A tab as a person opens one: in front, and nobody watches those behind. */
  async openTab(url: string): Promise<void> {
    const { host } = new URL(await this.#devtools);
    const opened = await fetch(`http://${host}/json/new?${encodeURIComponent(url)}`, { method: 'PUT' });
    const { id } = (await opened.json()) as { id: string };
    await fetch(`http://${host}/json/activate/${id}`);
  }

  /** SIGKILL to every process; resolves when none is left. */
  async kill(): Promise<void> {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error('The browser never started.');
    const exited = once(this.#process, 'exit');
    process.kill(-pid, 'SIGKILL');
    for (const stray of this.#strays()) killOne(stray);
    await exited;
    while (this.#strays().length > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  async #saysWhere(): Promise<string> {
    const { stderr } = this.#process;
    if (!stderr) throw new Error('The browser has no standard error.');
    // Read to its end, or a full pipe would stop the browser.
    return new Promise((resolve, reject) => {
      createInterface(stderr)
        .on('line', (line) => {
          const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
          if (address) resolve(address);
        })
        .on('close', () => reject(new Error('The browser ended before it could be reached.')));
    });
  }

  /** Processes that work on this profile, also those that left the group. */
  #strays(): number[] {
    if (!existsSync('/proc')) return [];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid && isRunningWith(pid, this.#profile));
  }
}

function isRunningWith(pid: number, argument: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(argument);
  } catch {
    return false;
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone in the meantime.
  }
}
