import { Opaque } from './opaque.ts';

/**
 * All that jsh, whose grammar nobody has written down, can be trusted to read as bash does: plain words, globs, plain
 * quotes, pipes, `&&`, `||`, `;` and redirections to and from files. No expansions, assignments, comments, subshells,
 * background jobs, second lines, `~` or a leading `=`, which is a command's place to a shell like zsh; nor `**`, which is
 * every folder below to it, or `<1-9>`, which is a glob.
 */
const READ_ALIKE = [
  /[ \t]+/y,
  /\|\||&&|\||;/y,
  /2>&1|[012]?>>?(?![&>|])|<(?![<&>])/y,
  /(?!\*\*)[\w@%+:,./?*-](?:(?!\*\*)[\w@%+:,./?*=-])*/y,
  /'[^'\n\\!]*'/y,
  /"[^"\n\\!$`]*"/y,
];

/** Where a command's name should stand: the start of something longer, or what zsh takes for a word about the next one. */
const KEYWORD =
  /(?:^|[|;&])[ \t]*(?:for|while|until|if|case|select|function|repeat|foreach|time|coproc|noglob|nocorrect|builtin|-)(?![\w./@%+:,=-])/;

/** To a shell like zsh these run text or change what later text means; to bash they are programs like any other. */
const BUILTINS = new Set(
  'autoload chdir emulate float functions integer loadenv print private r sched setopt unhash unsetopt vared zcompile zle zmodload zstyle'.split(
    ' ',
  ),
);

export function checkJshBuiltin(name: string): void {
  if (BUILTINS.has(name)) throw new Opaque(`${name} may run or change what is not written here`);
}

/** Throws {@link Opaque} where jsh may read the script otherwise than the analysis does. */
export function checkForJsh(script: string): void {
  const text = script.trim();
  if (KEYWORD.test(text)) throw new Opaque('it holds a keyword');
  if (/<[\d]*-[\d]*>/.test(text)) throw new Opaque('it holds what may be a range of numbers');
  for (let at = 0; at < text.length;) {
    const end = READ_ALIKE.map((piece) => {
      piece.lastIndex = at;
      return piece.test(text) ? piece.lastIndex : at;
    }).find((after) => after > at);
    if (end === undefined) throw new Opaque('it holds syntax that jsh may read differently');
    at = end;
  }
}
