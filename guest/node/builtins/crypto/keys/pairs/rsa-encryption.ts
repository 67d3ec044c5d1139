import { isRsa } from '../codec/material.ts';
import { PADDING, rsaCrypt, sealed, unsealed } from '../rsa.ts';
import { opensslError } from '../tools.ts';
import { isObject, operationUnsupported, outputOf, pairOf, type PairContext } from './context.ts';

/** Reads the key and the options of a function that encrypts with RSA. */
function rsaInput(context: PairContext, input: unknown, wanted: 'public' | 'private', padding: number) {
  const { tools } = context;
  const material = pairOf(context, input, wanted);
  if (!isRsa(material)) throw operationUnsupported();
  const { padding: chosen, oaepHash, oaepLabel } = isObject(input) ? input : {};
  const hash = oaepHash === undefined ? undefined : tools.hashes.hashNamed(String(oaepHash));
  if (oaepHash !== undefined && !hash)
    throw tools.errors.plainError('ERR_OSSL_EVP_INVALID_DIGEST', 'Invalid digest');
  return {
    material,
    how: {
      padding: typeof chosen === 'number' ? chosen : padding,
      ...(hash && { hash }),
      ...(oaepLabel !== undefined && { label: tools.bytesOf(oaepLabel, 'key.oaepLabel') }),
    },
  };
}

/** Makes the functions of `crypto` that encrypt with the keys of pairs. */
export function makeRsaEncryption(context: PairContext) {
  const { tools } = context;
  return {
    publicEncrypt(key: unknown, data: unknown): unknown {
      const { material, how } = rsaInput(context, key, 'public', PADDING.oaep);
      const bytes = tools.bytesOf(data, 'buffer');
      try {
        return outputOf(tools, rsaCrypt(material, bytes, how, true));
      } catch {
        throw opensslError(
          '0200006E',
          'rsa routines',
          'data too large for key size',
          'ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_KEY_SIZE',
        );
      }
    },
    privateDecrypt(key: unknown, data: unknown): unknown {
      const { material, how } = rsaInput(context, key, 'private', PADDING.oaep);
      const bytes = tools.bytesOf(data, 'buffer');
      try {
        return outputOf(tools, rsaCrypt(material, bytes, how, false));
      } catch {
        throw opensslError(
          '02000079',
          'rsa routines',
          'oaep decoding error',
          'ERR_OSSL_RSA_OAEP_DECODING_ERROR',
        );
      }
    },
    privateEncrypt(key: unknown, data: unknown): unknown {
      const { material } = rsaInput(context, key, 'private', PADDING.pkcs1);
      return outputOf(tools, sealed(material, tools.bytesOf(data, 'buffer')));
    },
    publicDecrypt(key: unknown, data: unknown): unknown {
      const { material } = rsaInput(context, key, 'public', PADDING.pkcs1);
      return outputOf(tools, unsealed(material, tools.bytesOf(data, 'buffer')));
    },
  };
}
