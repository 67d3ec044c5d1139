import type { Sources } from '../../errors/sources.ts';
import type { AwaitTracking } from '../await-code.ts';
import { esmCode } from '../esm-code.ts';
import { knownEsmCode, type ModuleCodes } from '../esm-code/known-modules.ts';
import type { EsmCode } from '../esm-code/types.ts';
import type { Loaded } from '../hook-types.ts';
import { textOf, type Hooks } from '../hooks.ts';
import { parseJsonModule } from '../json.ts';
import type { Packages } from '../packages.ts';
import type { Resolved, Resolver } from '../resolve.ts';
import { shownSyntaxError } from '../syntax-errors.ts';
import { asIs, type JavaScriptText, type TypeScript } from '../typescript.ts';
import { refuseOtherType, refuseUnsupported, type Attributes } from './attributes.ts';
import {
  extensionOf,
  looksLikeModule,
  unknownExtension,
  unknownFormat,
  type ModuleFormats,
} from './formats.ts';
import type { HookedImports } from './hooked.ts';
import type { ModuleMap, ModuleRecord } from './record.ts';
import type { ScriptModules, ScriptsContext } from './scripts.ts';
import type { SyntheticModules } from './synthetic.ts';
import { decodeData, refuseScheme, refuseUnknownData, resolvedOf, urlOf } from './urls.ts';

export interface ModuleLoaderContext {
  readonly modules: ModuleMap;
  readonly formats: ModuleFormats;
  readonly scripts: ScriptModules;
  readonly synthetic: SyntheticModules;
  readonly hooked: HookedImports;
  readonly hooks: Hooks;
  readonly packages: Packages;
  readonly resolver: Resolver;
  readonly sources: Sources;
  readonly awaits: AwaitTracking;
  readonly codes?: ModuleCodes;
  readonly typescript: TypeScript;
  readonly moduleClass: ScriptsContext['moduleClass'];
  /** Warns about an ECMAScript module whose package gives no type. */
  readonly typeless: (url: string, packagePath: string) => void;
}

/** Reads modules with all that they import, each once. */
export class ModuleLoader {
  readonly #context: ModuleLoaderContext;
  /** A specifier keeps its first result, whatever happens to the file later. */
  readonly #resolved = new Map<string, Resolved>();

  constructor(context: ModuleLoaderContext) {
    this.#context = context;
  }

  load(resolved: Resolved, attributes: Attributes): ModuleRecord {
    const { modules, synthetic } = this.#context;
    const url = urlOf(resolved);
    if (resolved.kind === 'data') {
      refuseScheme(url);
      refuseUnknownData(url);
    }
    refuseUnsupported(url, attributes);
    const known = modules.get(url);
    const isJson =
      resolved.kind === 'file' ? resolved.path.endsWith('.json') : /^data:application\/json/.test(url);
    refuseOtherType(url, isJson, attributes);
    if (known) return known;
    if (resolved.kind === 'builtin') return synthetic.builtin(url, resolved.name);
    if (resolved.kind === 'data') return this.#data(url);
    return isJson ? synthetic.json(url, resolved.path) : this.#file(url, resolved.path);
  }

  /** Loads what a module names in an import. */
  loadNamed(specifier: string, parentURL: string, attributes: Attributes): ModuleRecord {
    if (this.#context.hooks.isForImports) return this.#loadHooked(specifier, parentURL, attributes);
    const key = `${specifier}\n${parentURL}`;
    const resolved = this.#resolved.get(key) ?? this.#context.resolver.import(specifier, parentURL);
    const record = this.load(resolved, attributes);
    this.#resolved.set(key, resolved);
    return record;
  }

  #loadHooked(specifier: string, parentURL: string, attributes: Attributes): ModuleRecord {
    const { hooked, modules } = this.#context;
    const context = hooked.contextOf(parentURL, attributes);
    const resolution = hooked.resolve(specifier, context);
    const { url, format } = resolution;
    const known = modules.get(url);
    if (known) return known;
    const importAttributes = resolution.importAttributes ?? context.importAttributes;
    const loaded = hooked.load(url, { ...context, importAttributes, format });
    return loaded ? this.#fromHook(url, loaded) : this.load(resolvedOf(url), importAttributes);
  }

  #fromHook(url: string, { format, source }: Loaded): ModuleRecord {
    const { scripts, synthetic, typescript } = this.#context;
    const text = textOf(source);
    switch (format) {
      case 'module':
      case 'module-typescript':
        return this.source(url, url, format === 'module' ? asIs(text) : typescript.read(text, url));
      case 'json':
        return synthetic.value(url, () => parseJsonModule(text, url));
      case 'commonjs':
      case 'commonjs-typescript':
        return scripts.text(url, text);
      case undefined:
        return looksLikeModule(text) ? this.source(url, url, asIs(text)) : scripts.text(url, text);
      default:
        throw unknownFormat(format, url);
    }
  }

  #data(url: string): ModuleRecord {
    const { type, text } = decodeData(url);
    if (type === 'application/json')
      return this.#context.synthetic.value(url, () => parseJsonModule(text, url));
    return this.source(url, url, asIs(text));
  }

  #file(url: string, path: string): ModuleRecord {
    const { formats, scripts, typescript } = this.#context;
    const extension = extensionOf(path);
    const isTyped = typescript.isFor(path);
    if (extension === '.mjs' || (isTyped && extension === '.mts'))
      return this.source(url, url, formats.read(path, url));
    if (extension === '.cjs' || (isTyped && extension === '.cts')) return scripts.file(url, path);
    if (extension === '.js' || isTyped || extension === '') return this.#scriptOrModule(url, path);
    throw unknownExtension(path);
  }

  /** A file whose name does not say whether it is a module. */
  #scriptOrModule(url: string, path: string): ModuleRecord {
    const { formats, packages, scripts, moduleClass, typeless } = this.#context;
    const scope = packages.scopeOf(path);
    if (scope?.type === 'module') return this.source(url, url, formats.read(path, url));
    if (scope?.type === 'commonjs' || path in moduleClass()._cache) return scripts.file(url, path);
    const reading = formats.read(path, path);
    if (!looksLikeModule(reading.text)) return scripts.file(url, path);
    if (scope) typeless(url, scope.path);
    return this.source(url, url, reading);
  }

  /** An ECMAScript module with this text, and all that it imports. */
  source(url: string, name: string, { text, shown, placed }: JavaScriptText): ModuleRecord {
    const { awaits, codes, modules, sources } = this.#context;
    const code = parsed(text, name, codes);
    sources.add(name, shown, placed(code.text));
    const following = () => {
      if (!awaits.isFollowed(text, name)) return undefined;
      const tracked = esmCode(text, true);
      sources.add(name, shown, placed(tracked.text));
      return tracked;
    };
    const record = modules.add(url, { code, following, name, isAsync: code.isAsync });
    try {
      record.requested = code.requests.map(({ specifier, attributes }) =>
        this.loadNamed(specifier, url, attributes),
      );
    } catch (error) {
      modules.delete(url);
      throw error;
    }
    return record;
  }
}

function parsed(text: string, name: string, codes: ModuleCodes | undefined): EsmCode {
  try {
    return knownEsmCode(text, name, codes);
  } catch (error) {
    throw shownSyntaxError(error, text, name, 'module');
  }
}
