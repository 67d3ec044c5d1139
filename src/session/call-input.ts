import type { Json } from '../base/json.ts';
import type { ParsedInput, ReadyTool } from '../tools/tool.ts';
import { badJsonText } from './call-texts.ts';

/** A call's arguments against its tool's schema, in words for the model where they do not fit. */
export function parseInput(tool: ReadyTool, input: Json): ParsedInput {
  try {
    return tool.parse(input);
  } catch {
    // A schema of someone else's may throw, and its words may repeat the input.
    return { ok: false, message: `The arguments for '${tool.id}' could not be checked against its schema.` };
  }
}

/** What a model would be told of arguments that it typed like this; `null` where they fit. */
export function problemWith(tool: ReadyTool, args: string): string | null {
  const typed = jsonOf(args);
  if (!typed) return badJsonText(tool.id, args);
  const parsed = parseInput(tool, typed.value);
  return parsed.ok ? null : parsed.message;
}

/** Nothing at all stands for no arguments. */
export function jsonOf(args: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(args.trim() || '{}') as Json };
  } catch {
    return undefined;
  }
}
