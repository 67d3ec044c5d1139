import { filesOfImage, type ImageFacts } from '../../src/protocol/images.ts';
import { isInside } from '../../src/protocol/paths.ts';
import type { FsImageAnswer } from '../shared/protocol.ts';
import type { SharedImage } from '../shared/wire.ts';
import { FsError } from './errors.ts';
import { locate } from './locate.ts';
import { directoryNode, fileNode, folderOf, nameOf, nodeAt, type DirectoryNode } from './nodes.ts';
import type { FileTree } from './tree.ts';

interface Image {
  readonly facts: ImageFacts;
  mounted?: Promise<void> | undefined;
  isHere: boolean;
  /** The files as they came, once they are here. */
  joined?: Uint8Array;
  shared?: SharedImage;
  /** Settle `mounted` when the app has answered. */
  arrived?: { resolve(packed: ArrayBuffer): void; reject(error: Error): void };
}

/**
 * Shows programs that the app fetches when they are first used. Until then there is an empty folder, and a link in
 * `/usr/bin` for each of the programs. Nobody can write there, and the files count towards no limit.
 */
export class Images {
  readonly #tree: FileTree;
  readonly #ask: (name: string) => void;
  readonly #images: ReadonlyMap<string, Image>;
  /** How many are not there yet. */
  #missing: number;

  constructor(tree: FileTree, all: readonly ImageFacts[], ask: (name: string) => void) {
    this.#tree = tree;
    this.#ask = ask;
    this.#images = new Map(all.map((facts) => [facts.name, { facts, isHere: false }]));
    this.#missing = all.length;
    for (const { at, bins } of all) {
      tree.mount(at, directoryNode(0, 0o555));
      for (const [name, file] of Object.entries(bins))
        tree.mount(`/usr/bin/${name}`, {
          type: 'symlink',
          target: `${at}/${file}`,
          mode: 0o777,
          modified: 0,
        });
    }
  }

  about(name: string): FsImageAnswer | null {
    const image = this.#images.get(name);
    return image ? { version: image.facts.version, bytes: image.facts.bytes, isHere: image.isHere } : null;
  }

  /** Copies in shared memory of the images that are here. Each is made when it is first asked for. */
  get shared(): readonly SharedImage[] {
    return [...this.#images.values()].flatMap((image) => {
      const { facts, joined } = image;
      return joined ? (image.shared ??= { at: facts.at, memory: sharedCopy(joined) }) : [];
    });
  }

  /** Fetches the image that a path leads into. Undefined where there is nothing to wait for. */
  refresh(path: string): Promise<void> | undefined {
    if (this.#missing === 0) return undefined;
    const image = this.#imageOf(path);
    return image && this.#mount(image);
  }

  arrived(name: string, packed: ArrayBuffer | undefined, failed = ''): void {
    const waiting = this.#images.get(name)?.arrived;
    if (packed) waiting?.resolve(packed);
    else waiting?.reject(new FsError('EIO', name, failed));
  }

  #imageOf(path: string): Image | undefined {
    // Almost every path of a program is plain, and outside of /usr.
    if (!path.startsWith('/usr/') && !path.startsWith('..')) return undefined;
    let real: string;
    try {
      real = locate(this.#tree.top, path, true).path;
    } catch {
      return undefined;
    }
    for (const image of this.#images.values())
      if (!image.isHere && real !== image.facts.at && isInside(real, image.facts.at)) return image;
    return undefined;
  }

  #mount(image: Image): Promise<void> {
    return (image.mounted ??= this.#fetch(image).catch((error: unknown) => {
      image.mounted = undefined;
      throw error;
    }));
  }

  async #fetch(image: Image): Promise<void> {
    const packed = await new Promise<ArrayBuffer>((resolve, reject) => {
      image.arrived = { resolve, reject };
      this.#ask(image.facts.name);
    });
    const { at } = image.facts;
    const root = directoryNode(0, 0o555);
    const joined = await unpacked(packed);
    for (const { path, content, isExecutable } of filesOfImage(joined))
      folderFor(root, path).children.set(nameOf(path), fileNode(content, 0, isExecutable ? 0o555 : 0o444));
    this.#tree.mount(at, root);
    image.isHere = true;
    image.joined = joined;
    this.#missing--;
  }
}

function folderFor(root: DirectoryNode, path: string): DirectoryNode {
  const folder = folderOf(`/${path}`);
  if (folder === '/') return root;
  const there = nodeAt(root, folder);
  if (there?.type === 'directory') return there;
  const made = directoryNode(0, 0o555);
  folderFor(root, folder.slice(1)).children.set(nameOf(folder), made);
  return made;
}

function sharedCopy(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(memory).set(bytes);
  return memory;
}

async function unpacked(packed: ArrayBuffer): Promise<Uint8Array> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
