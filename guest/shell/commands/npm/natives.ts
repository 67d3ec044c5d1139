import { ADDONS, IN_WASM, TYPESCRIPT_IN_JAVASCRIPT } from '../../../../src/protocol/native-programs.ts';
import { nameOf, type Installed } from './installed.ts';

/** A package that does the same as one in native code. */
export interface Substitute {
  readonly name: string;
  /** Which of its versions will do, as npm reads ranges. */
  readonly range: string;
  /** The form in which the substitute's native code is compiled. */
  readonly kind: 'WebAssembly' | 'JavaScript';
  /** Set where it stands for the native part alone, and the package keeps its own files. */
  readonly part?: SubstitutePart;
}

/** Where the code of a package looks for its part in WebAssembly. */
export interface SubstitutePart {
  /** The folder of the package that gets the files of the substitute. */
  readonly folder: string;
  /** More files of the package, with their texts. A name that ends with a slash is an empty folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** An installed package whose native code is for other processors. */
export interface Native {
  /** Its path in the project, such as `node_modules/esbuild`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly substitute?: Substitute;
}

const TYPESCRIPT: Substitute = { name: 'typescript', range: TYPESCRIPT_IN_JAVASCRIPT, kind: 'JavaScript' };

const PARTS: Readonly<Record<string, Pick<Substitute, 'name'> & { readonly part: SubstitutePart }>> = {
  // Next fetches the part into this folder by itself, but only after the native ones, which it takes for fetched where it
  // finds their folders, and only in its own version, which is not always published.
  next: {
    name: '@next/swc-wasm-nodejs',
    part: {
      folder: 'wasm/@next/swc-wasm-nodejs',
      files: {
        'next-swc-fallback/@next/swc-linux-x64-gnu/': '',
        'next-swc-fallback/@next/swc-linux-x64-musl/': '',
      },
    },
  },
  // jest and the import plugins of ESLint resolve modules by it. It looks for both files, and loads the first one.
  'unrs-resolver': {
    name: '@unrs/resolver-binding-wasm32-wasi',
    part: {
      folder: 'substitute',
      files: {
        'resolver.wasi.cjs': "module.exports = require('./substitute/resolver.wasi.cjs');\n",
        'resolver.wasm32-wasi.wasm': '',
      },
    },
  },
  // knip reads modules by it.
  'oxc-parser': {
    name: '@oxc-parser/binding-wasm32-wasi',
    part: {
      folder: 'src-js/substitute',
      files: {
        'src-js/parser.wasi.cjs': "module.exports = require('./substitute/parser.wasi.cjs');\n",
        'src-js/parser.wasm32-wasi.wasm': '',
      },
    },
  },
};

/** The parts of the substitutes that do not work either, each with the way out. */
export const LIMITED: Readonly<Record<string, string>> = {
  esbuild: 'All of it works but serve(), which esbuild-wasm does not have.',
  next: 'Turbopack has no such build, so run next build --webpack.',
};

/** Matches the systems in the names of packages that hold native code for one of them. */
const OF_A_SYSTEM = /(?:^|[-/])(?:linux|darwin|win32)(?:[-/]|$)/;

/**
 * Finds the packages whose code is in optional packages, one for each system, of which none was installed, and those that are
 * known to compile or fetch it.
 */
export function nativesIn(packages: ReadonlyMap<string, Installed>): readonly Native[] {
  const names = new Set([...packages].map(([path, each]) => nameOf(path, each)));
  return [...packages].flatMap(([path, each]) => {
    const name = nameOf(path, each);
    // An optional package such as sharp for next is not a part of it.
    const parts = Object.keys(each.optionalDependencies ?? {}).filter(
      (part) => part.startsWith('@') || part.startsWith(name),
    );
    const isNative = parts.filter((part) => OF_A_SYSTEM.test(part)).length > 1;
    const isMissing = isNative ? !parts.some((part) => names.has(part)) : ADDONS.has(name);
    if (!isMissing || each.version === undefined) return [];
    const substitute = substituteOf(name, each.version);
    return { path, name, version: each.version, ...(substitute && { substitute }) };
  });
}

function substituteOf(name: string, version: string): Substitute | undefined {
  if (name === 'typescript') return TYPESCRIPT;
  const whole = IN_WASM[name];
  const other = whole === undefined ? PARTS[name] : { name: whole };
  if (other === undefined) return undefined;
  // It is published a little later than the package itself.
  const [major = '0'] = version.split('.');
  return { ...other, range: `>=${major}.0.0 <=${version}`, kind: 'WebAssembly' };
}
