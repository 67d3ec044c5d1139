import type { HereDoc, Word } from 'unbash';
import { Fields, OneText, PatternText, type Builder } from './builders.ts';
import { evaluate, type Int } from './arithmetic.ts';
import { ShellError } from './errors.ts';
import { fileNames } from './names.ts';
import { isMagic } from './patterns.ts';
import type { Shell } from './shell.ts';
import type { Task } from './task.ts';
import { bodyPieces, compile, compileText, type Compiled, type Piece } from './words.ts';

/** Expands the words of a command, splits them into fields and matches file names. */
export function* expandWords(shell: Shell, words: readonly Word[]): Task<string[]> {
  const out: string[] = [];
  for (const word of words) {
    const form = compile(word);
    if (form.plain !== undefined) out.push(form.plain);
    else yield* addFields(shell, form, out);
  }
  return out;
}

export function* addFields(shell: Shell, form: Compiled, out: string[]): Task<void> {
  if (form.variants) {
    for (const variant of form.variants) yield* addFields(shell, variant, out);
    return;
  }
  if (form.plain !== undefined) {
    out.push(form.plain);
    return;
  }
  const fields = new Fields(separatorsOf(shell));
  yield* addPieces(shell, fields, form.pieces);
  for (const field of fields.finish()) {
    if (!field.isMagic || shell.on('noglob') || !isMagic(field.pattern)) out.push(field.text);
    else yield* addNames(shell, field.pattern, field.text, out);
  }
}

function* addNames(shell: Shell, pattern: string, text: string, out: string[]): Task<void> {
  const names = yield* fileNames(shell, pattern);
  if (names.length > 0) out.push(...names);
  else if (shell.shopt.get('failglob')) throw new ShellError(`no match: ${text}`);
  else if (!shell.shopt.get('nullglob')) out.push(text);
}

export function separatorsOf(shell: Shell): string {
  return shell.variables.get('IFS') ?? ' \t\n';
}

/** The text that joins the values of `"$*"`. */
export function joinerOf(shell: Shell): string {
  return separatorsOf(shell).charAt(0);
}

/**
 * Expands a word that stays one: the value of an assignment, the target of a redirection, the subject of
 * `case`.
 */
export function* expandText(shell: Shell, form: Compiled): Task<string> {
  if (form.plain !== undefined) return form.plain;
  const builder = new OneText(joinerOf(shell));
  yield* addPieces(shell, builder, form.pieces);
  return builder.text;
}

export function* expandPattern(shell: Shell, form: Compiled): Task<string> {
  const builder = new PatternText();
  yield* addPieces(shell, builder, form.pieces);
  return builder.text;
}

export function* expandRegex(shell: Shell, form: Compiled): Task<string> {
  const builder = new PatternText((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  yield* addPieces(shell, builder, form.pieces);
  return builder.text;
}

/** Evaluates arithmetic after expanding its text. */
export function* calculate(shell: Shell, text: string): Task<Int> {
  const form = compileText(text);
  return evaluate(shell.variables, form.plain ?? (yield* expandText(shell, form)));
}

export function* expandHereDocument(shell: Shell, node: HereDoc): Task<string> {
  const { body, delimiter, operator } = node;
  const withoutTabs = (text: string) => (operator === '<<-' ? text.replace(/^\t+/gm, '') : text);
  if (delimiter?.quoted) return withoutTabs(body.text);
  const pieces = bodyPieces(body.parts, body.text, undefined);
  const builder = new OneText(joinerOf(shell));
  let lineStart = true;
  for (const piece of pieces) {
    if (piece.kind === 'text' && operator === '<<-') {
      const text = piece.text.replace(/(^|\n)\t+/g, (all, start: string, at: number) =>
        at === 0 && start === '' && !lineStart ? all : start,
      );
      builder.quoted(text);
      lineStart = text === '' ? lineStart : text.endsWith('\n');
    } else {
      yield* addPieces(shell, builder, [piece]);
      lineStart = false;
    }
  }
  return builder.text;
}

export function* addPieces(shell: Shell, builder: Builder, pieces: readonly Piece[]): Task<void> {
  for (const piece of pieces) {
    switch (piece.kind) {
      case 'text':
        if (piece.quoted) builder.quoted(piece.text);
        else builder.literal(piece.text);
        break;
      case 'quotes':
        builder.open();
        break;
      case 'tilde':
        builder.quoted(homeOf(shell, piece.user));
        break;
      case 'parameter':
        yield* shell.interpreter.addParameter(shell, builder, piece.parameter, piece.quoted);
        break;
      case 'command':
        add(builder, yield* shell.interpreter.substitute(shell, piece.script, piece.origin), piece.quoted);
        break;
      case 'arithmetic': {
        const text = piece.text.plain ?? (yield* expandText(shell, piece.text));
        add(builder, String(evaluate(shell.variables, text)), piece.quoted);
        break;
      }
      case 'process':
        yield* shell.forkRoom();
        builder.quoted(
          shell.interpreter.processSubstitution(shell, piece.script, piece.operator, piece.origin),
        );
        break;
      case 'bad':
        throw new ShellError(`${piece.text}: bad substitution`, 1, true);
    }
  }
}

export function add(builder: Builder, text: string, quoted: boolean): void {
  if (quoted) builder.quoted(text);
  else builder.expanded(text);
}

function homeOf(shell: Shell, user: string): string {
  if (user === '+') return shell.variables.get('PWD') ?? '~+';
  if (user === '-') return shell.variables.get('OLDPWD') ?? '~-';
  if (user === '') return shell.variables.get('HOME') ?? '/';
  return user === 'root' ? '/root' : `~${user}`;
}
