import { hashText } from '../../../../src/base/hash.ts';
import { esmCode } from '../esm-code.ts';
import { packEsmCode, unpackEsmCode } from './packed.ts';
import type { EsmCode } from './types.ts';

/** Keeps the code of modules for other processes, by the hash of their text. */
export interface ModuleCodes {
  find(key: string): Uint8Array | undefined;
  keep(key: string, code: Uint8Array): void;
}

/** A shorter text is parsed sooner than the kernel could be asked. */
const LEAST_CHARACTERS = 4_096;

/** Returns the code of a module, which an earlier process may have made. Throws a SyntaxError with `pos`. */
export function knownEsmCode(source: string, codes: ModuleCodes | undefined): EsmCode {
  if (!codes || source.length < LEAST_CHARACTERS) return esmCode(source);
  const key = hashText(source);
  const packed = codes.find(key);
  if (packed) return unpackEsmCode(source, packed);
  const code = esmCode(source);
  codes.keep(key, packEsmCode(code));
  return code;
}
