import type { HeaderList } from '../builtin.ts';
import { nodeError } from '../internal/errors.ts';

/** The fields of an outgoing message that decide its head, and are changed by it. The names are node's. */
export interface HeadSettings {
  readonly sendDate: boolean;
  readonly useChunkedEncodingByDefault: boolean;
  readonly maxRequestsOnConnectionReached: boolean;
  readonly _hasBody: boolean;
  readonly _contentLength: number | null;
  readonly _keepAliveTimeout: number;
  readonly _maxRequests: number;
  readonly _removedContLen: boolean;
  readonly _removedTE: boolean;
  _removedConnection: boolean;
  shouldKeepAlive: boolean;
  chunkedEncoding: boolean;
  _last: boolean;
}

/**
 * Returns the text of a head: `first`, its line with the line break, the headers of `list`, and those that node adds.
 * Sets how the message is sent: in chunks or not, and whether the connection closes after it.
 */
export function composeHead(message: HeadSettings, first: string, list: HeaderList): string {
  const names = new Map(list.map(([name, value]) => [name.toLowerCase(), value]));
  let head = first + list.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const connection = names.get('connection');
  if (connection !== undefined) {
    message._removedConnection = false;
    if (/\bclose\b/i.test(connection)) message._last = true;
    else message.shouldKeepAlive = true;
  }
  if (message.sendDate && !names.has('date')) head += `Date: ${new Date().toUTCString()}\r\n`;
  const hasLength = names.has('content-length');
  const encoding = names.get('transfer-encoding');
  if (encoding !== undefined && /\bchunked\b/i.test(encoding)) message.chunkedEncoding = true;
  if (message.chunkedEncoding && /^HTTP\S+ (204|304) /.test(first)) {
    message.chunkedEncoding = false;
    message.shouldKeepAlive = false;
  }
  if (message._removedConnection) message._last = !message.shouldKeepAlive;
  else if (connection === undefined) head += connectionHeader(message, hasLength, names.has('keep-alive'));
  if (!hasLength && encoding === undefined) {
    if (!message._hasBody) message.chunkedEncoding = false;
    else if (!message.useChunkedEncodingByDefault) message._last = true;
    else if (!names.has('trailer') && !message._removedContLen && message._contentLength !== null)
      head += `Content-Length: ${message._contentLength}\r\n`;
    else if (!message._removedTE) {
      head += 'Transfer-Encoding: chunked\r\n';
      message.chunkedEncoding = true;
    } else message._last = true;
  }
  if (!message.chunkedEncoding && names.has('trailer'))
    throw nodeError('ERR_HTTP_TRAILER_INVALID', 'Trailers are invalid with this transfer encoding');
  return `${head}\r\n`;
}

function connectionHeader(message: HeadSettings, hasLength: boolean, hasKeepAlive: boolean): string {
  const keeps =
    message.shouldKeepAlive && (hasLength || message.useChunkedEncodingByDefault || 'agent' in message);
  if (message.maxRequestsOnConnectionReached || !keeps) {
    message._last = true;
    return 'Connection: close\r\n';
  }
  const seconds = Math.floor(message._keepAliveTimeout / 1000);
  const max = message._maxRequests > 0 ? `, max=${message._maxRequests}` : '';
  return `Connection: keep-alive\r\n${seconds > 0 && !hasKeepAlive ? `Keep-Alive: timeout=${seconds}${max}\r\n` : ''}`;
}
