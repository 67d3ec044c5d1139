import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';

const OPERATIONS = [
  'open',
  'snapshot',
  'picture',
  'messages',
  'click',
  'type',
  'press',
  'select',
  'wait',
  'evaluate',
  'resize',
  'reload',
  'back',
] as const;

export const parameters = z.object({
  operation: z.enum(OPERATIONS),
  path: z.string().optional().describe('open: the path of the page, default /'),
  port: z.coerce.number().int().min(1).max(65_535).optional().describe('open: the port of the server'),
  folder: z.string().optional().describe('open: a folder to show as a static site, without a server'),
  ref: z
    .string()
    .optional()
    .describe('click, type, press, select, picture: the ref of an element in the last snapshot'),
  text: z
    .string()
    .optional()
    .describe('type: what to write in place of what is there; wait: the text to wait for'),
  submit: z.boolean().default(false).describe('type: press Enter afterwards'),
  key: z.string().optional().describe('press: a key, such as Enter, Escape, ArrowDown, a, Control+s'),
  values: z.array(z.string()).optional().describe('select: the choices'),
  code: z.string().optional().describe('evaluate: a JavaScript expression, or statements with return'),
  width: z.coerce.number().int().min(200).max(4000).optional().describe('resize: in CSS pixels'),
  height: z.coerce.number().int().min(200).max(4000).optional(),
  timeout: z.coerce.number().positive().max(60).default(10).describe('wait: seconds'),
});
export type PreviewInput = z.output<typeof parameters>;

/** Returns a parameter that the operation cannot do without. Throws a fault that names both if it is missing. */
export function needed<Name extends keyof PreviewInput>(
  input: PreviewInput,
  name: Name,
): NonNullable<PreviewInput[Name]> {
  const value = input[name];
  if (value !== undefined && value !== null) return value;
  throw new FaultError({ code: 'invalid', what: `${input.operation} needs ${name}.` });
}
