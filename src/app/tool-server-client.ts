import { FaultError } from '../base/fault.ts';
import { shellWord } from '../base/shell-word.ts';
import type { RemoteServer, ServerConfig } from '../config/servers.ts';
import { McpServers } from '../extensions/mcp/servers.ts';
import { scopeOf, type ToolServersDeps } from './tool-servers-deps.ts';

/** The channel on which public/signed-in.js posts. */
const SIGN_IN_CHANNEL = 'vitrine.sign-in';
/** Faults of secrets that are missing or not allowed for the host. */
const WANTS_SECRET: ReadonlySet<string> = new Set(['no-secret', 'secret-not-allowed']);

/** Creates the client of tool servers. `changed` is called when the state of one changes. */
export function openServers(deps: ToolServersDeps, changed: () => void): McpServers {
  const { keys, secrets, timer, register } = deps;
  const servers = new McpServers({
    fetch: (...given) => fetch(...given),
    store: {
      get: (name) => keys.get(scopeOf(name)),
      set: (name, text) => keys.set(scopeOf(name), text, { remember: keys.isRemembered(scopeOf(name)) }),
      forget: (name) => keys.forget(scopeOf(name)),
      conceal: (secret) => keys.conceal(secret),
    },
    redirectUrl: new URL('signed-in.html', document.baseURI).href,
    clientMetadataUrl: publishedClient(),
    random: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
    timer,
    spawn: (id, command, config) => spawn(deps, id, command, config),
    register,
    headers: async (server) => ({ ...server, ...(await headersOf(deps, server)) }),
    hide: (text) => keys.redact(text),
  });
  servers.onChange(changed);
  secrets.onGiven(() => {
    for (const { name, state } of servers.list())
      if (state.state === 'failed' && WANTS_SECRET.has(state.fault.code)) servers.connect(name);
  });
  new BroadcastChannel(SIGN_IN_CHANNEL).onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') void servers.signedIn(new URLSearchParams(data));
  };
  return servers;
}

/** Fills in the secrets that the headers refer to, if the host may have them. */
async function headersOf(
  { secrets }: ToolServersDeps,
  { url, headers }: RemoteServer,
): Promise<Pick<RemoteServer, 'headers'>> {
  if (!headers) return {};
  const { host } = new URL(url);
  const filled = Object.entries(headers).map(
    async ([name, value]) => [name, await secrets.fillUnasked(value, host)] as const,
  );
  return { headers: Object.fromEntries(await Promise.all(filled)) };
}

async function spawn(
  deps: ToolServersDeps,
  workspaceID: string,
  command: readonly string[],
  config: ServerConfig,
) {
  const workspace = await deps.workspace(workspaceID);
  const reads = deps.reads(workspaceID);
  if ((await workspace.exposed?.(reads))?.length)
    throw new FaultError({
      code: 'exposed',
      what: 'The rules keep files here from being read or changed, but a program in this workspace could still do it.',
      next: 'Allow it, or use an embedded workspace.',
    });
  const local = config.type === 'local' ? config : undefined;
  return workspace.spawn(command.map(shellWord).join(' '), {
    reads,
    ...(local?.cwd !== undefined && { cwd: local.cwd }),
    ...(local?.environment && { env: local.environment }),
  });
}

/** The site's client document, if the page is at the very site that the build was made for. */
function publishedClient(): string | undefined {
  const address = document.querySelector<HTMLMetaElement>('meta[name="client-metadata"]')?.content;
  const here = new URL('client-metadata.json', document.baseURI).href;
  return address === here ? address : undefined;
}
