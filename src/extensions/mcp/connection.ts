import { messageOf } from '../../base/message-of.ts';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type CallToolResult,
  type ElicitRequestFormParams,
  type ElicitResult,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { Process } from '../../workspace/workspace.ts';
import { CallLimit } from './call-limit.ts';
import { ProcessTransport } from './process-transport.ts';
import { statusOf } from './server-faults.ts';
import type { RemoteServer } from '../../config/servers.ts';
import type { SignIn } from './sign-in.ts';

/** An open connection to a server. */
export interface Connection {
  readonly tools: readonly Tool[];
  /** Rejects with the server's own error, or when `signal` is aborted. */
  call(
    tool: string,
    args: JsonObject,
    options: {
      readonly signal: AbortSignal;
      progress(share: number): void;
      /** Lets the person fill in a form that the server sends during the call. */
      elicit(form: ElicitRequestFormParams): Promise<ElicitResult>;
    },
  ): Promise<CallToolResult>;
  /** Called when `tools` has changed. */
  onTools(listener: () => void): void;
  onClose(listener: (reason: string) => void): void;
  /** Called when something goes wrong that may mean that the server is gone, such as a stream that breaks off. */
  onTrouble(listener: () => void): void;
  /** Rejects as a call does where the server is gone. */
  ping(): Promise<void>;
  /** Resolves when the list of tools that is being fetched, if there is one, has arrived. */
  listed(): Promise<void>;
  close(): Promise<void>;
  /** Closes once the calls that are running have ended. */
  retire(): Promise<void>;
}

const CONNECT_MS = 30_000;
const PING_MS = 10_000;
const PAGES = 50;
/** The longest delay of a timer: the limit of a call is enforced separately. */
const LONGEST_CALL_MS = 2 ** 31 - 1;

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
    try {
      return await open(new SSEClientTransport(url, options), timeout);
    } catch (older) {
      // Where there is no server at all, the error of the newer transport says more.
      throw older instanceof UnauthorizedError ? older : error;
    }
  }
}

/** Connects to a program that `start` starts. It ends with the connection. */
export async function connectLocal(start: () => Process, timeout = CONNECT_MS): Promise<Connection> {
  const transport = new ProcessTransport(start);
  try {
    return await open(transport, timeout, () => transport.output);
  } catch (error) {
    const message = messageOf(error);
    throw new Error(transport.output === '' ? message : `${message}\n${transport.output}`, { cause: error });
  }
}

/** Completes the sign-in with the parameters of the redirect. */
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

async function open(transport: Transport, timeout: number, output = () => ''): Promise<Connection> {
  const client = new Client(
    { name: 'vitrine', version: '1' },
    { listMaxPages: PAGES, capabilities: { elicitation: { form: {} } } },
  );
  /** The running calls, newest last: the protocol does not say which of them an elicitation belongs to. */
  const eliciting: ((form: ElicitRequestFormParams) => Promise<ElicitResult>)[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }): Promise<ElicitResult> => {
    const elicit = eliciting.at(-1);
    return elicit && params.mode !== 'url' ? elicit(params) : { action: 'cancel' };
  });
  let onIdle = () => {};
  const changed = new Set<() => void>();
  const closed = new Set<(reason: string) => void>();
  const troubled = new Set<() => void>();
  let listing: Promise<void> = Promise.resolve();
  let tools: readonly Tool[] = [];
  try {
    await client.connect(transport, { timeout });
    tools = await toolsOf(client, timeout);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    const next = toolsOf(client, timeout).then((listed) => {
      tools = listed;
      for (const listener of changed) listener();
    });
    listing = next.catch(() => undefined);
    return next;
  });
  client.onerror = () => troubled.forEach((listener) => listener());
  client.onclose = () => closed.forEach((listener) => listener(output()));
  const silence = () => [changed, closed, troubled].forEach((listeners) => listeners.clear());

  return {
    get tools() {
      return tools;
    },
    async call(name, args, { signal, progress, elicit }) {
      const limit = new CallLimit(timeout);
      const ask = (form: ElicitRequestFormParams) => limit.pause(() => elicit(form));
      eliciting.push(ask);
      try {
        return await client.callTool(
          { name, arguments: args },
          {
            signal: AbortSignal.any([signal, limit.signal]),
            timeout: LONGEST_CALL_MS,
            onprogress({ progress: done, total }) {
              limit.restart();
              if (total) progress(Math.min(100, Math.max(0, 100 * (done / total))));
            },
          },
        );
      } finally {
        limit.stop();
        eliciting.splice(eliciting.indexOf(ask), 1);
        if (eliciting.length === 0) onIdle();
      }
    },
    onTools: (listener) => void changed.add(listener),
    onClose: (listener) => void closed.add(listener),
    onTrouble: (listener) => void troubled.add(listener),
    ping: async () => void (await client.ping({ timeout: PING_MS })),
    listed: () => listing,
    async close() {
      silence();
      await client.close();
    },
    async retire() {
      silence();
      if (eliciting.length > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      await client.close();
    },
  };
}

/** Lists the tools of all pages. Fails for a list that takes longer than `timeout` or has no end. */
async function toolsOf(client: Client, timeout: number): Promise<readonly Tool[]> {
  const { tools } = await client.listTools(undefined, { timeout, signal: AbortSignal.timeout(timeout) });
  return tools;
}

/** A server with the older transport answers the first message of the newer one with one of these statuses. */
function isOtherTransport(error: unknown): boolean {
  const status = statusOf(error);
  return status === 400 || status === 404 || status === 405;
}
