import { headerOf, type NetHeaders } from '../../protocol/exchange.ts';
import { WorkspaceError, type ServerConnection } from '../workspace.ts';
import { ByteSource, latin1Bytes } from './byte-source.ts';

export interface ServerRequest {
  readonly method: string;
  /** The path with the query, as it stands in the first line of a request. */
  readonly target: string;
  /** With `host`. Those about the connection and the length of the body are written anew. */
  readonly headers: NetHeaders;
  readonly body: ReadableStream<Uint8Array> | Uint8Array | null;
}

export interface ServerResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: NetHeaders;
  /** Read it, or cancel it, which ends the connection. Fails with a {@link WorkspaceError} where it is cut off. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

const MOST_HEAD = 256 * 1024;
/** The headers that the client decides for each connection. */
const HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'te',
  'trailer',
]);

/**
 * Makes one HTTP request over a connection of its own. Resolves with the head of the answer, whose body is streamed. Rejects
 * with a {@link WorkspaceError} where the server does not answer as HTTP/1.1 asks.
 */
export async function requestOver(
  connection: ServerConnection,
  request: ServerRequest,
): Promise<ServerResponse> {
  const sent = send(connection.writable, request);
  // The answer tells what became of it; a server may answer, and leave, before it has read the body.
  sent.catch(() => undefined);
  const source = new ByteSource(connection.readable);
  const head = await readHead(source);
  return { ...head, body: bodyOf(source, head, request.method) };
}

async function send(writable: WritableStream<Uint8Array>, request: ServerRequest): Promise<void> {
  const { method, target, headers, body } = request;
  const own: [string, string][] = [['connection', 'close']];
  const length = body instanceof Uint8Array ? String(body.byteLength) : lengthIn(headers);
  const chunked = body !== null && length === undefined;
  if (body !== null) own.push(chunked ? ['transfer-encoding', 'chunked'] : ['content-length', length ?? '0']);
  else if (/^(POST|PUT|PATCH)$/.test(method)) own.push(['content-length', '0']);
  const writer = writable.getWriter();
  const lines = [...headers.filter(([name]) => !HOP.has(name.toLowerCase())), ...own];
  await writer.write(headBytes(`${method} ${target} HTTP/1.1`, lines));
  if (body instanceof Uint8Array) await writer.write(body);
  else if (body) await sendStream(writer, body, chunked);
}

async function sendStream(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  body: ReadableStream<Uint8Array>,
  chunked: boolean,
): Promise<void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.byteLength === 0) continue;
      if (chunked) await writer.write(latin1Bytes(`${value.byteLength.toString(16)}\r\n`));
      await writer.write(value);
      if (chunked) await writer.write(latin1Bytes('\r\n'));
    }
    if (chunked) await writer.write(latin1Bytes('0\r\n\r\n'));
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    await writer.abort(error);
  }
}

/** The bytes of a request's head. Line breaks in values, which would begin another header, become spaces. */
export function headBytes(first: string, headers: NetHeaders): Uint8Array<ArrayBuffer> {
  const lines = headers.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`);
  return latin1Bytes(`${first.replace(/[\r\n]+/g, ' ')}\r\n${lines.join('')}\r\n`);
}

type Head = Omit<ServerResponse, 'body'>;

/** Reads the head of an answer. Interim answers (1xx) are skipped, but for 101, after which another protocol begins. */
export async function readHead(source: ByteSource): Promise<Head> {
  for (;;) {
    const text = await source.until('\r\n\r\n', MOST_HEAD);
    const [first = '', ...lines] = text?.split('\r\n') ?? [];
    const match = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(first);
    if (!match) {
      await source.cancel().catch(() => undefined);
      throw broken(
        text === undefined
          ? 'The server closed the connection without an answer.'
          : 'The server does not speak HTTP.',
      );
    }
    const status = Number(match[1]);
    if (status >= 100 && status < 200 && status !== 101) continue;
    const headers = lines.flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]] : [];
    });
    return { status, statusText: match[2] ?? '', headers };
  }
}

function bodyOf(source: ByteSource, head: Head, method: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = piecesOf(source, head, method);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
}

async function* piecesOf(
  source: ByteSource,
  { status, headers }: Head,
  method: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  const encoding = headerOf(headers, 'transfer-encoding') ?? '';
  const length = Number(lengthIn(headers) ?? NaN);
  if (!isEmpty && /\bchunked\b/i.test(encoding)) yield* chunks(source);
  else if (!isEmpty && Number.isSafeInteger(length)) yield* counted(source, length);
  else if (!isEmpty) for (let piece; (piece = await source.some());) yield piece;
  await source.cancel();
}

async function* counted(source: ByteSource, length: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (let left = length; left > 0;) {
    const piece = await source.some(left);
    if (!piece) throw broken('The server closed the connection in the middle of its answer.');
    left -= piece.byteLength;
    yield piece;
  }
}

async function* chunks(source: ByteSource): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (;;) {
    const size = await source.until('\r\n', MOST_HEAD);
    const length = size !== undefined && /^[\da-f]+\s*(;|$)/i.test(size) ? parseInt(size, 16) : NaN;
    if (Number.isNaN(length)) throw broken('The server closed the connection in the middle of its answer.');
    if (length === 0) break;
    yield* counted(source, length);
    await source.until('\r\n', 2);
  }
  // Trailers follow, which nobody here reads.
  while (await source.until('\r\n', MOST_HEAD));
}

function lengthIn(headers: NetHeaders): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return value !== undefined && /^\d+$/.test(value) ? value : undefined;
}

function broken(message: string): WorkspaceError {
  return new WorkspaceError('EGONE', '', message);
}
