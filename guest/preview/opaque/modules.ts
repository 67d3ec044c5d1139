import { parse } from 'es-module-lexer/js';
import { SITE } from '../page/report.ts';
import { targetOf, type Resources } from './resources.ts';

/** The function that stands for `import()` of a name that is not known before it runs. */
export const LATER = 'vitrineImport';

interface PageMap {
  readonly imports?: Readonly<Record<string, string>>;
}

/**
 * The modules of a page. Each becomes a blob in which every import names the module's address on the site, and an import map
 * leads from there to the blob. So no blob names another one, and modules may import each other in circles.
 */
export class Modules {
  readonly #resources: Resources;
  readonly #map: PageMap;
  readonly #base: string;
  readonly #known = new Map<string, Promise<string | undefined>>();
  /** The modules that the page's import maps have. */
  readonly #mapped = new Set<string>();

  constructor(resources: Resources, map: PageMap, base: string) {
    this.#resources = resources;
    this.#map = map;
    this.#base = base;
  }

  /** Fetches a module and all that it imports. Call {@link importMap} when all are there. */
  async add(target: string): Promise<void> {
    if (this.#known.has(target)) return;
    const text = this.#resources.text(target, 'script');
    const code = text.then((source) => (source === undefined ? undefined : this.rewritten(source, target)));
    this.#known.set(target, code);
    await code;
  }

  /** The code of a module whose imports name addresses of the site. What it imports is fetched too. */
  async rewritten(source: string, at: string): Promise<string> {
    let imports;
    try {
      [imports] = parse(source);
    } catch {
      // The browser says what is wrong with it.
      return source;
    }
    const wanted: string[] = [];
    let code = '';
    let from = 0;
    for (const { n: name, s: start, e: end, ss: first, d: kind } of imports) {
      if (kind > -1 && name === undefined) {
        // The module that this names is known only when it runs. `kind` is where the bracket of the call stands.
        code += `${source.slice(from, first)}${LATER}(${JSON.stringify(at)}, `;
        from = kind + 1;
        continue;
      }
      if (kind === -2) {
        if (!source.startsWith('import.meta.url', start)) continue;
        code += source.slice(from, start) + JSON.stringify(SITE + at);
        from = start + 'import.meta.url'.length;
        continue;
      }
      const target = name === undefined ? undefined : this.#targetOf(name, at);
      if (target === undefined) continue;
      wanted.push(target);
      const address = SITE + target;
      // A dynamic import's range has the quotes in it.
      code += source.slice(from, start) + (kind > -1 ? JSON.stringify(address) : address);
      from = end;
    }
    await Promise.all(wanted.map((target) => this.#addUnlessWaiting(target)));
    return `${code}${source.slice(from)}\n//# sourceURL=${SITE}${at}`;
  }

  /** The import map of the modules that no earlier one had. */
  async importMap(): Promise<string> {
    const imports: Record<string, string> = {};
    for (const [target, code] of this.#known) {
      const text = await code;
      if (this.#mapped.has(target)) continue;
      this.#mapped.add(target);
      if (text !== undefined)
        imports[SITE + target] = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    }
    return JSON.stringify({ imports });
  }

  /**
   * Imports what a script of the page names when it runs, as development servers do with a module that was edited. The browser
   * must take more than one import map.
   */
  async importLater(at: string, specifier: unknown): Promise<unknown> {
    const target = this.#targetOf(String(specifier), at);
    if (target === undefined) return import(/* @vite-ignore */ String(specifier));
    await this.add(target);
    const map = document.createElement('script');
    map.type = 'importmap';
    map.textContent = await this.importMap();
    document.head.append(map);
    map.remove();
    return import(/* @vite-ignore */ SITE + target);
  }

  /** Modules that import each other must not wait for each other. */
  async #addUnlessWaiting(target: string): Promise<void> {
    if (!this.#known.has(target)) await this.add(target);
  }

  #targetOf(name: string, at: string): string | undefined {
    if (/^(\.{0,2}\/|https?:)/.test(name)) return targetOf(name, at);
    const { imports = {} } = this.#map;
    if (name in imports) return targetOf(imports[name] ?? '', this.#base);
    const prefix = Object.keys(imports)
      .filter((each) => each.endsWith('/') && name.startsWith(each))
      .sort((one, other) => other.length - one.length)[0];
    if (prefix === undefined) return undefined;
    return targetOf((imports[prefix] ?? '') + name.slice(prefix.length), this.#base);
  }
}
