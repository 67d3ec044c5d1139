import { blank, type Edit } from '../edits.ts';
import type { SyntaxNode } from '../syntax.ts';

/** The prefix of names that are added to the code. No source uses it. */
export const OWN = '__vtr_';

/** Collects the edits of a source. No edit changes the number of lines. */
export class SourceEdits {
  readonly source: string;
  readonly edits: Edit[];

  constructor(source: string, edits: Iterable<Edit> = []) {
    this.source = source;
    this.edits = [...edits];
  }

  replace(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  hide(start: number, end: number): void {
    this.replace(start, end, blank(this.source.slice(start, end)));
  }

  /** Hides a statement but for a semicolon, because a blank could join the statements before and after. */
  hideStatement({ start, end }: SyntaxNode): void {
    this.replace(start, end, `;${blank(this.source.slice(start + 1, end))}`);
  }
}
