import type { Json } from '../../base/json.ts';
import type { ParsedInput, ReadyTool } from '../../tools/tool.ts';
import { badJsonText } from './call-texts.ts';
import type { ToolPart } from '../log/state.ts';

/** Checks arguments against a tool's schema. If they do not fit, the message tells the model why. */
export function parseInput(tool: ReadyTool, input: Json): ParsedInput {
  try {
    return tool.parse(input);
  } catch {
    // A schema from someone else may throw, and its message may repeat the input.
    return { ok: false, message: `The arguments for '${tool.id}' could not be checked against its schema.` };
  }
}

/** Arguments that the person has typed in place of the model's; `raw` are those that are no JSON. */
export type TypedArguments =
  { readonly kind: 'input'; readonly input: Json } | { readonly kind: 'raw'; readonly text: string };

/** Checks typed arguments. For those that are no JSON the model gets the error that it would get if it had written them. */
export function parsedEdit(tool: ReadyTool, edit: TypedArguments): ParsedInput {
  if (edit.kind === 'input') return parseInput(tool, edit.input);
  return { ok: false, message: badJsonText(tool.id, edit.text) };
}

/** The message that a model would get for these typed arguments; `null` if they are valid. */
export function problemWith(tool: ReadyTool, args: string): string | null {
  const typed = jsonOf(args);
  if (!typed) return badJsonText(tool.id, args);
  const parsed = parseInput(tool, typed.value);
  return parsed.ok ? null : parsed.message;
}

/**
 * A call's arguments as models see them: as the model wrote them, or as the person changed them. Schema
 * defaults and changes by hooks are for the tool alone: they would put words into the model's mouth, and a
 * provider's prompt cache would no longer recognise what the model wrote.
 */
export function argumentsToTell({ input, raw, invalid, edited }: ToolPart): Json {
  const edit = edited?.findLast(({ kind }) => kind === 'input');
  if (edit?.kind === 'input') return edit.to;
  if (input === undefined) return {};
  // The log does not keep arguments that are nested too deep for its readers.
  const written = invalid?.reason === 'too-deep' ? undefined : jsonOf(raw);
  return written ? written.value : input;
}

/** Parses typed arguments; an empty text means no arguments. */
export function jsonOf(args: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(args.trim() || '{}') as Json };
  } catch {
    return undefined;
  }
}
