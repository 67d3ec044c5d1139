import * as z from 'zod';
import { isObject } from '../../base/json.ts';
import { SEVERITIES } from './severity.ts';
import { OPERATIONS, type Operation } from './operations.ts';

/** The maximum number of symbols in one answer. */
const MAX_SYMBOLS = 200;

/** Models sometimes count from 0, so 0 is taken for 1. */
const count = z.coerce
  .number()
  .int()
  .min(0)
  .transform((n) => Math.max(1, n));

const fields = z.object({
  operation: z.enum(OPERATIONS),
  filePath: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of the file, absolute or relative to the workspace root; only workspaceSymbol can do without',
    ),
  line: count.optional().describe('Line of the name, from 1 as `read` shows it'),
  character: count.optional().describe('Character in the line, from 1'),
  endLine: count
    .optional()
    .describe('codeActions: the end of the range; default: the end of the given position, line or file'),
  endCharacter: count.optional().describe('codeActions: see endLine'),
  includeDeclaration: z.boolean().default(true).describe('findReferences: include the declaration'),
  query: z.string().default('').describe('workspaceSymbol: part of the name'),
  limit: z.coerce.number().int().min(1).max(MAX_SYMBOLS).default(50).describe('workspaceSymbol: how many'),
  severity: z
    .enum([...SEVERITIES, 'all'])
    .default('warning')
    .describe('diagnostics: the lowest severity to show'),
  kind: z
    .string()
    .optional()
    .describe('codeActions: such as `quickfix`, `refactor`, `source.organizeImports`'),
  title: z
    .string()
    .min(1)
    .optional()
    .describe('codeActions: apply the action with this title; default: list them'),
  newName: z.string().min(1).optional().describe('rename: the new name'),
});

/** Operations that need a position in a file. */
const NEEDS_POSITION: ReadonlySet<Operation> = new Set([
  'goToDefinition',
  'findReferences',
  'hover',
  'goToImplementation',
  'prepareCallHierarchy',
  'incomingCalls',
  'outgoingCalls',
  'rename',
]);

export const parameters = z.preprocess(
  withPosition,
  fields.superRefine((input, check) => {
    const { operation } = input;
    const needs = (name: keyof typeof input) => {
      if (input[name] === undefined)
        check.addIssue({ code: 'custom', path: [name], message: `${operation} needs ${name}` });
    };
    if (operation !== 'workspaceSymbol') needs('filePath');
    if (NEEDS_POSITION.has(operation)) {
      needs('line');
      needs('character');
    }
    if (operation === 'rename') needs('newName');
  }),
);

export type LspInput = z.output<typeof parameters>;

/** Accepts other forms of a position: `position: {line, character}`, and `startLine` with `startCharacter`. */
function withPosition(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { position, startLine, startCharacter, ...rest } = given;
  const place = typeof position === 'object' && position !== null ? position : {};
  return {
    ...(startLine !== undefined && { line: startLine }),
    ...(startCharacter !== undefined && { character: startCharacter }),
    ...place,
    ...rest,
  };
}
