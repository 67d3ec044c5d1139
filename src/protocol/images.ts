/** Where an image appears among the files of a workspace. */
export interface ImagePlace {
  readonly name: string;
  /** The folder that shows its files. */
  readonly at: string;
  /** Its programs in `/usr/bin`, each with its file below `at`. */
  readonly bins: Readonly<Record<string, string>>;
}

/** A program of several files that is fetched when it is first used, and shown read-only in a workspace. */
export interface ImageFacts extends ImagePlace {
  readonly version: string;
  /** How many bytes the page fetches. */
  readonly bytes: number;
}

export interface ImageFile {
  /** Relative to the image's folder. */
  readonly path: string;
  readonly isExecutable: boolean;
  readonly content: Uint8Array;
}

/** The length of the list of files, in bytes. */
const LENGTH_BYTES = 4;

type Listed = readonly [path: string, size: number, isExecutable: 0 | 1];

/** Joins files into one: the length of their list, the list as JSON, and their contents in the same order. */
export function joinImage(files: readonly ImageFile[]): Uint8Array<ArrayBuffer> {
  const listed = files.map(({ path, content, isExecutable }): Listed => [
    path,
    content.byteLength,
    isExecutable ? 1 : 0,
  ]);
  const list = new TextEncoder().encode(JSON.stringify(listed));
  const sizes = files.reduce((sum, { content }) => sum + content.byteLength, 0);
  const joined = new Uint8Array(LENGTH_BYTES + list.byteLength + sizes);
  new DataView(joined.buffer).setUint32(0, list.byteLength);
  joined.set(list, LENGTH_BYTES);
  let at = LENGTH_BYTES + list.byteLength;
  for (const { content } of files) {
    joined.set(content, at);
    at += content.byteLength;
  }
  return joined;
}

/** Reverses {@link joinImage}. The contents are views of `joined`. Throws where they are cut off. */
export function filesOfImage(joined: Uint8Array): ImageFile[] {
  const length = new DataView(joined.buffer, joined.byteOffset).getUint32(0);
  let at = LENGTH_BYTES + length;
  // A decoder may refuse memory that is shared, so it gets a copy.
  const list = JSON.parse(new TextDecoder().decode(joined.slice(LENGTH_BYTES, at))) as readonly Listed[];
  return list.map(([path, size, isExecutable]) => {
    const content = joined.subarray(at, (at += size));
    if (content.byteLength < size) throw new Error('the image is cut off');
    return { path, content, isExecutable: isExecutable === 1 };
  });
}
