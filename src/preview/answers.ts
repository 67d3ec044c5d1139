import type { Clock } from '../base/clock.ts';
import { faultOf } from '../base/fault.ts';
import { EXCHANGE_WINDOW, headerOf, Window } from '../protocol/exchange.ts';
import { PAGE_SCRIPT_PATH, PORT_FOLDER, type PreviewRequest, type ToClient } from '../protocol/preview.ts';
import { requestOver } from '../workspace/servers/http.ts';
import type { Files, ServerConnection, Servers } from '../workspace/workspace.ts';
import { textAnswer, type Answered } from './answered.ts';
import type { CookieJar } from './cookies.ts';
import { withFirstElement } from './first-script.ts';
import type { PreviewLog } from './log.ts';
import { previewPolicy, responseHeaders } from './response-headers.ts';
import { fromClient } from './schemas.ts';
import { answerFromFolder } from './static-site.ts';
import type { PreviewTarget } from './target.ts';

export interface AnswersDeps {
  readonly servers: Servers | undefined;
  readonly files: Files;
  isVisible(path: string): Promise<boolean>;
  /** The hosts that pages may reach, as sources of a content security policy. */
  sources(): Promise<string>;
  readonly cookies: CookieJar;
  readonly log: PreviewLog;
  readonly clock: Clock;
  /** A server has changed the cookies. */
  cookiesChanged(): void;
  /** A frame gets a document: the page of the preview, or a frame in it. */
  documentAnswered(answered: AnsweredDocument): void;
}

export interface AnsweredDocument {
  readonly target: string;
  readonly status: number;
  /** The media type as the server names it; empty if it names none. */
  readonly type: string;
  /** Whether it is HTML, in which the preview's own script runs. */
  readonly isPage: boolean;
}

const FRAMES = new Set(['document', 'iframe', 'frame']);

/** Answers the requests of one preview from the workspace. */
export class PreviewAnswers {
  readonly #deps: AnswersDeps;
  readonly #target: PreviewTarget;

  constructor(target: PreviewTarget, deps: AnswersDeps) {
    this.#target = target;
    this.#deps = deps;
  }

  /** Answers over the channel, and notes in the log how it went. Never throws. */
  async serve(request: PreviewRequest, channel: MessagePort): Promise<void> {
    const { clock, log } = this.#deps;
    const begun = clock.now();
    const noted = { kind: 'request', method: request.method, target: request.target } as const;
    const exchange = new Exchange(channel, request.hasBody);
    try {
      const answered = await this.answer(request, exchange.body);
      log.add({ ...noted, status: answered.status, ms: clock.now() - begun });
      await exchange.send(answered);
    } catch (error) {
      const problem = faultOf(error).what;
      if (!exchange.isGone) log.add({ ...noted, problem, ms: clock.now() - begun });
      exchange.fail(problem);
    }
  }

  /** Rejects where the server breaks off. */
  async answer(request: PreviewRequest, body: ReadableStream<Uint8Array> | null): Promise<Answered> {
    const { port, target } = this.#placeOf(request.target);
    const { files, isVisible, cookies, cookiesChanged, sources } = this.#deps;
    const folder = port === undefined && this.#target.kind === 'folder' ? this.#target : undefined;
    const raw = folder
      ? await answerFromFolder({ path: folder.path, files, isVisible }, request.method, target)
      : await this.#fromServer(port ?? 0, target, request, body);
    const given = raw.headers.filter(([name]) => name === 'set-cookie');
    const changes = given.map(([, value]) => request.cookies && cookies.set(value, target));
    if (changes.includes(true)) cookiesChanged();
    const answered = unpacked(raw);
    const headers = responseHeaders(answered.headers, port, previewPolicy(await sources()));
    const isDocument = FRAMES.has(request.destination) && staysInFrame(answered);
    const type = headerOf(answered.headers, 'content-type') ?? '';
    const isPage = isDocument && /^text\/html\b/i.test(type);
    if (isDocument)
      this.#deps.documentAnswered({ target: request.target, status: answered.status, type, isPage });
    if (!isPage || request.method === 'HEAD') return { ...answered, headers };
    return {
      ...answered,
      headers: headers.filter(([name]) => name !== 'content-length'),
      body: withFirstElement(answered.body, firstScript(cookies.header(target, true))),
    };
  }

  /** A connection to the server that an address of the preview means, and the path there. */
  async connect(address: string) {
    const { port, target } = this.#placeOf(address);
    const connection = port === undefined ? null : await this.#connection(port);
    return connection && { connection, target, headers: this.#headers([], port ?? 0, target, true) };
  }

  async #fromServer(
    port: number,
    target: string,
    request: PreviewRequest,
    body: ReadableStream<Uint8Array> | null,
  ): Promise<Answered> {
    const connection = await this.#connection(port);
    if (!connection) return textAnswer(502, `No server listens on port ${port} of this workspace.`);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const more: [string, string][] = [];
    if (!isRead) more.push(['origin', `http://localhost:${port}`]);
    if (request.referrer) more.push(['referer', `http://localhost:${port}${request.referrer}`]);
    more.push(['sec-fetch-dest', request.destination || 'empty'], ['sec-fetch-site', 'same-origin']);
    const headers = [...this.#headers(request.headers, port, target, request.cookies), ...more];
    return requestOver(connection, { method: request.method, target, headers, body });
  }

  #connection(port: number): Promise<ServerConnection | null> {
    return this.#deps.servers?.connect?.(port) ?? Promise.resolve(null);
  }

