import { record } from '../facts/members.ts';

/** The longest name that a tool of an agent can have. */
const LONGEST = 64;

/** The name under which an agent gets a tool of a page: WebMCP allows dots, and first characters that are no letter. */
export function agentName(name: string, prefix: string): string {
  const clean = `${prefix}${name}`.replace(/[^\w-]/g, '_');
  return (/^[a-zA-Z]/.test(clean) ? clean : `tool_${clean}`).slice(0, LONGEST);
}

/**
 * The result of a page's tool as the model reads it. `executeTool` returns JSON; a result in the shape of MCP is its texts.
 * Throws an error with them where that shape says that the tool has failed.
 */
export function textOfResult(given: unknown): string {
  const value = parsed(given);
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '(no result)';
  const { content, isError } = record(value);
  if (!Array.isArray(content)) return JSON.stringify(value);
  const texts = content.map((part: unknown) => {
    const { type, text } = record(part);
    return typeof text === 'string' ? text : `[${typeof type === 'string' ? type : 'something else'}]`;
  });
  if (isError === true) throw new Error(texts.join('\n'));
  return texts.join('\n');
}

function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given === 'undefined' ? undefined : given;
  }
}
