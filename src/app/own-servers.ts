import { applyEdits, modify, parse } from 'jsonc-parser';
import { isObject, type Json } from '../base/json.ts';
import { FaultError } from '../base/fault.ts';
import { serverNameSchema, serverSchema, type ServerConfig } from '../config/servers.ts';
import { OWN_FILE, type ToolServersDeps } from './tool-servers-deps.ts';

interface NewServer {
  readonly name: string;
  readonly url: string;
  readonly clientId?: string;
}

type Deps = {
  readonly configurations: Pick<ToolServersDeps['configurations'], 'ownFiles' | 'ownServers' | 'setOwnFile'>;
};

/**
 * Adds a server to the person's own configuration. Rejects with a fault if the name or the address is wrong, or the name
 * is taken.
 */
export async function addServer(deps: Deps, { name, url, clientId }: NewServer): Promise<void> {
  const config: ServerConfig = {
    type: 'remote',
    url,
    ...(clientId !== undefined && { oauth: { clientId } }),
  };
  const named = serverNameSchema.safeParse(name);
  const checked = serverSchema.safeParse(config);
  if (!named.success || !checked.success)
    throw new FaultError({
      code: 'no-server',
      what: named.success
        ? 'This is not the address of a tool server.'
        : 'This is not a name for a tool server.',
      next: named.success
        ? 'Give an https address; http only on this machine.'
        : 'Take letters, digits, - and _, beginning with a letter or digit.',
    });
  if (isTaken(deps, name))
    throw new FaultError({
      code: 'server-exists',
      what: `There is a tool server named ${name} already.`,
      next: 'Remove that one first, or take another name.',
    });
  await writeServer(deps, name, config);
}

/** Also for an entry of the file that cannot be read, which would be overwritten. */
function isTaken({ configurations }: Deps, name: string): boolean {
  const written: Json = parse(configurations.ownFiles()[OWN_FILE] ?? '');
  const servers = isObject(written) ? written['mcp'] : undefined;
  const isWritten = isObject(servers) && Object.hasOwn(servers, name);
  return isWritten || configurations.ownServers().some((server) => server.name === name);
}

/** Writes a server into the person's own configuration, or removes it. Keeps comments and the order of keys. */
export async function writeServer(
  { configurations }: Deps,
  name: string,
  value: ServerConfig | undefined,
): Promise<void> {
  const text = configurations.ownFiles()[OWN_FILE] ?? '';
  const before = text.trim() === '' ? '{}' : text;
  const edits = modify(before, ['mcp', name], value, {
    formattingOptions: { insertSpaces: true, tabSize: 2 },
  });
  await configurations.setOwnFile(OWN_FILE, applyEdits(before, edits));
}
