import { LIBRARIES } from '../language.ts';
import { libraryPartOf, type LibraryPart } from './library-parts.ts';

const FOLDER = `${LIBRARIES}/lib`;

const LOADERS: Readonly<Record<LibraryPart, () => Promise<{ default: Readonly<Record<string, string>> }>>> = {
  core: () => import('typescript-library:core'),
  dom: () => import('typescript-library:dom'),
  webworker: () => import('typescript-library:webworker'),
};

/** TypeScript's own declarations. Each part is fetched when a project first needs it. */
export class Libraries {
  readonly #texts = new Map<string, string>();
  readonly #loaded = new Set<LibraryPart>();
  readonly #wanted = new Set<LibraryPart>();

  static path(name: string): string {
    return `${FOLDER}/${name}`;
  }

  /** Returns `undefined` where there is no such file, or where {@link settle} has yet to fetch its part. */
  text(path: string): string | undefined {
    if (!path.startsWith(`${FOLDER}/`)) return undefined;
    const part = libraryPartOf(path.slice(FOLDER.length + 1));
    if (part && !this.#loaded.has(part)) this.#wanted.add(part);
    return this.#texts.get(path);
  }

  /** Fetches the parts that were missing. Returns whether there were any. */
  async settle(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    await Promise.all(
      wanted.map(async (part) => {
        const { default: texts } = await LOADERS[part]();
        for (const [name, text] of Object.entries(texts)) this.#texts.set(Libraries.path(name), text);
        this.#loaded.add(part);
      }),
    );
    return wanted.length > 0;
  }
}
