import type * as z from 'zod';
import type { Json } from '../base/json.ts';
import { clip } from './text.ts';

const QUOTED = 200;
const SHOWN_ISSUES = 8;

/** What the model is told of arguments that do not fit: what is wrong where, and the start of what it sent. */
export function validationText(tool: string, error: z.ZodError, input: Json): string {
  const issues = error.issues.slice(0, SHOWN_ISSUES).map((issue) => {
    // The message of an unknown key repeats the key, which is input.
    const message = issue.code === 'unrecognized_keys' ? 'has keys that are not known' : issue.message;
    const path = clip(issue.path.map(String).join('.'), 60);
    return `- ${path === '' ? '(the arguments)' : path}: ${message}`;
  });
  const more = error.issues.length - issues.length;
  return [
    `The ${tool} tool was called with arguments that do not fit:`,
    ...issues,
    ...(more > 0 ? [`- and ${more} more`] : []),
    `It was given: ${clip(JSON.stringify(input), QUOTED)}`,
    'Call it again with arguments that fit its schema.',
  ].join('\n');
}

export function unknownToolText(name: string, ids: readonly string[]): string {
  return `There is no tool named '${clip(name, QUOTED)}'. The tools are: ${ids.join(', ')}. Call one of these.`;
}
