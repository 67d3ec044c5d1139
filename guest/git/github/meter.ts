import type { Git } from '../kit/git.ts';

/** Prints how far a transfer is, as git does: only to a terminal, or where it was asked for. */
export class Meter {
  readonly #git: Git;
  readonly #title: string;
  readonly #total: number;
  readonly #isShown: boolean;
  readonly #started = performance.now();
  #done = 0;
  #bytes = 0;
  #percent = -1;

  constructor(git: Git, title: string, total: number, isAsked: boolean) {
    this.#git = git;
    this.#title = title;
    this.#total = total;
    this.#isShown = isAsked || git.call.terminal(2) !== undefined;
  }

  async add(bytes = 0): Promise<void> {
    this.#done++;
    this.#bytes += bytes;
    const percent = Math.floor((100 * this.#done) / Math.max(1, this.#total));
    if (!this.#isShown || percent === this.#percent) return;
    this.#percent = percent;
    await this.#git.err(`${this.#text(percent)}\r`);
  }

  async end(): Promise<void> {
    if (this.#isShown && this.#total > 0) await this.#git.err(`${this.#text(100)}, done.\n`);
  }

  #text(percent: number): string {
    const seconds = Math.max(0.001, (performance.now() - this.#started) / 1000);
    const size = this.#bytes === 0 ? '' : `, ${sizeText(this.#bytes)} | ${sizeText(this.#bytes / seconds)}/s`;
    return `${this.#title}: ${String(percent).padStart(3)}% (${this.#done}/${this.#total})${size}`;
  }
}

export function sizeText(bytes: number): string {
  if (bytes >= 2 ** 20) return `${(bytes / 2 ** 20).toFixed(2)} MiB`;
  if (bytes >= 2 ** 10) return `${(bytes / 2 ** 10).toFixed(2)} KiB`;
  return `${Math.round(bytes)} bytes`;
}
