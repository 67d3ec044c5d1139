import type { Shell } from '../shell.ts';
import type { Task } from '../task.ts';

/** The usage lines of builtins and keywords, in alphabetical order. */
export const USED: Readonly<Record<string, string>> = {
  '!': '! PIPELINE',
  '((': '(( EXPRESSION ))',
  '.': '. filename [arguments]',
  ':': ':',
  '[': '[ arg... ]',
  '[[': '[[ EXPRESSION ]]',
  alias: 'alias [-p] [name[=value] ... ]',
  bg: 'bg [job_spec ...]',
  break: 'break [n]',
  builtin: 'builtin [shell-builtin [arg ...]]',
  caller: 'caller [expr]',
  case: 'case WORD in [PATTERN [| PATTERN]...) COMMANDS ;;]... esac',
  cd: 'cd [-L|[-P [-e]] [-@]] [dir]',
  command: 'command [-pVv] command [arg ...]',
  compgen: 'compgen [-abcdefgjksuv] [-o option] [-A action] [-W wordlist] [word]',
  complete: 'complete [-abcdefgjksuv] [-pr] [-o option] [-A action] [-W wordlist] [name ...]',
  compopt: 'compopt [-o|+o option] [name ...]',
  continue: 'continue [n]',
  coproc: 'coproc [NAME] command [redirections]',
  declare: 'declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [name ...]',
  dirs: 'dirs [-clpv] [+N] [-N]',
  disown: 'disown [-h] [-ar] [jobspec ... | pid ...]',
  echo: 'echo [-neE] [arg ...]',
  enable: 'enable [-n] [name ...]',
  eval: 'eval [arg ...]',
  exec: 'exec [-cl] [-a name] [command [argument ...]] [redirection ...]',
  exit: 'exit [n]',
  export: 'export [-fn] [name[=value] ...] or export -p',
  false: 'false',
  fg: 'fg [job_spec]',
  for: 'for NAME [in WORDS ... ] ; do COMMANDS; done',
  function: 'function name { COMMANDS ; } or name () { COMMANDS ; }',
  getopts: 'getopts optstring name [arg ...]',
  hash: 'hash [-lr] [-p pathname] [-dt] [name ...]',
  help: 'help [pattern ...]',
  history: 'history [-c] [n]',
  if: 'if COMMANDS; then COMMANDS; [ elif COMMANDS; then COMMANDS; ]... [ else COMMANDS; ] fi',
  jobs: 'jobs [-lnprs] [jobspec ...]',
  kill: 'kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]',
  let: 'let arg [arg ...]',
  local: 'local [option] name[=value] ...',
  logout: 'logout [n]',
  mapfile:
    'mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]',
  popd: 'popd [-n] [+N | -N]',
  printf: 'printf [-v var] format [arguments]',
  pushd: 'pushd [-n] [+N | -N | dir]',
  pwd: 'pwd [-LP]',
  read: 'read [-rs] [-a array] [-d delim] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]',
  readarray:
    'readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]',
  readonly: 'readonly [-aAf] [name[=value] ...] or readonly -p',
  return: 'return [n]',
  select: 'select NAME [in WORDS ... ;] do COMMANDS; done',
  set: 'set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]',
  shift: 'shift [n]',
  shopt: 'shopt [-pqsu] [-o] [optname ...]',
  source: 'source filename [arguments]',
  test: 'test [expr]',
  time: 'time [-p] pipeline',
  times: 'times',
  trap: 'trap [-lp] [[arg] signal_spec ...]',
  true: 'true',
  type: 'type [-afptP] name [name ...]',
  typeset: 'typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [name ...]',
  ulimit: 'ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]',
  umask: 'umask [-p] [-S] [mode]',
  unalias: 'unalias [-a] name [name ...]',
  unset: 'unset [-f] [-v] [-n] [name ...]',
  until: 'until COMMANDS; do COMMANDS-2; done',
  wait: 'wait [-fn] [-p var] [id ...]',
  while: 'while COMMANDS; do COMMANDS-2; done',
  '{': '{ COMMANDS ; }',
};

/** These builtins treat `--help` like any other word. */
const TAKES_ANY: ReadonlySet<string> = new Set([':', '[', 'echo', 'false', 'test', 'true']);

export function asksForHelp(name: string, first: unknown): boolean {
  return first === '--help' && !TAKES_ANY.has(name);
}

/** Prints the usage for `NAME --help`, as `help NAME` does, and answers its exit code. */
export function* tellUse(shell: Shell, name: string): Task<number> {
  yield* shell.print(`${name}: ${USED[name] ?? name}\n`);
  return 2;
}
