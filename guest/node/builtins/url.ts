import punycode from 'punycode/';
import type { MakeBuiltin } from './builtin.ts';
import { Buffer } from './buffer/buffer.ts';
import { argTypeError, argValueError, needString, nodeError } from './internal/errors.ts';
import { formatParts } from './legacy-url/format.ts';
import { Url } from './legacy-url/legacy-url.ts';
import { unescapeBuffer } from './querystring.ts';

const { toUnicode } = punycode;

interface Kind {
  readonly windows?: boolean;
}

export function fileURLToPath(given: unknown, options?: Kind | null): string {
  const { hostname, pathname } = fileUrl(given, options);
  if (!options?.windows) return decodeURIComponent(pathname);
  const path = decodeURIComponent(pathname.replaceAll('/', '\\'));
  if (hostname !== '') return `\\\\${toUnicode(hostname)}${path}`;
  if (!/^\\[a-z]:/i.test(path))
    throw nodeError('ERR_INVALID_FILE_URL_PATH', 'File URL path must be absolute', TypeError);
  return path.slice(1);
}

/** Returns the bytes of a path, which need not be valid text. */
function fileURLToPathBuffer(given: unknown, options?: Kind | null) {
  if (options?.windows) return Buffer.from(fileURLToPath(given, options));
  return unescapeBuffer(fileUrl(given, options).pathname);
}

function fileUrl(given: unknown, options?: Kind | null): URL {
  let url: URL;
  if (typeof given === 'string') url = new URL(given);
  else if (
    given instanceof URL ||
    (typeof given === 'object' && given !== null && 'href' in given && 'protocol' in given)
  )
    url = given as URL;
  else throw argTypeError('path', ['string', 'URL'], given);
  if (url.protocol !== 'file:')
    throw nodeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError);
  if (options?.windows) {
    if (/%2f|%5c/i.test(url.pathname))
      throw nodeError(
        'ERR_INVALID_FILE_URL_PATH',
        'File URL path must not include encoded \\ or / characters',
        TypeError,
        { input: url },
      );
    return url;
  }
  if (url.hostname !== '')
    throw nodeError(
      'ERR_INVALID_FILE_URL_HOST',
      'File URL host must be "localhost" or empty on linux',
      TypeError,
    );
  if (/%2f/i.test(url.pathname))
    throw nodeError(
      'ERR_INVALID_FILE_URL_PATH',
      'File URL path must not include encoded / characters',
      TypeError,
      {
        input: url,
      },
    );
  return url;
}

function urlToHttpOptions(given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null) throw argTypeError('url', 'object', given);
  const url = given as URL;
  const { hostname } = url;
  const options: Record<string, unknown> = {
    ...url,
    protocol: url.protocol,
    hostname: hostname?.startsWith('[') ? hostname.slice(1, -1) : hostname,
    hash: url.hash,
    search: url.search,
    pathname: url.pathname,
    path: `${url.pathname || ''}${url.search || ''}`,
    href: url.href,
  };
  if (url.port !== '') options.port = Number(url.port);
  if (url.username || url.password)
    options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return Object.setPrototypeOf(options, null) as Record<string, unknown>;
}

function hostOf(domain: unknown): string {
  try {
    return new URL(`ws://${String(domain)}`).hostname;
  } catch {
    return '';
  }
}

const percentCode = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

const windowsPath = (path: string) => path.replace(/[%\n\r\t?#[\]^|~]/g, percentCode).replaceAll('\\', '/');

/** Matches a URL whose host has a colon before something that cannot be a port. */
const oddPort = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@|(?![^/?#]*@))[^/?#:[]*:(?!\d*(?:[/?#]|$))/i;

export const makeUrl: MakeBuiltin = ({ process }, load) => {
  function pathToFileURL(given: unknown, options?: Kind | null): URL {
    needString(given, 'path');
    const path = load('path');
    if (!options?.windows) {
      let full = path.resolve(given);
      if (given.endsWith('/') && !full.endsWith('/')) full += '/';
      return new URL(`file://${full.replace(/[%\\\n\r\t?#[\]^|~]/g, percentCode)}`);
    }
    const [, host, share] = /^\\\\(?!\?\\[a-z]:)(?:\?\\UNC\\)?([^\\]*)(.*)$/is.exec(given) ?? [];
    if (host !== undefined) {
      if (!share) throw argValueError('path', given, 'Missing UNC resource path');
      if (host === '') throw argValueError('path', given, 'Empty UNC servername');
      return new URL(`file://${host}${windowsPath(share)}`);
    }
    let full = path.win32.resolve(given.replace(/^\\\\\?\\(?=[a-z]:)/i, ''));
    if (/[\\/]$/.test(given) && !full.endsWith('\\')) full += '\\';
    return new URL(`file:///${windowsPath(full)}`);
  }

  function format(given: unknown, options?: unknown): string {
    if (given instanceof URL) {
      if (options !== undefined && (typeof options !== 'object' || options === null))
        throw argTypeError('options', 'Object', options);
      const {
        fragment = true,
        unicode = false,
        search = true,
        auth = true,
      } = (options ?? {}) as Record<string, unknown>;
      const url = new URL(given.href);
      if (!fragment) url.hash = '';
      if (!search) url.search = '';
      if (!auth) url.username = url.password = '';
      return unicode ? url.href.replace(url.hostname, toUnicode(url.hostname)) : url.href;
    }
    if (typeof given === 'string') return parse(given).format();
    if (typeof given !== 'object' || given === null)
      throw argTypeError('urlObject', ['Object', 'string'], given);
    return formatParts(given);
  }

  let warnedOfPort = false;
  function parse(given: unknown, query = false, slashes = false): Url {
    if (given instanceof Url) return given;
    needString(given, 'url');
    if (!warnedOfPort && oddPort.test(given)) {
      warnedOfPort = true;
      process.emitWarning(
        `The URL ${given} is invalid. Future versions of Node.js will throw an error.`,
        'DeprecationWarning',
        'DEP0170',
      );
    }
    return new Url().parse(given, query, slashes);
  }

  return {
    Url,
    parse,
    resolve: (from: unknown, to: string) => new Url().parse(from, false, true).resolve(to),
    resolveObject: (from: unknown, to: string) =>
      from ? new Url().parse(from, false, true).resolveObject(to) : to,
    format,
    URL: globalThis.URL,
    URLSearchParams: globalThis.URLSearchParams,
    domainToASCII: hostOf,
    domainToUnicode: (domain: unknown) => toUnicode(hostOf(domain)),
    pathToFileURL,
    fileURLToPath,
    fileURLToPathBuffer,
    urlToHttpOptions,
  };
};
