import legacy from 'unenv/node/url';
import type { MakeBuiltin } from './builtin.ts';
import { argTypeError, needString, nodeError } from './internal/errors.ts';

const encodedInPath: Readonly<Record<string, string>> = {
  '%': '%25',
  '\\': '%5C',
  '\n': '%0A',
  '\r': '%0D',
  '\t': '%09',
  '?': '%3F',
  '#': '%23',
};

function fileURLToPath(given: unknown): string {
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
  return decodeURIComponent(url.pathname);
}

function urlToHttpOptions(url: URL): Record<string, unknown> {
  const { hostname } = url;
  const options: Record<string, unknown> = {
    ...url,
    protocol: url.protocol,
    hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
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

const parts = [
  'protocol',
  'slashes',
  'auth',
  'host',
  'port',
  'hostname',
  'hash',
  'search',
  'query',
  'pathname',
  'path',
  'href',
];

/** Its parts as node lists them. */
function inOrder<Parsed extends object>(url: Parsed): Parsed {
  for (const part of parts) {
    const value: unknown = Reflect.get(url, part);
    Reflect.deleteProperty(url, part);
    Reflect.set(url, part, value);
  }
  return url;
}

export const makeUrl: MakeBuiltin = (_host, load) => {
  const { toUnicode } = load('punycode') as { toUnicode(domain: string): string };

  function pathToFileURL(given: unknown): URL {
    needString(given, 'path');
    const path = load('path');
    let full = path.resolve(given);
    if (given.endsWith('/') && !full.endsWith('/')) full += '/';
    return new URL(`file://${full.replace(/[%\\\n\r\t?#]/g, (char) => encodedInPath[char] ?? char)}`);
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
    if (typeof given === 'string') return legacy.format(parse(given));
    if (typeof given !== 'object' || given === null)
      throw argTypeError('urlObject', ['Object', 'string'], given);
    return legacy.format(given);
  }

  function parse(given: unknown, query = false, slashes = false) {
    if (given instanceof legacy.Url) return given;
    needString(given, 'url');
    try {
      return inOrder(legacy.parse(given, query, slashes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_URL')) throw error;
      throw nodeError('ERR_INVALID_URL', 'Invalid URL', TypeError, { input: given });
    }
  }

  return {
    Url: legacy.Url,
    parse,
    resolve: (from: string, to: string) => legacy.resolve(from, to),
    resolveObject: (from: string, to: string) => {
      const found = legacy.resolveObject(from, to);
      return typeof found === 'object' && found !== null ? inOrder(found) : found;
    },
    format,
    URL: globalThis.URL,
    URLSearchParams: globalThis.URLSearchParams,
    domainToASCII: hostOf,
    domainToUnicode: (domain: unknown) => toUnicode(hostOf(domain)),
    pathToFileURL,
    fileURLToPath,
    fileURLToPathBuffer: (url: unknown) => load('buffer').Buffer.from(fileURLToPath(url)),
    urlToHttpOptions,
  };
};
