import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chromiumArgs, ensureChromium } from '../../../scripts/chromium.mjs';

/** A Chromium of its own on a profile, which can be killed with all its processes at once. */
export class KillableBrowser {
  readonly #process: ChildProcess;
  readonly #profile: string;

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
      { detached: true, stdio: 'ignore' },
    );
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
