import { applyEdits, modify } from 'jsonc-parser';
import { FaultError } from '../base/fault.ts';
import { serverNameSchema, serverSchema, type ServerConfig } from '../config/servers.ts';
import { OWN_FILE, type ToolServersDeps } from './tool-servers-deps.ts';

interface NewServer {
  readonly name: string;
  readonly url: string;
  readonly clientId?: string;
}

/** Adds a server to the person's own configuration. Rejects with a fault if the name or the address is wrong. */
export async function addServer(deps: ToolServersDeps, { name, url, clientId }: NewServer): Promise<void> {
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
  await writeServer(deps, name, config);
}

/** Writes a server into the person's own configuration, or removes it. Keeps comments and the order of keys. */
export async function writeServer(
  { configurations }: Pick<ToolServersDeps, 'configurations'>,
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
