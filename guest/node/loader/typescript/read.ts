import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';
import type { Edit } from '../edits.ts';
import { COMMON, type SyntaxNode } from '../syntax.ts';
import { problemOf, type TypeScriptProblem } from './problems.ts';
import { typeEdits } from './types.ts';

class Lenient extends Parser.extend(tsPlugin()) {
  /** Names declared twice and the like: the engine says so, in its words. */
  raiseRecoverable(): void {}
}

/**
 * What is to be changed in TypeScript so that it is JavaScript. `transforms`: what is more than types becomes code too,
 * else it is a problem. `name` is for the words of problems.
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
  // It needs locations to tell some forms apart.
  return { ...Lenient.parse(source, { ...COMMON, sourceType, locations: true }) };
}
