import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import * as z from 'zod';

export interface McpFixtureOptions {
  /** It wants a sign-in. */
  readonly protectedBy?: 'registration' | 'known-client' | 'client-metadata';
  /** Pages of other origins are not let in. */
  readonly withoutCors?: boolean;
  /** Calls of `add` need this scope as well. */
  readonly scopeOfAdd?: string;
  /** The port, where it is to come back at the address that it had. */
  readonly port?: number;
}

const KNOWN_CLIENT = 'vitrine-client';
const CLIENT_METADATA = 'https://vitrine.example/client-metadata.json';

/**
 * A tool server on this machine: the protocol's own server package over HTTP, and where it is protected, an
 * authorization server beside it (RFC 9728, 8414, 7591, PKCE with S256) whose page agrees with one link.
 */
export async function mcpServer({
  protectedBy,
  withoutCors = false,
  scopeOfAdd,
  port = 0,
}: McpFixtureOptions = {}) {
  const sessions = new Map<
    string,
    { transport: WebStandardStreamableHTTPServerTransport; server: McpServer }
  >();
  const clients = new Map<string, readonly string[]>([[KNOWN_CLIENT, []]]);
  const codes = new Map<
    string,
    { readonly challenge: string; readonly client: string; readonly scope: string }
  >();
  /** Access tokens, and what they are for. */
  const tokens = new Map<string, string>();
  const refreshes = new Set<string>();
  const requests: { readonly method: string; readonly path: string; readonly authorization?: string }[] = [];
  let base = '';

  async function answerMcp(request: Request): Promise<Response> {
    if (protectedBy && !tokens.has(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''))
      return new Response('', {
        status: 401,
        headers: {
          'WWW-Authenticate': `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
        },
      });
    const scope = tokens.get(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '') ?? '';
    if (scopeOfAdd !== undefined && !scope.split(' ').includes(scopeOfAdd)) {
      const text = await request.clone().text();
      if (text.includes('"tools/call"') && text.includes('"add"'))
        return new Response('', {
          status: 403,
          headers: {
            'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopeOfAdd}", resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
          },
        });
    }
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known) return known.transport.handleRequest(request);
    if (id !== null)
      return Response.json(
        { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
        { status: 404 },
      );
    const server = toolsOf();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, { transport, server }),
    });
    await server.connect(transport);
    return transport.handleRequest(request);
  }

  async function answerSignIn(request: Request, url: URL): Promise<Response | undefined> {
    if (!protectedBy) return undefined;
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return Response.json({
          resource: `${base}/mcp`,
          authorization_servers: [base],
          scopes_supported: ['tools'],
        });
      case '/.well-known/oauth-authorization-server':
        return Response.json({
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          ...(protectedBy === 'registration' && { registration_endpoint: `${base}/register` }),
          ...(protectedBy === 'client-metadata' && { client_id_metadata_document_supported: true }),
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/register': {
        const asked = z.looseObject({ redirect_uris: z.array(z.string()) }).parse(await request.json());
        const client = randomUUID();
        clients.set(client, asked.redirect_uris);
        return Response.json({ ...asked, client_id: client }, { status: 201 });
      }
      case '/authorize': {
        const {
          client_id: client = '',
          redirect_uri: back = '',
          state = '',
          code_challenge: challenge = '',
        } = Object.fromEntries(url.searchParams);
        const allowed = clients.get(client) ?? (client === CLIENT_METADATA ? [] : undefined);
        if (
          !allowed ||
          (allowed.length > 0 && !allowed.includes(back)) ||
          url.searchParams.get('code_challenge_method') !== 'S256'
        )
          return new Response('unknown client', { status: 400 });
        const code = randomUUID();
        codes.set(code, { challenge, client, scope: url.searchParams.get('scope') ?? '' });
        const agreed = new URL(back);
        agreed.search = new URLSearchParams({ code, state, iss: base }).toString();
        return new Response(
          `<!doctype html><title>Agree</title><a href="${agreed.href.replaceAll('&', '&amp;')}">Agree</a>`,
          {
            headers: { 'Content-Type': 'text/html' },
          },
        );
      }
      case '/token': {
        const form = new URLSearchParams(await request.text());
        let scope = '';
        if (form.get('grant_type') === 'refresh_token') {
          if (!refreshes.delete(form.get('refresh_token') ?? '')) return invalidGrant();
        } else {
          const asked = codes.get(form.get('code') ?? '');
          codes.delete(form.get('code') ?? '');
          const proof = createHash('sha256')
            .update(form.get('code_verifier') ?? '')
            .digest('base64url');
          if (!asked || asked.challenge !== proof || asked.client !== form.get('client_id'))
            return invalidGrant();
          scope = asked.scope;
        }
        const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
        tokens.set(access, scope);
        refreshes.add(refresh);
        return Response.json({
          access_token: access,
          refresh_token: refresh,
          token_type: 'Bearer',
          expires_in: 3600,
          scope,
        });
      }
      default:
        return undefined;
    }
  }

  const http = createServer((incoming, outgoing) => {
    void (async () => {
      const request = await requestOf(incoming, base);
      const url = new URL(request.url);
      const authorization = request.headers.get('authorization');
      requests.push({
        method: request.method,
        path: url.pathname,
        ...(authorization !== null && { authorization }),
      });
      const cors: Record<string, string> = withoutCors
        ? {}
        : {
            'Access-Control-Allow-Origin': '*',
            'Access-Control-Allow-Headers': '*, Authorization',
            'Access-Control-Allow-Methods': 'GET, POST, DELETE',
            'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate',
          };
      const response =
        request.method === 'OPTIONS'
          ? new Response(null, { status: 204 })
          : url.pathname === '/mcp'
            ? await answerMcp(request)
            : ((await answerSignIn(request, url)) ?? new Response('', { status: 404 }));
      await send(outgoing, response, cors);
    })().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  return {
    url: `${base}/mcp`,
    knownClient: KNOWN_CLIENT,
    port: (http.address() as AddressInfo).port,
    requests,
    /** Forgets every session, as a server does that was started anew. */
    forget: () => sessions.clear(),
    /** Access tokens are worth nothing from now on; refresh tokens stay. */
    expire: () => tokens.clear(),
    /** Every session offers one more tool, and says so. */
    addTool() {
      for (const { server } of sessions.values())
        server.registerTool('late', { description: 'Came later' }, () => ({
          content: [{ type: 'text', text: 'late' }],
        }));
    },
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

function toolsOf(): McpServer {
  const server = new McpServer({ name: 'fixture', version: '1' });
  server.registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  );
  server.registerTool('fail', { description: 'Always fails' }, () => ({
    isError: true,
    content: [{ type: 'text', text: 'The flux is out of order.' }],
  }));
  server.registerTool('order', { description: 'Orders what the person wants' }, async (context) => {
    const { action, content } = await context.mcpReq.elicitInput({
      mode: 'form',
      message: 'What shall it be?',
      requestedSchema: {
        type: 'object',
        properties: {
          size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
          count: { type: 'integer', title: 'How many' },
          gift: { type: 'boolean' },
          note: { type: 'string' },
        },
        required: ['size', 'count'],
      },
    });
    return { content: [{ type: 'text', text: `${action} ${JSON.stringify(content ?? null)}` }] };
  });
  server.registerTool('draw', { description: 'Draws a point' }, () => ({
    content: [
      { type: 'text', text: 'a point' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
    ],
  }));
  return server;
}

function invalidGrant(): Response {
  return Response.json({ error: 'invalid_grant' }, { status: 400 });
}

async function requestOf(incoming: IncomingMessage, base: string): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value));
  const method = incoming.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.concat(chunks);
  return new Request(new URL(incoming.url ?? '/', base), {
    method,
    headers,
    ...(body && body.length > 0 && { body }),
  });
}

async function send(
  outgoing: ServerResponse,
  response: Response,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...more });
  // Else a stream that says nothing yet is not open for whoever asked.
  outgoing.flushHeaders();
  if (response.body) for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}
