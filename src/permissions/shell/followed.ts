import { isWrapper } from './wrappers.ts';

const BUILTINS = new Set(
  '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
);

/** Whether the analysis itself treats this name specially, beyond its being the name of a program. */
export function isFollowed(name: string): boolean {
  return BUILTINS.has(name) || isWrapper(name);
}
