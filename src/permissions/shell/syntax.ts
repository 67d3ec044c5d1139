import type * as Unbash from 'unbash';
import type { SyntaxNode, Word } from 'unbash';
import { check, isIndirect } from './checks.ts';
import { IndirectNames } from './indirect.ts';
import type { ShellCommand } from './opaque.ts';
import { bracesIn, commandOf, redirectsOf, wordOf } from './simple-commands.ts';

/**
 * Returns every simple command in a script, at any depth, in the order of writing. Throws {@link Opaque} for any
 * syntax that is not on the list of what the shell is known to read in the same way. `isWhole` says that this is
 * everything the shell runs, rather than a part of another script.
 */
export function commandsOf(unbash: typeof Unbash, source: string, isWhole = true): ShellCommand[] {
  const commands: ShellCommand[] = [];
  const indirect = new IndirectNames();
  const expanded = new Set<SyntaxNode>();
  const visit = (node: SyntaxNode, from: string, around: Around): void => {
    noteNames(node, indirect);
    for (const word of wordsWithBraces(node)) for (const part of word.parts ?? []) expanded.add(part);
    if (expanded.has(node)) return;
    const text = check(node, from);
    if (node.type === 'Command') commands.push(placed(commandOf(node, text), around));
    if (node.type === 'Redirected') {
      commands.push({ assignments: [], words: [], redirects: redirectsOf(node.redirects, text) });
    }
    unbash.forEachChild(node, (child) => visit(child, text, aroundChild(node, child, text, around)));
  };
  visit(unbash.parse(source), source, {});
  indirect.check(source, commands, isWhole);
  return commands;
}

/** What decides where a command's input and the variables of its loops come from. */
type Around = Pick<ShellCommand, 'fedBy' | 'loops'>;

/** The command with what is around it, unless it reads its input from somewhere else. */
function placed(command: ShellCommand, { fedBy, loops }: Around): ShellCommand {
  const readsFile = command.redirects.some(({ text }) => isInput(text));
  return { ...command, ...(fedBy && !readsFile && { fedBy }), ...(loops && { loops }) };
}

function aroundChild(node: SyntaxNode, child: SyntaxNode, text: string, around: Around): Around {
  if (node.type === 'Pipeline') {
    const at = node.commands.findIndex((each) => each === child);
    if (at < 1) return around;
    const fedBy = node.commands
      .slice(0, at)
      .map((each) => (each.type === 'Command' ? commandOf(each, text) : null));
    return { ...around, fedBy };
  }
  if (node.type === 'Redirected' && node.redirects.some(({ pos, end }) => isInput(text.slice(pos, end))))
    return around.loops ? { loops: around.loops } : {};
  if (node.type !== 'For' && node.type !== 'Select') return around;
  // Without a list, a loop goes through the arguments.
  const words = node.wordlist?.map(wordOf) ?? [{ text: '"$@"', value: null }];
  return { ...around, loops: new Map([...(around.loops ?? []), [node.name.text, words]]) };
}

function isInput(redirect: string): boolean {
  return /^0?<(?!&)/.test(redirect);
}

/** The words of a command or a loop whose braces can be expanded completely. */
function wordsWithBraces(node: SyntaxNode): readonly Word[] {
  const words =
    node.type === 'Command'
      ? [...(node.name ? [node.name] : []), ...node.args]
      : node.type === 'For' || node.type === 'Select'
        ? (node.wordlist ?? [])
        : [];
  return words.filter((word): word is Word => word.type === 'Word' && bracesIn(word) !== null);
}

function noteNames(node: SyntaxNode, indirect: IndirectNames): void {
  if (node.type === 'SimpleExpansion') indirect.mention(node.text.slice(1));
  else if (node.type === 'ParameterExpansion') {
    if (isIndirect(node)) indirect.expansion(node.parameter);
    else if (node.text === `\${${node.parameter}}`) indirect.mention(node.parameter);
  } else if (node.type === 'Assignment' && !node.index && !node.append && node.value.type === 'Word')
    indirect.names(node.name, [wordOf(node.value).value]);
  else if (node.type === 'For' || node.type === 'Select')
    indirect.names(
      node.name.text,
      (node.wordlist ?? []).map((word) => wordOf(word).value),
    );
}

/**
 * Returns the script in a normal form: without extra blanks and quotes that change nothing, and with `;` for line
 * ends. Two scripts with the same form do the same. A script with a here-document stays as it is written.
 */
export function canonicalOf(unbash: typeof Unbash, source: string): string {
  const words: Word[] = [];
  let isPlain = true;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'HereDoc') isPlain = false;
    if (node.type === 'Word') words.push(node);
    else unbash.forEachChild(node, visit);
  };
  visit(unbash.parse(source));
  if (!isPlain) return source;
  const pieces: (string | { readonly text: string })[] = [];
  let gap = '';
  let at = 0;
  const between = (end: number) => {
    gap = source
      .slice(at, end)
      .replace(/\\\n|[ \t]+/g, '')
      .replace(/[\n;]+/g, ';');
  };
  for (const word of words.toSorted((a, b) => a.pos - b.pos)) {
    between(word.pos);
    pieces.push(gap);
    const { text, value } = wordOf(word);
    pieces.push(value ?? { text });
    at = word.end;
  }
  between(source.length);
  return JSON.stringify([...pieces, gap.replace(/;$/, '')]);
}
