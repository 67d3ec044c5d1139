import { filesOfImage } from '../../../src/protocol/images.ts';
import type { SharedImage } from '../../shared/wire.ts';
import { folderOf } from './files.ts';
import { isPlain } from './known-paths.ts';

type Entry = Uint8Array | 'directory';

/** A program whose files lie in memory that is shared with the kernel. */
export class ImageFiles {
  readonly #image: SharedImage;
  #entries: ReadonlyMap<string, Entry> | undefined;

  constructor(image: SharedImage) {
    this.#image = image;
  }

  /** Whether a path is one of this program's, or would be if it were there. */
  holds(path: string): boolean {
    return path.startsWith(`${this.#image.at}/`) && isPlain(path);
  }

  look(path: string): 'file' | 'directory' | undefined {
    const found = this.#all.get(path);
    return found && found !== 'directory' ? 'file' : found;
  }

  /** Undefined where there is no file. */
  read(path: string): string | undefined {
    const found = this.#all.get(path);
    // A decoder may refuse shared memory, so it gets a copy.
    return found && found !== 'directory' ? decoder.decode(found.slice()) : undefined;
  }

  get #all(): ReadonlyMap<string, Entry> {
    return (this.#entries ??= entriesOf(this.#image));
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function entriesOf({ at, memory }: SharedImage): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { path, content } of filesOfImage(new Uint8Array(memory))) {
    const file = `${at}/${path}`;
    entries.set(file, content);
    for (let folder = folderOf(file); folder !== at && !entries.has(folder); folder = folderOf(folder))
      entries.set(folder, 'directory');
  }
  return entries;
}
