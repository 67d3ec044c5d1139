import type { Tool } from '@modelcontextprotocol/client';

/** Of one server. */
export const MAX_TOOLS = 500;
const SCHEMA_CHARACTERS = 100_000;
/** Providers take no longer names. */
const ID_CHARACTERS = 64;

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
 * What a server lists, as far as it can be offered, each under an id of its own. A name that would be a pattern in a
 * rule is not: a lasting yes to it would be one to others.
 */
export function offeredTools(server: string, listed: readonly Tool[]): readonly OfferedTool[] {
  const tools = new Map<string, Tool>();
  for (const tool of listed)
    if (tools.size < MAX_TOOLS && !tools.has(tool.name) && isUsable(tool)) tools.set(tool.name, tool);
  const taken = new Set(OWN_IDS);
  return [...tools.values()].map((tool) => {
    const id = free(`${plain(server)}_${plain(tool.name)}`, taken);
    taken.add(id);
    return { id, tool };
  });
}

function isUsable({ name, inputSchema }: Tool): boolean {
  return /^[^*?\p{Cc}]{1,128}$/u.test(name) && JSON.stringify(inputSchema).length <= SCHEMA_CHARACTERS;
}

function free(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : `_${count}`;
    const id = name.slice(0, ID_CHARACTERS - end.length) + end;
    if (!taken.has(id)) return id;
  }
}

/** Providers take no other characters in a name. */
function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
