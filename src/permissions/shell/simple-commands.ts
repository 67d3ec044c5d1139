import type { Assignment, Command, Redirection, Word } from 'unbash';
import { bracesOf } from './braces.ts';
import { Opaque, type ShellCommand, type ShellRedirect, type ShellWord } from './opaque.ts';

/** The words that a word with braces becomes; null if it has none, or not all of them are known. */
export function bracesIn(word: Word): readonly string[] | null {
  return word.parts?.some(({ type }) => type === 'BraceExpansion') === true ? bracesOf(word.text) : null;
}

/** Throws if two words touch, because some parsers take them for one word. */
function checkApart(
  pieces: readonly { readonly type: string; readonly pos: number; readonly end: number }[],
): void {
  pieces.forEach(({ type, pos }, index) => {
    const isWord = type === 'Word' || type === 'Assignment';
    if (isWord && pieces[index - 1]?.end === pos) throw new Opaque('words that touch');
  });
}

export function commandOf(node: Command, source: string): ShellCommand {
  checkApart([...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]);
  const words = [...(node.name ? [node.name] : []), ...node.args].flatMap((word) => wordsOf(word));
  if (words[0]) checkName(words[0]);
  return {
    assignments: node.prefix.flatMap((part) =>
      part.type === 'Assignment' ? [{ name: part.name, text: part.text }] : [],
    ),
    words,
    redirects: redirectsOf(node.redirects, source),
  };
}

export function redirectsOf(redirects: readonly Redirection[], source: string): ShellRedirect[] {
  return redirects.map((redirect) => redirectOf(redirect, source));
}

function redirectOf(redirect: Redirection, source: string): ShellRedirect {
  if (redirect.descriptor?.type === 'FileDescriptorVariable') throw new Opaque('a named file descriptor');
  const text = source.slice(redirect.pos, redirect.end);
  if (redirect.type !== 'Redirect') return { text, writes: false };
  if (!redirect.target) throw new Opaque('a redirection without a target');
  const target = wordOf(redirect.target);
  if (redirect.operator === '>&' || redirect.operator === '<&') {
    // A copy to a descriptor, or closing one; `>& file` writes a file only in some shells.
    if (target.value === null || !/^(?:\d+-?|-)$/.test(target.value))
      throw new Opaque('a redirection to a computed descriptor');
    return { text, writes: false };
  }
  return { text, writes: redirect.operator !== '<', target };
}

/** Throws for names that not every parser takes for a name, such as `!x` and `{}`. */
function checkName({ value }: ShellWord): void {
  if (value === null) throw new Opaque('a command whose name is computed');
  if (!/^(?:[\w@%+=:,./~^-]+|\[)$/.test(value)) throw new Opaque('an unusual command name');
}

/** Braces turn one word into several. */
function wordsOf(word: Word | Assignment): ShellWord[] {
  const words = word.type === 'Word' ? bracesIn(word) : null;
  return words?.map((value) => ({ text: value, value })) ?? [wordOf(word)];
}

export function wordOf(word: Word | Assignment): ShellWord {
  if (word.type === 'Assignment') {
    if (word.value.type === 'ArrayValue' || word.index)
      return { text: word.text, value: null, assigns: word.name };
    const { value } = wordOf(word.value);
    return {
      text: word.text,
      value: value === null ? null : `${word.name}${word.append ? '+' : ''}=${value}`,
      assigns: word.name,
    };
  }
  return { text: word.text, value: isLiteral(word) ? word.value : null };
}

function isLiteral(word: Word): boolean {
  // Parsers disagree if an unclosed bracket does not clearly end the glob.
  if (/[[\]]/.test(word.text) && word.text.length > 1 && !/^(?:'[^']*'|"[^"\\`$]*")$/.test(word.text))
    return false;
  return (word.parts ?? []).every((part) => {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return true;
      case 'DoubleQuoted':
        return part.parts.every((child) => child.type === 'Literal');
      default:
        return false;
    }
  });
}
