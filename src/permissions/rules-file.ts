import * as z from 'zod';
import { FaultError } from '../base/fault.ts';
import { readJsonFile } from '../base/json-file.ts';
import { EVERYWHERE, ruleSchema, type Rule } from './types.ts';

const MAX_CHARACTERS = 1_000_000;

/** A rule of a file. Without a scope it applies to the workspace into which the file is imported. */
export interface FileRule extends Rule {
  readonly scope?: 'everywhere' | undefined;
}

/**
 * The format in which saved rules are exported and imported. They are always allows, because saved rules can do
 * nothing else.
 */
const fileSchema = z.object({
  format: z.literal('vitrine-rules'),
  version: z.literal(1),
  rules: z
    .array(
      z.object({
        ...ruleSchema.shape,
        action: z.literal('allow'),
        scope: z.literal('everywhere').optional(),
      }),
    )
    .max(10_000),
});

/** Exports the rules as JSON, without ids, times and workspace; rules for every workspace are marked. */
export function rulesToJson(rules: readonly (Rule & { readonly workspaceID?: string })[]): string {
  const plain = rules.map(({ permission, pattern, action, workspaceID }) => ({
    permission,
    pattern,
    action,
    ...(workspaceID === EVERYWHERE && { scope: 'everywhere' }),
  }));
  return `${JSON.stringify({ format: 'vitrine-rules', version: 1, rules: plain }, null, 2)}\n`;
}

/** Returns all rules of the file, or throws a fault (`rules-file-invalid`) that says what does not fit. */
export function rulesFromJson(text: string): FileRule[] {
  return readJsonFile(text, fileSchema, { most: MAX_CHARACTERS, invalid }).rules;
}

function invalid(why: string): FaultError {
  return new FaultError({
    code: 'rules-file-invalid',
    what: `This is not a rules file: ${why}.`,
    next: 'Nothing was imported. Choose a file that Vitrine exported.',
  });
}
