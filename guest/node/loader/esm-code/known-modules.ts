import { esmCode } from '../esm-code.ts';
import { packEsmCode, unpackEsmCode } from './packed.ts';
import type { EsmCode } from './types.ts';

/** Keeps the code of modules for other processes, by their names. */
export interface ModuleCodes {
  find(name: string): Uint8Array | undefined;
  keep(name: string, code: Uint8Array): void;
}

/** A shorter text is parsed sooner than the kernel could be asked. */
const LEAST_CHARACTERS = 4_096;

/**
 * Returns the code of a module, which an earlier process may have made from the same source. `name` is a path or a URL. Throws a
 * SyntaxError with `pos`.
 */
export function knownEsmCode(source: string, name: string, codes: ModuleCodes | undefined): EsmCode {
  if (!codes || source.length < LEAST_CHARACTERS) return esmCode(source);
  const packed = codes.find(name);
  const known = packed && unpackEsmCode(source, packed);
  if (known) return known;
  const code = esmCode(source);
  codes.keep(name, packEsmCode(source, code));
  return code;
}
