import type * as z from 'zod';
import type { Json } from '../base/json.ts';
import { typeName } from './json-schema.ts';
import { clip } from './text.ts';

const MAX_QUOTE_LENGTH = 200;
const MAX_ISSUES = 8;

/** The error text for invalid arguments: what is wrong where, and the start of what the model sent. */
export function validationText(tool: string, error: z.ZodError, input: Json): string {
  const issues = error.issues.slice(0, MAX_ISSUES).map((issue) => {
    const message = issueText(issue, input);
    const path = clip(issue.path.map(String).join('.'), 60);
    return `- ${path === '' ? '(the arguments)' : path}: ${message}`;
  });
  const more = error.issues.length - issues.length;
  return [
    `The ${tool} tool was called with invalid arguments:`,
    ...issues,
    ...(more > 0 ? [`- and ${more} more`] : []),
    `It was given: ${clip(JSON.stringify(input), MAX_QUOTE_LENGTH)}`,
    'Call it again with arguments that match its schema.',
  ].join('\n');
}

function issueText(issue: z.core.$ZodIssue, input: Json): string {
  // The standard message repeats the unknown keys, which come from the model and may be long.
  if (issue.code === 'unrecognized_keys') return 'has unknown keys';
  // The standard message tells what became of the value when it was taken for a number, and not what it was.
  return issue.message.replace(/received NaN$/, () => `received ${typeName(valueAt(input, issue.path))}`);
}

function valueAt(input: Json, path: readonly PropertyKey[]): Json {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = new Map<string, Json>(Object.entries(value)).get(String(key)) ?? null;
  }
  return value;
}

export function unknownToolText(name: string, ids: readonly string[]): string {
  return `There is no tool named '${clip(name, MAX_QUOTE_LENGTH)}'. The tools are: ${ids.join(', ')}. Call one of these.`;
}
