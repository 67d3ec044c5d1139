import type * as z from 'zod';
import type { Json } from '../base/json.ts';
import { clip } from './text.ts';

const MAX_QUOTE_LENGTH = 200;
const MAX_ISSUES = 8;

/** The error text for invalid arguments: what is wrong where, and the start of what the model sent. */
export function validationText(tool: string, error: z.ZodError, input: Json): string {
  const issues = error.issues.slice(0, MAX_ISSUES).map((issue) => {
    // The standard message repeats the unknown keys, which come from the model and may be long.
    const message = issue.code === 'unrecognized_keys' ? 'has unknown keys' : issue.message;
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

export function unknownToolText(name: string, ids: readonly string[]): string {
  return `There is no tool named '${clip(name, MAX_QUOTE_LENGTH)}'. The tools are: ${ids.join(', ')}. Call one of these.`;
}
