import type { LoadBuiltin } from '../builtin.ts';
import type { IncomingMessage } from '../http/incoming.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

interface Crypto {
  createHash(name: 'sha1'): { update(text: string): { digest(encoding: 'base64'): string } };
}

/** The part of the opening handshake that the server's answer must match. */
export interface Offer {
  readonly key: string;
  readonly protocols: readonly string[];
}

export function makeOffer(protocols: readonly string[]): Offer {
  return { key: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))), protocols };
}

/** Returns what is wrong with the server's answer, or undefined. */
export function answerFault(
  load: LoadBuiltin,
  { headers }: Pick<IncomingMessage, 'headers'>,
  { key, protocols }: Offer,
): string | undefined {
  const { createHash } = load('crypto') as Crypto;
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  if (headers['sec-websocket-accept'] !== accept)
    return 'Incorrect hash received in Sec-WebSocket-Accept header.';
  if (headers['sec-websocket-extensions'] !== undefined)
    return 'Sec-WebSocket-Extensions header does not match.';
  const protocol = headers['sec-websocket-protocol'];
  if (protocol !== undefined && !protocols.includes(String(protocol)))
    return 'Protocol was not set in the opening handshake.';
  return undefined;
}

/** The headers of the request, as a flat list of names and values. `host` is that of the address. */
export function headersOf(host: string, { key, protocols }: Offer): string[] {
  return [
    ...['host', host, 'connection', 'upgrade', 'upgrade', 'websocket'],
    ...['sec-websocket-key', key, 'sec-websocket-version', '13'],
    ...(protocols.length > 0 ? ['sec-websocket-protocol', protocols.join(', ')] : []),
    ...['accept', '*/*', 'accept-language', '*', 'sec-fetch-mode', 'websocket', 'user-agent', 'node'],
    ...['pragma', 'no-cache', 'cache-control', 'no-cache', 'accept-encoding', 'gzip, deflate'],
  ];
}

/** Checks the address of a WebSocket as browsers do. */
export function urlOf(given: string | URL): URL {
  const wrong = (message: string) => new DOMException(message, 'SyntaxError');
  let url: URL;
  try {
    url = new URL(given);
  } catch (error) {
    throw wrong(String(error));
  }
  if (/^https?:$/.test(url.protocol)) url = new URL(url.href.replace(/^http/, 'ws'));
  if (!/^wss?:$/.test(url.protocol)) throw wrong(`Expected a ws: or wss: protocol, got ${url.protocol}`);
  if (url.hash || url.href.endsWith('#')) throw wrong('Got fragment');
  return url;
}

export function protocolsOf(given: unknown): string[] {
  const list = (Array.isArray(given) ? given : [given]).map(String);
  const isToken = (text: string) => /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/.test(text);
  if (!list.every(isToken) || new Set(list.map((each) => each.toLowerCase())).size < list.length)
    throw new DOMException('Invalid Sec-WebSocket-Protocol value', 'SyntaxError');
  return list;
}
