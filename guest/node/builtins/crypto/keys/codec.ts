import type { AsymmetricMaterial, KeyType, PairCodec } from '../key-object.ts';
import type { Encoding } from './codec/encoding.ts';
import { fromJwk, toJwk } from './codec/jwk.ts';
import { isRsa } from './codec/material.ts';
import { readKey } from './codec/read.ts';
import { writeKey } from './codec/write.ts';
import type { KeyTools } from './tools.ts';

/** Reads and writes keys of pairs as OpenSSL does: PEM and DER in their structures, and JSON web keys. */
export class KeyCodec implements PairCodec {
  readonly #tools: KeyTools;

  constructor(tools: KeyTools) {
    this.#tools = tools;
  }

  export(material: AsymmetricMaterial, type: KeyType, encoding: Encoding): unknown {
    return writeKey(this.#tools, material, type, encoding);
  }

  read(input: unknown, wanted: 'public' | 'private'): AsymmetricMaterial {
    return readKey(this.#tools, input, wanted);
  }

  toJwk(material: AsymmetricMaterial, type: KeyType): Record<string, string> {
    return toJwk(this.#tools, material, type);
  }

  fromJwk(jwk: Readonly<Record<string, unknown>>): AsymmetricMaterial {
    return fromJwk(this.#tools, jwk);
  }

  details(material: AsymmetricMaterial): Record<string, unknown> {
    if (isRsa(material)) return { modulusLength: material.n.toString(2).length, publicExponent: material.e };
    return material.kind === 'ec' ? { namedCurve: material.curve } : {};
  }
}
