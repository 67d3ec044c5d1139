import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';
import type { Edit } from '../edits.ts';
import { COMMON, type SyntaxNode } from '../syntax.ts';
import { problemOf, type TypeScriptProblem } from './problems.ts';
import { typeEdits } from './types.ts';

class LenientParser extends Parser.extend(tsPlugin()) {
  /** Ignores errors such as names declared twice: the engine reports them itself. */
  raiseRecoverable(): void {}
}

/**
 * Returns the edits that turn TypeScript into JavaScript. With `transforms`, syntax that needs code of its own, such as
 * enums, is transformed; otherwise it is a problem. Problems show `name`.
 */
export function readTypes(
  source: string,
  name: string,
  transforms: boolean,
): { readonly edits: Edit[] } | { readonly problem: TypeScriptProblem } {
  try {
    return { edits: typeEdits(source, parsed(source), transforms) };
  } catch (error) {
    const problem = problemOf(error, source, name);
    if (!problem) throw error;
    return { problem };
  }
}

export type ReadTypes = typeof readTypes;

function parsed(source: string): SyntaxNode {
  try {
    return parse(source, 'module');
  } catch (error) {
    try {
      return parse(source, 'script');
    } catch {
      throw error;
    }
  }
}

function parse(source: string, sourceType: 'module' | 'script'): SyntaxNode {
  // The parser needs locations to tell some forms apart.
  return { ...LenientParser.parse(source, { ...COMMON, sourceType, locations: true }) };
}
