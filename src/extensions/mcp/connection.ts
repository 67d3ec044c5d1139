import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type CallToolResult,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { Process } from '../../workspace/workspace.ts';
import { ProcessTransport } from './process-transport.ts';
import type { RemoteServer } from '../../config/servers.ts';
import type { SignIn } from './sign-in.ts';

/** A server that answered. */
export interface Connection {
  readonly tools: readonly Tool[];
  /** Rejects with the server's own error, or when `signal` is aborted. */
  call(
    tool: string,
    args: JsonObject,
    options: { readonly signal: AbortSignal; progress(share: number): void },
  ): Promise<CallToolResult>;
  /** The tools are others now: `tools` has them. */
  onTools(listener: () => void): void;
  onClose(listener: (reason: string) => void): void;
  close(): Promise<void>;
}

const CONNECT_MS = 30_000;
const PAGES = 50;

/** Rejects with `UnauthorizedError` where the person has to sign in first. */
export async function connectRemote(
  server: RemoteServer,
  signIn: SignIn | undefined,
  request: typeof fetch,
): Promise<Connection> {
  const url = new URL(server.url);
  const options = {
    fetch: request,
    ...(signIn && { authProvider: signIn }),
    ...(server.headers && { requestInit: { headers: server.headers } }),
  };
  const timeout = server.timeout ?? CONNECT_MS;
  try {
    return await open(new StreamableHTTPClientTransport(url, options), timeout);
  } catch (error) {
    if (error instanceof UnauthorizedError || !isOtherTransport(error)) throw error;
    return open(new SSEClientTransport(url, options), timeout);
  }
}

/** `start` starts the program; it is ended with the connection. */
export async function connectLocal(start: () => Process, timeout = CONNECT_MS): Promise<Connection> {
  const transport = new ProcessTransport(start);
  try {
    return await open(transport, timeout, () => transport.said);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(transport.said === '' ? message : `${message}\n${transport.said}`, { cause: error });
  }
}

/** Hands over what came back from where the person agreed. */
export async function finishSignIn(
  server: RemoteServer,
  signIn: SignIn,
  request: typeof fetch,
  back: URLSearchParams,
) {
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    authProvider: signIn,
    fetch: request,
  });
  await transport.finishAuth(back);
}

async function open(transport: Transport, timeout: number, said = () => ''): Promise<Connection> {
  const client = new Client({ name: 'vitrine', version: '1' }, { listMaxPages: PAGES });
  const changed = new Set<() => void>();
  const closed = new Set<(reason: string) => void>();
  let tools: readonly Tool[] = [];
  try {
    await client.connect(transport, { timeout });
    tools = await toolsOf(client, timeout);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  client.setNotificationHandler('notifications/tools/list_changed', async () => {
    tools = await toolsOf(client, timeout);
    for (const listener of changed) listener();
  });
  client.onclose = () => closed.forEach((listener) => listener(said()));
  return {
    get tools() {
      return tools;
    },
    call: (name, args, { signal, progress }) =>
      client.callTool(
        { name, arguments: args },
        {
          signal,
          timeout,
          resetTimeoutOnProgress: true,
          onprogress: ({ progress: done, total }) =>
            void (total && progress(Math.min(100, Math.max(0, 100 * (done / total))))),
        },
      ),
    onTools: (listener) => void changed.add(listener),
    onClose: (listener) => void closed.add(listener),
    async close() {
      closed.clear();
      await client.close();
    },
  };
}

/** All pages; a list that takes longer than one answer may, or has no end, is the failure of the server. */
async function toolsOf(client: Client, timeout: number): Promise<readonly Tool[]> {
  const { tools } = await client.listTools(undefined, { timeout, signal: AbortSignal.timeout(timeout) });
  return tools;
}

/** A server of the older kind answers the first message of the newer with a status that says so. */
function isOtherTransport(error: unknown): boolean {
  const text = error instanceof Error ? error.message : '';
  return /\b(400|404|405)\b/.test(text);
}
