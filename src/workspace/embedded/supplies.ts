import { faultOf } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import type { Part } from '../../protocol/frame.ts';
import type { FileJournal } from '../../protocol/journal.ts';
import type { Images } from './images.ts';
import type { KernelLink } from './kernel-link.ts';
import type { OutsideFiles } from './outside.ts';

export interface SupplyOptions {
  readonly journal: Pick<FileJournal, 'contents'>;
  /** Returns the script of `node` when a process first needs it. Without this there is no `node`. */
  readonly nodeProgram?: () => Promise<Blob>;
  /** Returns the source of a part of `node` or of the shell when a program first uses it. */
  readonly part?: (part: Part) => Promise<string>;
  /** The programs that are fetched when they are first used. Without this there are none. */
  readonly images?: Images;
  /** The files that a shell sees below `~/.opencode` and `~/.config/opencode`. Without this there are none. */
  readonly outside?: OutsideFiles;
}

/** Gives a kernel what it asks for when something in the workspace first needs it. */
export class KernelSupplies {
  readonly #options: SupplyOptions;

  constructor(options: SupplyOptions) {
    this.#options = options;
  }

  async contents(link: KernelLink, id: number, hashes: readonly Hash[]): Promise<void> {
    const found = await this.#options.journal.contents(hashes).catch(() => []);
    const contents = hashes.map((_, index) => found[index] ?? null);
    const buffers = contents.flatMap((each) => each?.buffer ?? []);
    link.post({ kind: 'contents', id, contents }, [...new Set(buffers)]);
  }

  async outside(link: KernelLink, id: number, path: string): Promise<void> {
    const entry = await this.#options.outside?.look(path).catch(() => null);
    link.post({ kind: 'outside', id, entry: entry ?? null });
  }

  async node(link: KernelLink): Promise<void> {
    try {
      if (!this.#options.nodeProgram) throw new Error('this workspace has no node');
      link.post({ kind: 'node', script: await this.#options.nodeProgram() });
    } catch (error) {
      link.post({ kind: 'node', failed: `node could not be loaded: ${faultOf(error).what}` });
    }
  }

  async part(link: KernelLink, part: Part): Promise<void> {
    try {
      if (!this.#options.part) throw new Error('this workspace does not have it');
      link.post({ kind: 'part', part, source: await this.#options.part(part) });
    } catch (error) {
      const failed = `${part} could not be loaded: ${faultOf(error).what}`;
      link.post({ kind: 'part', part, failed });
    }
  }

  async image(link: KernelLink, name: string): Promise<void> {
    try {
      if (!this.#options.images) throw new Error('this workspace does not have it');
      const packed = await this.#options.images.packed(name);
      link.post({ kind: 'image', name, packed }, [packed]);
    } catch (error) {
      link.post({ kind: 'image', name, failed: `${name} could not be loaded: ${faultOf(error).what}` });
    }
  }
}
