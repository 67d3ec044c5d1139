import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ScriptPlan, type PlannedStep } from '../../../src/models/script/plan.ts';
import { parseScript } from '../../../src/models/script/schema.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openAIChat } from './openai-chat.ts';
import { openAIResponses } from './openai-responses.ts';
import { field, type Frame, type Wire } from './wire.ts';

/** What the server does wrong at one model request, counted from 0; requests for the list of models do not count. */
export type ServerFault = { readonly request: number } & (
  | { readonly kind: 'cut'; readonly in: Spot; readonly how: 'end' | 'reset' }
  /** Says nothing more, and keeps the connection open. */
  | { readonly kind: 'hang'; readonly in: Spot }
  | { readonly kind: 'malformed'; readonly in: 'text' | 'arguments' }
  | { readonly kind: 'error-event'; readonly in: 'text' | 'arguments'; readonly message: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'slow-start'; readonly ms: number }
  /** With `body`, that is sent in place of the stream. */
  | { readonly kind: 'content-type'; readonly value: string; readonly body?: string }
);

/** Before anything; after the headers; half-way through the text or the arguments; before the end is announced. */
type Spot = 'connection' | 'headers' | 'text' | 'arguments' | 'end';

export interface ServerOptions {
  readonly script: unknown;
  readonly faults?: readonly ServerFault[];
  /** Whether pages of other origins may read the answers; default true. */
  readonly cors?: boolean;
  /** The one key that is accepted; default: any, and none. */
  readonly key?: string;
  /** Ids for the list of models. */
  readonly models?: readonly string[];
  /** The list of models, if the server does something else than to send it. With `tags`, only Ollama's own list is there. */
  readonly listing?: 'fails' | 'page' | 'hangs' | 'tags';
  /** 0, the default, takes any free one. */
  readonly port?: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`; the OpenAI-compatible base URL is this and `/v1`. */
  readonly url: string;
  /** In the order in which they came; preflights are among them. */
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** The scripts of this server have no cases that look into a request. */
const NO_FACTS = () => ({ system: '', results: [], tools: [] });

const WIRES: readonly Wire[] = [openAIChat, openAIResponses, anthropic, google];

/** Exactly the headers that the providers need: one more, and a browser's preflight fails, as at strict servers. */
const ALLOWED_HEADERS =
  'authorization, content-type, x-api-key, anthropic-version, anthropic-beta, anthropic-dangerous-direct-browser-access, x-goog-api-key';

/** A model server on loopback that says what a script says, in every provider's protocol. */
export async function start(options: ServerOptions): Promise<ModelServer> {
  const plan = new ScriptPlan(parseScript(options.script));
  const requests: RecordedRequest[] = [];
  let modelRequests = 0;

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://server').pathname;
    const body = parsed(await bodyOf(request));
    requests.push({ method: request.method ?? '', path, headers: request.headers, body });
    if (options.cors !== false) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-expose-headers', 'retry-after, retry-after-ms');
      if (request.method === 'OPTIONS') {
        response.setHeader('access-control-allow-methods', 'GET, POST');
        response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
      }
    }
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const wire = request.method === 'POST' ? WIRES.find((candidate) => candidate.path.test(path)) : undefined;
    if (options.key !== undefined && keyIn(request) !== options.key)
      return json(response, 401, (wire ?? openAIChat).error(401, 'Incorrect API key provided.'));
    if (options.listing === 'tags' && path === '/api/tags')
      return json(response, 200, { models: (options.models ?? []).map((name) => ({ name })) });
    if (options.listing && path.endsWith('/models')) return list(options.listing, response);
    if (request.method === 'GET' && path.endsWith('/models'))
      return json(response, 200, modelList(path, request));
    if (!wire) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    if (
      wire === anthropic &&
      request.headers.origin &&
      !request.headers['anthropic-dangerous-direct-browser-access']
    )
      return json(response, 401, wire.error(401, 'CORS requests must set the browser access header.'));
    const number = modelRequests++;
    const fault = options.faults?.find((candidate) => candidate.request === number);
    await answer(wire, plan.next(wire.spoken(body), NO_FACTS), fault, body, path, response);
  }

  async function answer(
    wire: Wire,
    planned: PlannedStep,
    fault: ServerFault | undefined,
    body: unknown,
    path: string,
    response: ServerResponse,
  ): Promise<void> {
    if (fault?.kind === 'slow-start') await pause(fault.ms);
    if (fault?.kind === 'status') {
      for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value);
      return json(response, fault.status, wire.error(fault.status, fault.message));
    }
    if ('missing' in planned) return json(response, 400, wire.error(400, planned.missing));
    if (planned.step.error) {
      const { status, retryAfter } = planned.step.error;
      if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
      return json(response, status, wire.error(status, `The script answers with status ${status}.`));
    }
    if (fault && 'in' in fault && fault.in === 'connection') return stop(fault, response);
    const contentType = fault?.kind === 'content-type' ? fault.value : 'text/event-stream; charset=utf-8';
    response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache' });
    response.flushHeaders();
    if (fault?.kind === 'content-type' && fault.body !== undefined) return void response.end(fault.body);
    if (fault && 'in' in fault && fault.in === 'headers') return stop(fault, response);
    const model = String(field(body, 'model') ?? /models\/([^/:]+):/.exec(path)?.[1] ?? 'model');
    const frames = wire.frames(planned.step, planned.position, model);
    const struck = fault && 'in' in fault ? middleOf(frames, fault.in) : -1;
    for (const [index, frame] of frames.entries()) {
      if (index === struck && fault) {
        if (fault.kind === 'malformed') response.write('data: {"id": "broken", "choices": [{"del\n\n');
        else if (fault.kind === 'error-event') response.write(wire.errorFrame(fault.message));
        else return stop(fault, response);
      }
      if (plan.script.chunkDelayMs > 0 && frame.of !== 'start') await pause(plan.script.chunkDelayMs);
      if (response.destroyed) return;
      response.write(frame.text);
    }
    response.end();
  }

  function modelList(path: string, request: IncomingMessage): unknown {
    const ids = options.models ?? ['scripted'];
    if (path.startsWith('/v1beta'))
      return {
        models: ids.map((id) => ({
          name: `models/${id}`,
          displayName: id,
          inputTokenLimit: 1000,
          outputTokenLimit: 100,
          supportedGenerationMethods: ['generateContent'],
        })),
      };
    if (request.headers['anthropic-version'])
      return { data: ids.map((id) => ({ type: 'model', id, display_name: id })), has_more: false };
    return { object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by: 'test' })) };
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers a request for the list of models as a server does that has none. */
function list(listing: NonNullable<ServerOptions['listing']>, response: ServerResponse): void {
  if (listing === 'hangs') return;
  if (listing === 'page')
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>x</title>');
  json(response, listing === 'tags' ? 404 : 500, { error: { message: 'The list is broken.' } });
}

function stop(fault: ServerFault, response: ServerResponse): void {
  if (fault.kind === 'cut' && fault.how === 'end') response.end();
  if (fault.kind !== 'cut' || fault.how !== 'reset') return;
  // What was said before must have left, or it would be lost with the connection.
  if (response.headersSent) response.write(': the connection is lost here\n\n', () => response.destroy());
  else response.destroy();
}

/** The middle frame of a kind, so that something of it has come before; of the end, the first. */
function middleOf(frames: readonly Frame[], of: Frame['of'] | Spot): number {
  if (of === 'end') return frames.findIndex((frame) => frame.of === 'end');
  const places = frames.flatMap((frame, index) => (frame.of === of ? [index] : []));
  return places[Math.floor(places.length / 2)] ?? -1;
}

function keyIn({ headers }: IncomingMessage): string | undefined {
  const key =
    headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  return Array.isArray(key) ? key[0] : key;
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
