import { pathOfUrl, type LoaderFiles } from '../files.ts';
import type { HookContext, Loaded, Resolution } from '../hook-types.ts';
import { conditionsOf, isUsual, type Hooks } from '../hooks.ts';
import type { Resolver } from '../resolve.ts';
import type { Attributes } from './attributes.ts';
import { unknownExtension, type ModuleFormats } from './formats.ts';
import { refuseScheme, resolvedOf, urlOf } from './urls.ts';

export interface HookedContext {
  readonly hooks: Hooks;
  readonly files: LoaderFiles;
  readonly resolver: Resolver;
  readonly formats: ModuleFormats;
  readonly builtin: (name: string) => unknown;
}

type ImportContext = HookContext & { readonly importAttributes: Attributes };

/** Resolves and loads imports through the hooks of a program. Their chain ends in the loader's own steps. */
export class HookedImports {
  readonly #context: HookedContext;

  constructor(context: HookedContext) {
    this.#context = context;
  }

  /** The context that the first hook gets. */
  contextOf(parentURL: string, attributes: Attributes): ImportContext {
    const importAttributes: Record<string, string> = Object.create(null);
    return {
      conditions: this.#context.resolver.conditions.import,
      importAttributes: Object.assign(importAttributes, attributes),
      parentURL,
    };
  }

  resolve(specifier: string, context: HookContext): Resolution {
    const { hooks } = this.#context;
    return hooks.resolve(specifier, context, (next, more) =>
      hooks.thread ? hooks.thread.resolve(next, more) : this.usual.resolve(next, more),
    );
  }

  /** Returns the result of the hooks for a URL. Undefined where it is that of the loader itself. */
  load(url: string, context: HookContext): Loaded | undefined {
    const { hooks } = this.#context;
    let usual: Loaded | undefined;
    const loaded = hooks.load(url, context, (to, more) => {
      const plain = () => {
        const answer = this.#load(to, more);
        if (to === url) usual = answer;
        return answer;
      };
      return hooks.thread ? hooks.thread.load(to, more, plain) : plain();
    });
    const isFile = loaded.format === 'builtin' || (loaded.source === null && loaded.format === 'commonjs');
    return isFile || isUsual(loaded, usual) ? undefined : loaded;
  }

  #load(url: string, { format: given }: HookContext): Loaded {
    refuseScheme(url);
    const format = given ?? this.#context.formats.of(resolvedOf(url));
    return { format, source: url.startsWith('file:') ? this.#bytesAt(pathOfUrl(new URL(url))) : null };
  }

  /** The end of the chain for hooks in their own thread. */
  readonly usual = {
    resolve: (specifier: string, { parentURL, conditions }: HookContext): Resolution => {
      const { resolver, formats } = this.#context;
      const allowed = conditionsOf(conditions, 'conditions');
      const resolved = resolver.import(specifier, parentURL ?? 'data:', allowed);
      return { url: urlOf(resolved), format: formats.of(resolved) };
    },
    /** Scripts have no source there, because `require` reads them. */
    load: (url: string, context: HookContext): Loaded => {
      const { formats } = this.#context;
      refuseScheme(url);
      const resolved = resolvedOf(url);
      if (resolved.kind !== 'file') return { format: context.format ?? formats.of(resolved), source: null };
      const { path } = resolved;
      const format = context.format ?? formats.of(resolved) ?? formats.bySyntax(path);
      if (format === undefined) throw unknownExtension(path);
      return { format, source: format.startsWith('commonjs') ? null : this.#bytesAt(path) };
    },
  };

  /** The content of a file, in the form that hooks get. */
  #bytesAt(path: string): unknown {
    const { Buffer } = this.#context.builtin('buffer') as { Buffer: { from(text: string): unknown } };
    return Buffer.from(this.#context.files.readText(path));
  }
}
