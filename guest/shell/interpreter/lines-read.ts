import { forEachChild, type Statement, type SyntaxNode } from 'unbash';
import type { Script } from './source.ts';

/**
 * Knows which lines of a script bash has read when it runs a statement, for `set -v`. bash reads whole lines.
 */
export class LinesRead {
  readonly #text: string;
  readonly #statements: readonly Statement[];
  #next = 0;
  #at = 0;

  constructor({ source, tree }: Script) {
    this.#text = source.text;
    this.#statements = tree.commands;
  }

  /** Returns the lines that bash reads for the statement and that were not returned before. */
  upTo(index: number): string {
    const from = this.#at;
    for (let next = this.#statements[this.#next]; next; next = this.#statements[++this.#next]) {
      // A statement that begins on a line already read is read to its end.
      if (this.#next > index && next.pos >= this.#at) break;
      this.#at = Math.max(this.#at, this.#endOfLine(lastOf(next)));
    }
    return this.#ended(from, this.#at);
  }

  /** Returns the lines that were not returned before, up to the line end at `at`. */
  rest(at = this.#text.length): string {
    const from = this.#at;
    this.#at = Math.max(from, this.#endOfLine(at));
    return this.#ended(from, this.#at);
  }

  #endOfLine(at: number): number {
    const end = this.#text.indexOf('\n', Math.max(0, at - 1));
    return end < 0 ? this.#text.length : end + 1;
  }

  #ended(from: number, to: number): string {
    const lines = this.#text.slice(from, to);
    return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
  }
}

/** The end of a statement including its here-documents, whose lines follow it. */
function lastOf(statement: Statement): number {
  let last = statement.end;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'HereDoc') last = Math.max(last, node.closing?.end ?? node.body.end);
    // A nested script is read together with the word that contains it.
    if (node.type !== 'Script') forEachChild(node, visit);
  };
  visit(statement);
  return last;
}
