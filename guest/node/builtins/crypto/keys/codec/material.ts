import type { AsymmetricMaterial, RsaMaterial } from '../../key-object.ts';
import { opensslError } from '../tools.ts';

export const isRsa = (material: AsymmetricMaterial): material is RsaMaterial => 'n' in material;

/** Returns the part of a key that may be public. */
export function openOf(material: AsymmetricMaterial): AsymmetricMaterial {
  const { secret: _secret, ...open } = material;
  return open;
}

/** The error for a key that no structure fits. */
export const unsupported = () => opensslError('1E08010C', 'DECODER routines', 'unsupported');
