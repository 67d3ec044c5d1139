import { nodeError } from '../../builtins/internal/errors.ts';
import { fileUrl, pathOfUrl } from '../files.ts';
import type { Resolved } from '../resolve.ts';

export function urlOf(resolved: Resolved): string {
  if (resolved.kind === 'builtin') return `node:${resolved.name}`;
  return resolved.kind === 'file' ? fileUrl(resolved.path) + (resolved.suffix ?? '') : resolved.url;
}

export function resolvedOf(url: string): Resolved {
  if (url.startsWith('node:')) return { kind: 'builtin', name: url.slice('node:'.length) };
  if (!url.startsWith('file:')) return { kind: 'data', url };
  const { search, hash } = new URL(url);
  return { kind: 'file', path: pathOfUrl(new URL(url)), suffix: search + hash };
}

/** The path of a `file:` URL. Any other URL stays as it is. */
export function pathOr(url: string): string {
  return url.startsWith('file:') ? pathOfUrl(new URL(url)) : url;
}

export function refuseScheme(url: string): void {
  const { protocol } = new URL(url);
  if (!/^(?:file|data|node):$/.test(protocol))
    throw nodeError(
      'ERR_UNSUPPORTED_ESM_URL_SCHEME',
      `Only URLs with a scheme in: ${/^https?:$/.test(protocol) ? 'file and data' : 'file, data, and node'} are supported by the default ESM loader. Received protocol '${protocol}'`,
    );
}

function partsOfData(url: string): readonly [type: string, parameters: string, body: string] {
  const match = /^data:([^,;]*)((?:;[^,]*)*),([\s\S]*)$/.exec(url);
  const [, type = '', parameters = '', body = ''] = match ?? [];
  return [type, parameters, body];
}

/** Throws for a `data:` URL that holds neither JSON nor JavaScript. */
export function refuseUnknownData(url: string): void {
  const [type] = partsOfData(url);
  if (!/^(?:application\/json|(?:text|application)\/javascript)$/.test(type))
    throw nodeError('ERR_UNKNOWN_MODULE_FORMAT', `Unknown module format: ${type} for URL ${url}`, RangeError);
}

/** Decodes a `data:` URL. */
export function decodeData(url: string): { readonly type: string; readonly text: string } {
  const [type, parameters, body] = partsOfData(url);
  const text = parameters.endsWith(';base64')
    ? new TextDecoder().decode(Uint8Array.from(atob(body), (char) => char.charCodeAt(0)))
    : decodeURIComponent(body);
  return { type, text };
}
