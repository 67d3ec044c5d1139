import { Opaque } from './opaque.ts';

/**
 * The syntax that jsh, which has no documented grammar, can be trusted to read as bash does: plain words, globs,
 * plain quotes, pipes, `&&`, `||`, `;` and redirections to and from files. Excluded are expansions, assignments,
 * comments, subshells, background jobs, second lines, `~` and a leading `=`, which is the path of a command in a
 * shell like zsh; also `**`, which matches every folder below, and `<1-9>`, which is a glob there.
 */
const READ_ALIKE = [
  /[ \t]+/y,
  /\|\||&&|\||;/y,
  /2>&1|[012]?>>?(?![&>|])|<(?![<&>])/y,
  /(?!\*\*)[\w@%+:,./?*-](?:(?!\*\*)[\w@%+:,./?*=-])*/y,
  /'[^'\n\\!]*'/y,
  /"[^"\n\\!$`]*"/y,
];

/** A name that begins a longer construct, or that zsh takes for a modifier of the next word. */
const KEYWORD =
  /(?:^|[|;&])[ \t]*(?:for|while|until|if|case|select|function|repeat|foreach|time|coproc|noglob|nocorrect|builtin|-)(?![\w./@%+:,=-])/;

/** In a shell like zsh these run text or change what later text means; in bash they are ordinary programs. */
const BUILTINS = new Set(
  'autoload chdir emulate float functions integer loadenv print private r sched setopt unhash unsetopt vared zcompile zle zmodload zstyle'.split(
    ' ',
  ),
);

export function checkJshBuiltin(name: string): void {
  if (BUILTINS.has(name)) throw new Opaque(`${name} may run or change what is not written here`);
}

/** Throws {@link Opaque} if jsh may read the script differently than the analysis does. */
export function checkForJsh(script: string): void {
  const text = script.trim();
  if (KEYWORD.test(text)) throw new Opaque('it contains a keyword');
  if (/<[\d]*-[\d]*>/.test(text)) throw new Opaque('it contains what may be a range of numbers');
  for (let at = 0; at < text.length;) {
    const end = READ_ALIKE.map((piece) => {
      piece.lastIndex = at;
      return piece.test(text) ? piece.lastIndex : at;
    }).find((after) => after > at);
    if (end === undefined) throw new Opaque('it contains syntax that jsh may read differently');
    at = end;
  }
}
