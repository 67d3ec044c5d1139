import type {
  AndOr,
  Assignment,
  CommandArgument,
  CompoundList,
  PipelineNode,
  Redirection,
  TestExpression,
} from 'unbash';
import {
  compile,
  compileText,
  bodyPieces,
  type Compiled,
  type Piece,
} from '../../guest/shell/interpreter/words.ts';
import { read } from '../../guest/shell/interpreter/source.ts';

/**
 * What the embedded shell makes of a script, for comparison with what permissions read in it: every simple command as
 * its words, `null` where one is computed, wherever its interpreter would come to it.
 */
export interface ReadCommand {
  readonly assignments: readonly string[];
  /** A list where braces make several of one. */
  readonly words: readonly (string | null | readonly (string | null)[])[];
  /** Files that are opened, those for writing with `>` in front. */
  readonly files: readonly (string | null)[];
}

type Node = PipelineNode | AndOr | CompoundList;

/** `null` where the shell tells a syntax error. */
export function shellCommands(script: string): ReadCommand[] | null {
  const { tree } = read(script);
  if (tree.errors?.length) return null;
  const reader = new Reader();
  reader.list(tree.commands);
  return reader.commands;
}

class Reader {
  readonly commands: ReadCommand[] = [];

  list(statements: CompoundList['commands']): void {
    for (const { command } of statements) this.node(command);
  }

  node(node: Node): void {
    switch (node.type) {
      case 'Command': {
        const prefix = node.prefix.filter((part) => part.type === 'Assignment');
        const own = this.commands.push({ assignments: [], words: [], files: [] }) - 1;
        this.commands[own] = {
          assignments: prefix.map(({ name }) => name),
          words: [...(node.name ? [node.name] : []), ...node.args].flatMap((word) => this.#words(word)),
          files: this.#files(node.redirects),
        };
        for (const assignment of prefix) this.#assignment(assignment);
        return;
      }
      case 'AndOr':
      case 'Pipeline':
        return node.commands.forEach((command) => this.node(command));
      case 'CompoundList':
        return this.list(node.commands);
      case 'BraceGroup':
      case 'Subshell':
        return this.list(node.body.commands);
      case 'If':
        for (const { clause, then } of [node, ...node.elif]) {
          this.list(clause.commands);
          this.list(then.commands);
        }
        return node.else && this.list(node.else.commands);
      case 'While':
        this.list(node.clause.commands);
        return this.list(node.body.commands);
      case 'For':
      case 'Select':
        for (const word of node.wordlist ?? []) this.#words(word);
        return this.list(node.body.commands);
      case 'ArithmeticFor':
        return this.list(node.body.commands);
      case 'Case':
        this.#form(compile(node.word, 'assignment'));
        for (const { pattern, body } of node.items) {
          for (const word of pattern) this.#form(compile(word, 'pattern'));
          this.list(body.commands);
        }
        return;
      case 'Redirected':
        this.commands.push({ assignments: [], words: [], files: this.#files(node.redirects) });
        return this.node(node.command);
      case 'Function':
      case 'Coproc':
        return this.node(node.body);
      case 'TestCommand':
        return this.#test(node.expression);
      case 'ArithmeticCommand':
        return this.#form(compileText(node.body));
    }
  }

  #test(node: TestExpression): void {
    switch (node.type) {
      case 'TestGroup':
        return this.#test(node.expression);
      case 'TestNot':
        return this.#test(node.operand);
      case 'TestLogical':
        return node.operands.forEach((operand) => this.#test(operand));
      case 'TestUnary':
        return this.#form(compile(node.operand, 'assignment'));
      case 'TestBinary':
        this.#form(compile(node.left, 'assignment'));
        this.#form(compile(node.right, 'pattern'));
    }
  }

  #words(word: CommandArgument): ReadCommand['words'] {
    if (word.type === 'Assignment') return [this.#assignment(word)];
    const form = compile(word);
    this.#form(form);
    return [form.variants ? form.variants.map(textOf) : textOf(form)];
  }

  #assignment(node: Assignment): string | null {
    if (node.index) this.#form(compile(node.index, 'assignment'));
    if (node.value.type === 'ArrayValue') {
      for (const element of node.value.elements) this.#words(element);
      return null;
    }
    const form = compile(node.value, 'assignment');
    this.#form(form);
    const text = textOf(form);
    return text === null || node.index ? null : `${node.name}${node.append ? '+' : ''}=${text}`;
  }

  #files(redirections: readonly Redirection[]): (string | null)[] {
    return redirections.flatMap((node) => {
      if (node.type === 'HereDoc') {
        if (!node.delimiter?.quoted) this.#pieces(bodyPieces(node.body.parts, node.body.text, undefined));
        return [];
      }
      if (!node.target) return [];
      const form = compile(node.target, node.type === 'HereString' ? 'assignment' : 'word');
      this.#form(form);
      const name = textOf(form);
      if (node.type === 'HereString' || (/^[<>]&$/.test(node.operator) && /^(\d+-?|-)$/.test(name ?? '')))
        return [];
      return [node.operator === '<' || name === null ? name : `>${name}`];
    });
  }

  #form(form: Compiled): void {
    for (const variant of form.variants ?? []) this.#form(variant);
    this.#pieces(form.pieces);
  }

  #pieces(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (piece.kind === 'command' || piece.kind === 'process') this.list(piece.script.commands);
      else if (piece.kind === 'arithmetic') this.#form(piece.text);
      else if (piece.kind === 'parameter') {
        const { index, operation } = piece.parameter;
        if (index) this.#form(index.word);
        if (operation) this.#form(operation.operand);
        if (operation?.second) this.#form(operation.second);
      }
    }
  }
}

function textOf({ pieces, plain, variants }: Compiled): string | null {
  if (variants) return null;
  if (plain !== undefined) return plain;
  if (!pieces.every(({ kind }) => kind === 'text' || kind === 'quotes' || kind === 'tilde')) return null;
  if (!pieces.some(({ kind }) => kind === 'tilde')) return null;
  return pieces
    .map((piece) => (piece.kind === 'text' ? piece.text : piece.kind === 'tilde' ? `~${piece.user}` : ''))
    .join('');
}
