import { ROOT } from '../../../workspace/workspace.ts';

/** The questions that completing a word asks the shell. */
export interface CompletionSource {
  commands(): Promise<readonly string[]>;
  /** The names of the variables that the shell has set. */
  variables(): readonly string[];
  /** The names in a folder; empty if there is no such folder. */
  list(path: string): Promise<readonly { readonly name: string; readonly directory: boolean }[]>;
}

export interface Completion {
  /** `text` replaces the word from `from` to the cursor. It is as much as all candidates share. */
  readonly from: number;
  readonly text: string;
  /** The names to show if the text could not be made longer, without their folders. */
  readonly candidates: readonly string[];
}

/**
 * Completes the word that ends at `cursor`: as a command name where the shell expects one, else as a path.
 * Null if nothing matches.
 */
export async function complete(
  text: string,
  cursor: number,
  cwd: string,
  source: CompletionSource,
): Promise<Completion | null> {
  const before = text.slice(0, cursor);
  const from = wordStart(before);
  const word = before.slice(from);
  const variable = /(?<!\\)\$(\{?)(\w*)$/.exec(word);
  if (variable && !word.startsWith("'")) {
    const [, brace = '', name = ''] = variable;
    const names = source.variables().filter((each) => each.startsWith(name));
    return answerVariable(from + variable.index, brace, name, names);
  }
  const typed = unquote(word);
  const atCommand = /(?:^|[|&;(\n]|\b(?:then|do|else)\s|\$\()\s*$/.test(before.slice(0, from));
  if (atCommand && !typed.includes('/')) {
    const names = (await source.commands()).filter((name) => name.startsWith(typed));
    return answer(
      from,
      '',
      typed,
      word,
      names.map((name) => ({ name, directory: false })),
    );
  }
  const slash = typed.lastIndexOf('/') + 1;
  const folder = typed.slice(0, slash);
  const prefix = typed.slice(slash);
  const entries = (await source.list(joinPath(cwd, folder))).filter(
    ({ name }) => name.startsWith(prefix) && (prefix.startsWith('.') || !name.startsWith('.')),
  );
  return answer(from, folder, prefix, word, entries);
}

function answer(
  from: number,
  folder: string,
  prefix: string,
  word: string,
  entries: readonly { readonly name: string; readonly directory: boolean }[],
): Completion | null {
  const [only] = entries;
  if (!only) return null;
  if (entries.length === 1) {
    return { from, text: quote(folder + only.name, word) + (only.directory ? '/' : ' '), candidates: [] };
  }
  const shared = commonPrefix(entries.map(({ name }) => name));
  return {
    from,
    text: shared.length > prefix.length ? quote(folder + shared, word) : word,
    candidates:
      shared.length > prefix.length ? [] : entries.map((e) => (e.directory ? `${e.name}/` : e.name)),
  };
}

function answerVariable(
  from: number,
  brace: string,
  typed: string,
  names: readonly string[],
): Completion | null {
  const [only] = names;
  if (only === undefined) return null;
  if (names.length === 1) return { from, text: `$${brace}${only}${brace ? '}' : ''}`, candidates: [] };
  const shared = commonPrefix(names);
  return { from, text: `$${brace}${shared}`, candidates: shared.length > typed.length ? [] : names };
}

/** The start of the last word, with respect to quotes and backslashes. */
function wordStart(text: string): number {
  let start = 0;
  let quoted: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\' && quoted !== "'") at += 1;
    else if (quoted) quoted = char === quoted ? undefined : quoted;
    else if (char === '"' || char === "'") quoted = char;
    else if (/[\s|&;()<>=]/.test(char)) start = at + 1;
  }
  return start;
}

function unquote(word: string): string {
  return word.replace(/\\(.)|["']/gs, (_, escaped: string | undefined) => escaped ?? '');
}

/** Escapes a path for the shell, since anyone can give a file any name. */
function quote(path: string, word: string): string {
  if (word.startsWith("'") || /[\n\t]/.test(path)) return `'${path.replaceAll("'", `'\\''`)}'`;
  return path.replace(/[^\p{L}\p{N}\p{M}_@%+=:,./-]/gu, (char) => `\\${char}`);
}

function commonPrefix(names: readonly string[]): string {
  const [first = '', ...rest] = names;
  let length = first.length;
  for (const name of rest) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** The path of `folder` relative to `cwd`. `~` is `/home`, outside every workspace, and completes nothing. */
function joinPath(cwd: string, folder: string): string {
  if (folder.startsWith('/')) return folder;
  return folder ? `${cwd}/${folder}` : cwd || ROOT;
}
