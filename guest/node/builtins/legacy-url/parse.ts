import { nodeError } from '../internal/errors.ts';
import { parse as parseQuery } from '../querystring.ts';
import { isBracketed, isScript, isSlashed, setPath, type Parts } from './parts.ts';

const MAX_HOSTNAME_LENGTH = 255;

const OUTER_SPACE = /^[\0-\x20\xa0\ufeff]+|[\0-\x20\xa0\ufeff]+$/g;
const SIMPLE_PATH = /^(\/\/?(?!\/)[^?\s]*)(\?\S*)?$/;
const ESCAPED = /[\t\n\r "'<>\\^`{|}]/g;
/** The host ends before one of these. */
const AFTER_HOST = /[ "%';<>\\^`{|}]/;
const FORBIDDEN = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const FORBIDDEN_IN_BRACKETS = /[\0\t\n\r #%/<>?@\\^|]/;

export interface ParseOptions {
  /** Makes `query` an object. */
  readonly parsesQuery: boolean;
  /** Makes a text that begins with two slashes begin with a host. */
  readonly slashesDenoteHost: boolean;
  /** Returns the ASCII form of a hostname; empty where there is none. */
  hostToASCII(hostname: string): string;
}

/** Fills in the parts of a URL, whose fields must be null. Throws for a host that cannot be one. */
export function parseParts(url: Parts, text: string, options: ParseOptions): void {
  const [, start = '', end = ''] = /^([^?#]*)([^]*)$/.exec(text.replace(OUTER_SPACE, '')) ?? [];
  const whole = start.replaceAll('\\', '/') + end;
  if (!options.slashesDenoteHost && !end.includes('#') && !start.includes('@')) {
    const simple = SIMPLE_PATH.exec(whole);
    if (simple) return setSimplePath(url, whole, simple, options);
  }
  const given = /^[\d+.a-z-]+:/i.exec(whole)?.[0];
  const protocol = given?.toLowerCase() ?? null;
  url.protocol = protocol;
  let rest = whole.slice(given?.length ?? 0);

  const mayHaveHost = options.slashesDenoteHost || given || /^\/\/[^/@]+@[^/@]+/.test(rest);
  const hasSlashes = Boolean(mayHaveHost) && rest.startsWith('//');
  if (hasSlashes && !isScript(protocol)) {
    rest = rest.slice(2);
    url.slashes = true;
  }
  if (!isScript(protocol) && (hasSlashes || (given && !isSlashed(given))))
    rest = takeHost(url, rest, text, options);

  if (!isScript(protocol)) rest = rest.replace(ESCAPED, percentCode);
  const [, pathname = '', search, hash] = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(rest) ?? [];
  url.hash = hash ?? null;
  setSearch(url, search, options);
  url.pathname = pathname || (isSlashed(protocol) && url.hostname ? '/' : null);
  setPath(url);
}

function percentCode(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function setSimplePath(url: Parts, whole: string, simple: RegExpExecArray, options: ParseOptions): void {
  url.path = whole;
  url.pathname = simple[1] ?? null;
  setSearch(url, simple[2], options);
}

function setSearch(url: Parts, search: string | undefined, { parsesQuery }: ParseOptions): void {
  const text = search?.slice(1);
  url.search = search ?? null;
  url.query = parsesQuery ? parseQuery(text) : (text ?? null);
}

/** Takes the host off the front of the text, and returns what follows it. */
function takeHost(url: Parts, text: string, whole: string, { hostToASCII }: ParseOptions): string {
  const [authority = ''] = /^[^/?#]*/.exec(text) ?? [];
  const plain = authority.replace(/[\t\n\r]/g, '');
  const at = plain.lastIndexOf('@');
  if (at >= 0) url.auth = decodeURIComponent(plain.slice(0, at));
  const afterAuth = plain.slice(at + 1);
  const end = afterAuth.search(AFTER_HOST);
  url.host = end < 0 ? afterAuth : afterAuth.slice(0, end);
  let rest = (end < 0 ? '' : afterAuth.slice(end)) + text.slice(authority.length);

  splitHost(url);
  let hostname = url.hostname ?? '';
  const isInBrackets = isBracketed(hostname);
  const colon = isInBrackets ? -1 : hostname.indexOf(':');
  if (colon >= 0) {
    rest = `/${hostname.slice(colon)}${rest}`;
    hostname = hostname.slice(0, colon);
  }
  hostname = hostname.length > MAX_HOSTNAME_LENGTH ? '' : hostname.toLowerCase();
  if (hostname !== '') {
    if (!isInBrackets) hostname = hostToASCII(hostname);
    if (hostname === '' || (isInBrackets ? FORBIDDEN_IN_BRACKETS : FORBIDDEN).test(hostname))
      throw nodeError('ERR_INVALID_URL', 'Invalid URL', TypeError, { input: whole });
  }
  url.host = hostname + (url.port ? `:${url.port}` : '');
  url.hostname = isInBrackets ? hostname.slice(1, -1) : hostname;
  return isInBrackets && !rest.startsWith('/') ? `/${rest}` : rest;
}

/** Sets the hostname and the port from the host. */
export function splitHost(url: Parts): void {
  const [, hostname = '', port] = /^([^]*?)(?::(\d*))?$/.exec(url.host ?? '') ?? [];
  if (port) url.port = port;
  if (hostname) url.hostname = hostname;
}
