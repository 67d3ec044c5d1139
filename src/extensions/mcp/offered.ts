import type { Tool } from '@modelcontextprotocol/client';
import { hashText } from '../../base/hash.ts';

/** Of one server. */
export const MAX_TOOLS = 500;
const SCHEMA_CHARACTERS = 100_000;
/** Providers take no longer names. */
const ID_CHARACTERS = 64;
const MARK_CHARACTERS = 8;

/** Tools of the app that a server and a tool could spell together: they stay what they are. */
const OWN_IDS: readonly string[] = [
  'apply_patch',
  'background_cancel',
  'background_output',
  'background_task',
  'plan_enter',
  'plan_exit',
];

export interface OfferedTool {
  readonly id: string;
  readonly tool: Tool;
}

/**
 * What a server lists, as far as it can be offered, each under an id of its own: the same one whoever else is connected
 * by then. `others` are the servers beside it. A name that would be a pattern in a rule is not offered: a lasting yes to
 * it would be one to others.
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
    return { id: isTaken || id.length > ID_CHARACTERS ? marked(id, server, name) : id, tool };
  });
}

function isUsable({ name, inputSchema }: Tool): boolean {
  return /^[^*?\p{Cc}]{1,128}$/u.test(name) && JSON.stringify(inputSchema).length <= SCHEMA_CHARACTERS;
}

/** What an id stands for, of which it cannot be told by itself, is told by its end. */
function marked(id: string, server: string, tool: string): string {
  const mark = hashText(`${server}/${tool}`).slice(0, MARK_CHARACTERS);
  return `${id.slice(0, ID_CHARACTERS - MARK_CHARACTERS - 1)}_${mark}`;
}

/** Providers take no other characters in a name. */
function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
