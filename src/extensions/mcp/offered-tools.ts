import type { Tool } from '@modelcontextprotocol/client';
import { hashText } from '../../base/hash.ts';
import { manifests } from '../../tools/manifests.ts';

/** The maximum number of tools of one server. */
export const MAX_TOOLS = 500;
const SCHEMA_CHARACTERS = 100_000;
/** The longest name that providers accept. */
const ID_CHARACTERS = 64;
const MARK_CHARACTERS = 8;

/** Tools of the app whose ids could also result from a server's and a tool's name. */
const OWN_IDS = manifests.map(({ id }) => id).filter((id) => id.includes('_'));

export interface OfferedTool {
  readonly id: string;
  readonly tool: Tool;
}

/**
 * The usable tools of a server, each with a unique id that does not depend on the order of connecting. `others` are the
 * other servers. A tool whose name would be a pattern in a rule is not offered, as "Always" would then allow others too.
 */
export function offeredTools(
  server: string,
  listed: readonly Tool[],
  others: readonly string[] = [],
): readonly OfferedTool[] {
  const tools = new Map<string, Tool>();
  for (const tool of listed)
    if (tools.size < MAX_TOOLS && !tools.has(tool.name) && isUsable(tool)) tools.set(tool.name, tool);
  const names = [...tools.keys()];
  const isShared = (name: string) =>
    name !== plain(name) && names.some((other) => other !== name && plain(other) === plain(name));
  const otherStarts = others.map((name) => `${plain(name)}_`);
  return [...tools.values()].map((tool) => {
    const { name } = tool;
    const id = `${plain(server)}_${plain(name)}`;
    const isTaken =
      OWN_IDS.includes(id) || otherStarts.some((start) => id.startsWith(start)) || isShared(name);
    return { id: isTaken || id.length > ID_CHARACTERS ? withHash(id, server, name) : id, tool };
  });
}

function isUsable({ name, inputSchema }: Tool): boolean {
  return /^[^*?\p{Cc}]{1,128}$/u.test(name) && JSON.stringify(inputSchema).length <= SCHEMA_CHARACTERS;
}

/** Adds a hash to an id that would be ambiguous or too long. */
function withHash(id: string, server: string, tool: string): string {
  const mark = hashText(`${server}/${tool}`).slice(0, MARK_CHARACTERS);
  return `${id.slice(0, ID_CHARACTERS - MARK_CHARACTERS - 1)}_${mark}`;
}

/** Replaces the characters that providers do not accept in names. */
function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
