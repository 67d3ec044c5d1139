import { parse } from 'just-bash';

/**
 * What the workspace's shell reads in a script, for comparison with what the app reads: every simple command as its
 * words, `null` where one is computed. What only some readers take for another kind of command stands as `<type>`.
 * `null` where the shell refuses the script and runs nothing of it.
 */
export interface ReadCommand {
  readonly assignments: readonly string[];
  readonly words: readonly (string | null)[];
  /** Files that are opened, those for writing with `>` in front. */
  readonly files: readonly (string | null)[];
}

type Tree = { readonly type?: unknown; readonly [key: string]: unknown };

const OTHER_KINDS = new Set([
  'FunctionDef',
  'ArithmeticCommand',
  'CStyleFor',
  'ArithCommandSubst',
  'ArithVariable',
]);

export function justBashCommands(script: string): ReadCommand[] | null {
  const commands: ReadCommand[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isTree(value)) return;
    // Refused too, but only when the run comes to it.
    if (value['deferredError']) commands.push({ assignments: [], words: ['<error>'], files: [] });
    if (value.type === 'SimpleCommand') {
      commands.push({
        assignments: trees(value['assignments']).map(({ name }) => String(name)),
        words: [...trees([value['name']].filter(Boolean)), ...trees(value['args'])].map(wordOf),
        files: files(value),
      });
    } else if (files(value).length > 0) commands.push({ assignments: [], words: [], files: files(value) });
    if (OTHER_KINDS.has(String(value.type)))
      commands.push({ assignments: [], words: [`<${value.type}>`], files: [] });
    Object.values(value).forEach(visit);
  };
  try {
    visit(parse(script));
  } catch {
    return null;
  }
  return commands;
}

function files(node: Tree): (string | null)[] {
  return trees(node['redirections']).flatMap(({ operator, target }) => {
    if (!isTree(target) || target.type === 'HereDoc' || operator === '<<<') return [];
    const name = wordOf(target);
    if ((operator === '>&' || operator === '<&') && /^(\d+-?|-)$/.test(name ?? '')) return [];
    return [operator === '<' || name === null ? name : `>${name}`];
  });
}

function wordOf(word: Tree): string | null {
  return joined(trees(word['parts']));
}

function joined(parts: readonly Tree[]): string | null {
  let text = '';
  for (const part of parts) {
    const piece = textOf(part);
    if (piece === null) return null;
    text += piece;
  }
  return text;
}

function textOf(part: Tree): string | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'Escaped':
      return String(part['value']);
    case 'DoubleQuoted':
      return joined(trees(part['parts']));
    case 'TildeExpansion':
      return `~${part['user'] ?? ''}`;
    case 'Glob':
      // A bracket that nothing closes is no glob.
      return part['pattern'] === '[' ? '[' : null;
    default:
      return null;
  }
}

function trees(value: unknown): Tree[] {
  return Array.isArray(value) ? value.filter(isTree) : [];
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}
