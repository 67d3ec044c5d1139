import { IN_WASM, TYPESCRIPT_IN_JAVASCRIPT } from '../../../../src/protocol/native-programs.ts';
import { nameOf, type Installed } from './installed.ts';

/** A package that does the same as one in native code. */
export interface Substitute {
  readonly name: string;
  /** Which of its versions will do, as npm reads ranges. */
  readonly range: string;
  /** The form in which the substitute's native code is compiled. */
  readonly kind: 'WebAssembly' | 'JavaScript';
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

/** The parts of the substitutes that do not work either, each with the way out. */
export const LIMITED: Readonly<Record<string, string>> = {
  esbuild: 'All of it works but serve(), which esbuild-wasm does not have.',
};

/** Matches the systems in the names of packages that hold native code for one of them. */
const OF_A_SYSTEM = /(?:^|[-/])(?:linux|darwin|win32)(?:[-/]|$)/;

/** Finds the packages whose code is in optional packages, one for each system, of which none was installed. */
export function nativesIn(packages: ReadonlyMap<string, Installed>): readonly Native[] {
  const names = new Set([...packages].map(([path, each]) => nameOf(path, each)));
  return [...packages].flatMap(([path, each]) => {
    const parts = Object.keys(each.optionalDependencies ?? {});
    const isNative = parts.filter((part) => OF_A_SYSTEM.test(part)).length > 1;
    if (!isNative || parts.some((part) => names.has(part)) || each.version === undefined) return [];
    const name = nameOf(path, each);
    const substitute = substituteOf(name, each.version);
    return { path, name, version: each.version, ...(substitute && { substitute }) };
  });
}

function substituteOf(name: string, version: string): Substitute | undefined {
  if (name === 'typescript') return TYPESCRIPT;
  const other = IN_WASM[name];
  if (other === undefined) return undefined;
  // It is published a little later than the package itself.
  const [major = '0'] = version.split('.');
  return { name: other, range: `>=${major}.0.0 <=${version}`, kind: 'WebAssembly' };
}
