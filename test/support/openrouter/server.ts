import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong when a code is exchanged for a key. */
export type ExchangeFault =
  | { readonly kind: 'status'; readonly status: number; readonly message: string }
  | { readonly kind: 'no-key' | 'cut' };

export interface FakeOpenRouter {
  readonly url: string;
  /** The key that each finished sign-in gets. */
  readonly key: string;
  /** Set by tests: the next exchanges do this. */
  readonly faults: ExchangeFault[];
  /** Bodies of exchanges, in the order in which they came. */
  readonly exchanges: unknown[];
  close(): Promise<void>;
}

const LISTED = [
  { id: 'lab/large', name: 'Large', price: '0.000003', context_length: 200_000, tools: true },
  { id: 'lab/narrow:free', name: 'Narrow', price: '0', context_length: 4_000, tools: true },
  { id: 'lab/mute:free', name: 'Mute', price: '0', context_length: 200_000, tools: false },
  { id: 'lab/tiny:free', name: 'Tiny', price: '0', context_length: 64_000, tools: true },
];

/** Stands in for openrouter.ai: its sign-in page, the exchange of codes, which it really checks, and its list of models. */
export async function fakeOpenRouter(): Promise<FakeOpenRouter> {
  const key = `sk-or-v1-${'k'.repeat(32)}`;
  const faults: ExchangeFault[] = [];
  const exchanges: unknown[] = [];
  /** The challenges by their codes. Each code works once. */
  const challenges = new Map<string, string>();

  function page(query: URLSearchParams, response: ServerResponse): void {
    const callback = query.get('callback_url') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    if (
      query.get('code_challenge_method') !== 'S256' ||
      !/^[\w-]{43}$/.test(challenge) ||
      !URL.canParse(callback)
    )
      return void response.writeHead(400).end('The request is not valid.');
    const code = `code-${challenges.size}-of-the-fake`;
    challenges.set(code, challenge);
    const allowed = new URL(callback);
    allowed.searchParams.set('code', code);
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<!doctype html><html lang="en"><title>OpenRouter</title><a href="${escaped(allowed.href)}">Authorize</a>
       <a href="${escaped(callback)}">Deny</a></html>`,
    );
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await textOf(request)) as Readonly<Record<string, string>>;
    exchanges.push(body);
    const fault = faults.shift();
    if (fault?.kind === 'cut') return void response.destroy();
    if (fault?.kind === 'no-key') return json(response, 200, { user_id: 'u' });
    if (fault?.kind === 'status')
      return json(response, fault.status, { error: { code: fault.status, message: fault.message } });
    const { code = '', code_verifier: verifier = '', code_challenge_method: method } = body;
    const challenge = challenges.get(code);
    if (challenge === undefined)
      return json(response, 403, { error: { code: 403, message: 'Invalid code' } });
    if (method !== 'S256' || createHash('sha256').update(verifier).digest('base64url') !== challenge)
      return json(response, 403, { error: { code: 403, message: 'Invalid code_verifier' } });
    challenges.delete(code);
    json(response, 200, { key, user_id: 'u' });
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (pathname === '/auth') return page(searchParams, response);
    if (pathname === '/api/v1/auth/keys')
      return void exchange(request, response).catch(() => response.destroy());
    if (pathname === '/api/v1/models') return json(response, 200, { data: LISTED.map(listed) });
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    faults,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listed({ id, name, price, context_length, tools }: (typeof LISTED)[number]): object {
  return {
    ...{ id, name, context_length, pricing: { prompt: price, completion: price } },
    supported_parameters: tools ? ['tools', 'max_tokens'] : ['max_tokens'],
  };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