  #headers(
    given: PreviewRequest['headers'],
    port: number,
    target: string,
    withCookies: boolean,
  ): [string, string][] {
    const cookies = withCookies ? this.#deps.cookies.header(target) : '';
    const own = new Set(['host', 'cookie', 'origin', 'referer', 'accept-encoding', 'user-agent']);
    return [
      ['host', `localhost:${port}`],
      ...given.flatMap(([name, value]): [string, string][] =>
        own.has(name.toLowerCase()) ? [] : [[name, value]],
      ),
      ['user-agent', globalThis.navigator?.userAgent ?? 'Vitrine'],
      ...(cookies ? [['cookie', cookies] as [string, string]] : []),
    ];
  }

  #placeOf(address: string): { readonly port: number | undefined; readonly target: string } {
    const match = address.startsWith(PORT_FOLDER)
      ? /^(\d{1,5})(\/.*)?$/.exec(address.slice(PORT_FOLDER.length))
      : null;
    if (match) return { port: Number(match[1]), target: match[2] ?? '/' };
    return { port: this.#target.kind === 'server' ? this.#target.port : undefined, target: address };
  }
}

/** Whether a frame shows the answer: it leads nowhere else, is no download and has a body. */
function staysInFrame({ status, headers }: Answered): boolean {
  const isDownload = /^\s*attachment\b/i.test(headerOf(headers, 'content-disposition') ?? '');
  return !isDownload && status !== 204 && status !== 205 && (status < 300 || status > 399);
}

function firstScript(cookies: string): string {
  const escaped = cookies.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<script src="${PAGE_SCRIPT_PATH}" data-cookies="${escaped}"></script>`;
}

/** Browsers unpack only what comes over a network. */
function unpacked(answered: Answered): Answered {
  const encoding = headerOf(answered.headers, 'content-encoding')?.trim().toLowerCase();
  if (encoding !== 'gzip' && encoding !== 'deflate') return answered;
  return {
    ...answered,
    headers: answered.headers.filter(([name]) => name !== 'content-encoding' && name !== 'content-length'),
    body: answered.body.pipeThrough(unpacker(encoding)),
  };
}

/** The platform's types do not say that it gives bytes. */
function unpacker(encoding: CompressionFormat) {
  return new DecompressionStream(encoding) as ReadableWritablePair<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >;
}

/** The app's side of one request's channel. */
class Exchange {
  readonly #channel: MessagePort;
  readonly #window = new Window(EXCHANGE_WINDOW);
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  #body: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #unread = 0;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #gone = false;

  constructor(channel: MessagePort, hasBody: boolean) {
    this.#channel = channel;
    this.body = hasBody ? this.#bodyStream() : null;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#hear(data);
  }

  get isGone(): boolean {
    return this.#gone;
  }

  /** Sends the answer as fast as the client reads it. Rejects where the server breaks off. */
  async send({ status, statusText, headers, body }: Answered): Promise<void> {
    if (this.#gone) return body.cancel();
    this.#say({ kind: 'response', status, statusText, headers });
    const reader = body.getReader();
    this.#reader = reader;
    for (;;) {
      const { done, value } = await reader.read();
      if (this.#gone) return;
      if (done) break;
      const bytes = value.slice();
      const { byteLength } = bytes;
      this.#say({ kind: 'body', bytes }, [bytes.buffer]);
      await this.#window.sent(byteLength);
    }
    this.#say({ kind: 'end' });
    this.#channel.close();
  }

  fail(message: string): void {
    if (this.#gone) return;
    this.#say({ kind: 'failed', code: 'EGONE', message });
    this.#leave();
  }

  #bodyStream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (controller) => void (this.#body = controller),
        pull: () => {
          if (this.#unread > 0) this.#say({ kind: 'used', bytes: this.#unread });
          this.#unread = 0;
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 1 }),
    );
  }

  #hear(data: unknown): void {
    if (this.#gone) return;
    const parsed = fromClient.safeParse(data);
    const message = parsed.success ? parsed.data : ({ kind: 'gone' } as const);
    switch (message.kind) {
      case 'used':
        return this.#window.used(message.bytes);
      case 'body':
        this.#unread += message.bytes.byteLength;
        // A sender that ignores the window would fill the app's memory.
        if (this.#unread > 4 * EXCHANGE_WINDOW) return this.fail('The page sent more than was asked for.');
        return this.#body?.enqueue(message.bytes);
      case 'end':
        this.#body?.close();
        return void (this.#body = undefined);
      case 'gone':
        return this.#leave();
    }
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#body?.error(new Error('The page gave up the request.'));
    this.#body = undefined;
    this.#window.used(EXCHANGE_WINDOW);
    this.#channel.close();
    void this.#reader?.cancel().catch(() => undefined);
  }

  #say(message: ToClient, transfer: Transferable[] = []): void {
    this.#channel.postMessage(message, transfer);
  }
}
