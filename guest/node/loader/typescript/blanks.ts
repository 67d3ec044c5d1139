import { blank, type Edit } from '../edits.ts';
import type { SyntaxNode } from '../syntax.ts';

/** Collects edits that replace parts of a source with blanks. */
export class TypeBlanks {
  readonly source: string;
  readonly edits: Edit[];

  /** `edits` come before those that are added. */
  constructor(source: string, edits: Edit[]) {
    this.source = source;
    this.edits = edits;
  }

  hide(start: number, end: number, first = ''): void {
    const text = blank(this.source.slice(start, end));
    this.edits.push({ start, end, text: first + text.slice(first.length) });
  }

  /** Hides a statement but for a semicolon, because a blank could join the statements before and after. */
  hideStatement({ start, end }: SyntaxNode): void {
    this.hide(start, end, ';');
  }

  /** Hides a part of a list, with the comma after it. */
  hideInList({ start, end }: SyntaxNode): void {
    const comma = /^\s*,/.exec(this.source.slice(end))?.[0].length ?? 0;
    this.hide(start, end + comma);
  }
}
