import type {
  AndOr,
  Assignment,
  Command,
  CompoundList,
  Function as FunctionNode,
  ParsedScript,
  PipelineNode,
  Statement,
  Subshell,
} from 'unbash';
import { encode } from '../kit/io.ts';
import type { ShellFs } from '../shell-fs.ts';
import type { Builder } from './builders.ts';
import type { Descriptors, OpenFile } from './descriptors.ts';
import { ShellError, ShellExit } from './errors.ts';
import type { Job } from './jobs.ts';
import { masked, USUAL_MASK } from './overlaid.ts';
import { Process } from './process.ts';
import { lineOf, type Script, type Source } from './source.ts';
import { wait, type Task } from './task.ts';
import type { Variables } from './variables.ts';
import type { Parameter } from './words.ts';
import type { World } from './world.ts';

/** The successive waits of a shell before it gives up forking. */
const FORK_RETRY_MS = [100, 200, 400, 800];

export interface ShellFunction {
  readonly body: FunctionNode['body'];
  readonly source: Source;
  readonly node: FunctionNode;
}

/** One level of the call stack: a function, or a file read by `source`. */
export interface Frame {
  readonly name: string;
  readonly source: Source;
  /** The script and the position of the call. */
  readonly callSource: Source;
  readonly callAt: number;
  readonly isFunction: boolean;
  /** The shell's options before `local -`, which are restored after the function. */
  options?: ReadonlyMap<string, boolean>;
}

/** An argument of a command. Commands that declare variables receive assignments unexpanded. */
export type Argument = string | Assignment;

/** Changes the lookup of a command. */
export interface LookupOptions {
  /** Skips functions in the lookup. */
  readonly withoutFunctions?: boolean;
  /** Looks in the usual folders, whatever PATH contains. */
  readonly usualPath?: boolean;
}

/** A command of the shell itself. A {@link ShellError} that it throws is printed as `name: message`. */
export type Builtin = (shell: Shell, args: readonly Argument[]) => number | Task<number>;

/**
 * The parts of the interpreter that call each other in a ring, because expanding a word may run commands and
 * running a command expands words. They reach each other through the shell.
 */
export interface Interpreter {
  readonly builtins: ReadonlyMap<string, Builtin>;
  addParameter(shell: Shell, builder: Builder, parameter: Parameter, quoted: boolean): Task<void>;
  /** Runs a script and returns its output. */
  substitute(shell: Shell, script: ParsedScript, origin: string | undefined): Task<string>;
  /** Starts a script beside the command, and returns the path of its output or input. */
  processSubstitution(
    shell: Shell,
    script: ParsedScript,
    operator: '<' | '>',
    origin: string | undefined,
  ): string;
  /** Runs words as a command. */
  invoke(shell: Shell, words: readonly Argument[], lookup?: LookupOptions): Task<number>;
  run(shell: Shell, node: PipelineNode | AndOr | CompoundList): Task<number>;
  runList(shell: Shell, statements: readonly Statement[]): Task<number>;
  /** Runs a whole script. */
  runScript(shell: Shell, script: Script): Task<number>;
}

/** One shell or subshell. A subshell gets copies of its state. */
export class Shell {
  readonly world: World;
  process: Process;
  readonly variables: Variables;
  readonly functions: Map<string, ShellFunction>;
  /** `set -o`, by long names. */
  readonly options: Map<string, boolean>;
  readonly shopt: Map<string, boolean>;
  readonly aliases: Map<string, string>;
  readonly traps: Map<string, string>;
  readonly fds: Descriptors;
  /** `$0`. */
  name: string;
  /** `$$`. */
  readonly pid: number;
  args: string[];
  cwd: string;
  /** `$?`. */
  status = 0;
  /**
   * The status of the last command substitution; it becomes the status of a command that consists of
   * assignments only.
   */
  substitution: number | undefined;
  lastArg = 'bash';
  lastJob = 0;
  /** The statuses of the last pipeline; undefined where that was a single command, whose status is `$?`. */
  pipeStatus: number[] | undefined;
  frames: Frame[] = [];
  /** The script that runs, and the present position in it. */
  source: Source;
  at = 0;
  /** The jump under way; `levels` counts the loops that it still has to leave. */
  flow: 'break' | 'continue' | 'return' | undefined;
  levels = 0;
  loops = 0;
  /** The number of surrounding constructs in which failures do not count for `set -e` and ERR traps. */
  unchecked = 0;
  /** The number of subshells around this shell. */
  subshells = 0;
  jobs: Job[] = [];
  /** Lines that a person has typed. */
  readonly history: string[] = [];
  /** Called when a job has ended, under `set -b`. */
  notify = (): void => {};
  /** The jobs of the shell that this one was copied from: `jobs | cat` lists them. */
  outerJobs: readonly Job[] = [];
  /** Descriptors of process substitutions, closed once their command has ended. */
  substituted: number[] = [];
  /** Maps the number of each process beside this shell to its exit status. */
  readonly background = new Map<number, Promise<number>>();
  /** The statuses of processes that were already waited for, because a script may ask for them once more. */
  readonly remembered = new Map<number, Promise<number>>();
  folders: string[] = [];
  umask = USUAL_MASK;
  readonly hashed: Map<string, { path: string; hits: number }>;
  started = performance.now();
  /** The position of `getopts` inside a word. */
  optionAt = 0;
  optionIndex = 1;
  inTrap = false;
  /**
   * The present command, for BASH_COMMAND. While a trap runs, `holdsCommand` keeps it at the command that set
   * off the trap.
   */
  holdsCommand = false;
  command: { readonly source: Source; readonly from: number; readonly to: number };
  /** The simple command after which the process ends; undefined where more may follow. */
  last: Command | undefined;
  /** The `( )` that this shell was forked for, which needs no further fork. */
  subshell: Subshell | undefined;
  /** True while the last command is about to run. */
  isLast = false;
  readonly expandingAliases = new Set<string>();
  readonly isInteractive: boolean;
  readonly interpreter: Interpreter;

  constructor(world: World, process: Process, from: ShellStart) {
    this.world = world;
    this.process = process;
    this.variables = from.variables;
    this.functions = from.functions ?? new Map();
    this.options = from.options ?? new Map(DEFAULT_OPTIONS);
    this.shopt = from.shopt ?? new Map(DEFAULT_SHOPT);
    this.aliases = from.aliases ?? new Map();
    this.traps = from.traps ?? new Map();
    this.hashed = from.hashed ?? new Map();
    this.fds = from.fds;
    this.name = from.name;
    this.pid = from.pid ?? process.pid;
    this.args = from.args;
    this.cwd = from.cwd;
    this.source = from.source;
    this.command = { source: from.source, from: 0, to: 0 };
    this.isInteractive = from.isInteractive ?? false;
    this.interpreter = from.interpreter;
    this.variables.owner = this;
    process.disposition = (signal) => this.traps.get(signal);
  }

  /** Waits, for a shorter time than bash, while no process can be forked. */
  *forkRoom(): Task<void> {
    for (const ms of FORK_RETRY_MS) {
      if (this.world.hasRoom) return;
      if (this.world.tellsOfForks()) yield* this.complain('fork: retry: Resource temporarily unavailable');
      yield* wait(new Promise((resolve) => setTimeout(resolve, ms)));
      this.process.check();
    }
  }

  /**
   * Copies the shell as another process; `streams` replace some of its descriptors. Call {@link forkRoom}
   * first.
   */
  fork(streams: ReadonlyMap<number, OpenFile> = new Map()): Shell {
    const process = new Process(this.world, this.process, true);
    const fds = this.fds.copy();
    for (const [fd, file] of streams) fds.set(fd, file);
    const child = new Shell(this.world, process, {
      variables: this.variables.copy(),
      functions: new Map(this.functions),
      options: new Map(this.options),
      shopt: new Map(this.shopt),
      aliases: new Map(this.aliases),
      // Ignored signals stay ignored in a subshell; signals with a trap get their default back.
      traps: new Map([...this.traps].filter(([name, text]) => text === '' && name !== 'EXIT')),
      hashed: new Map(this.hashed),
      fds,
      name: this.name,
      pid: this.pid,
      args: this.args,
      cwd: this.cwd,
      source: this.source,
      isInteractive: this.isInteractive,
      interpreter: this.interpreter,
    });
    child.status = this.status;
    child.lastArg = this.lastArg;
    child.lastJob = this.lastJob;
    child.pipeStatus = this.pipeStatus;
    child.frames = [...this.frames];
    child.at = this.at;
    child.command = this.command;
    child.loops = this.loops;
    child.unchecked = this.unchecked;
    child.subshells = this.subshells + 1;
    child.folders = [...this.folders];
    child.umask = this.umask;
    child.started = this.started;
    child.optionAt = this.optionAt;
    child.outerJobs = this.jobs;
    for (const name of this.exportedFunctions) child.exportedFunctions.add(name);
    child.inherited = this.inherited ?? [...this.traps];
    if (this.options.get('errtrace')) copyTrap(this, child, 'ERR');
    if (this.options.get('functrace')) for (const name of ['DEBUG', 'RETURN']) copyTrap(this, child, name);
    return child;
  }

  /** The traps that `trap` lists in a subshell that has set none itself. */
  inherited: [string, string][] | undefined;

  readonly exportedFunctions = new Set<string>();

  /** The environment of programs: exported variables, and exported functions in bash's own encoding. */
  environment(): ReadonlyMap<string, string> {
    const variables = this.variables.exported();
    if (this.exportedFunctions.size === 0) return variables;
    const all = new Map(variables);
    for (const name of this.exportedFunctions) {
      const known = this.functions.get(name);
      if (known)
        all.set(`BASH_FUNC_${name}%%`, `() ${known.source.text.slice(known.body.pos, known.body.end)}`);
    }
    return all;
  }

  on(option: string): boolean {
    return this.options.get(option) === true;
  }

  /** The file system with the umask of this shell applied. */
  get files(): ShellFs {
    return masked(this.world.files, this.umask);
  }

  /** Call it before a command runs: notes the command's position in the source. */
  begin({ pos, end }: { readonly pos: number; readonly end: number }): void {
    this.at = pos;
    if (!this.holdsCommand) this.command = { source: this.source, from: pos, to: end };
  }

  /** The number of the line that runs. */
  get line(): number {
    return lineOf(this.source, this.at);
  }

  absolute(path: string): string {
    return path.startsWith('/') && !/\/\.|\/\/|.\/$/.test(path)
      ? path
      : this.world.files.resolvePath(this.cwd, path);
  }

  *print(text: string, fd = 1): Task<void> {
    if (text === '') return;
    const sink = this.fds.get(fd)?.sink;
    if (!sink) throw new ShellError('write error: Bad file descriptor');
    const written = sink.write(encode(text));
    if (written) yield* wait(written);
  }

  /** The prefix of the shell's own error messages. */
  get place(): string {
    const isInFunction = this.frames.some(({ isFunction }) => isFunction);
    const name = this.source.name ?? (isInFunction ? 'environment' : this.name);
    return this.isInteractive && this.source.name === undefined
      ? `${this.name}: `
      : `${name}: line ${this.line}: `;
  }

  *complain(message: string): Task<void> {
    if (this.fds.get(2)?.sink) yield* this.print(`${this.place}${message}\n`, 2);
  }

  exit(status: number): never {
    throw new ShellExit(status);
  }
}

function copyTrap(from: Shell, to: Shell, name: string): void {
  const text = from.traps.get(name);
  if (text !== undefined) to.traps.set(name, text);
}

export interface ShellStart {
  readonly variables: Variables;
  readonly fds: Descriptors;
  readonly name: string;
  readonly args: string[];
  readonly cwd: string;
  readonly source: Source;
  readonly pid?: number;
  readonly functions?: Map<string, ShellFunction>;
  readonly options?: Map<string, boolean>;
  readonly shopt?: Map<string, boolean>;
  readonly aliases?: Map<string, string>;
  readonly traps?: Map<string, string>;
  readonly hashed?: Map<string, { path: string; hits: number }>;
  readonly isInteractive?: boolean;
  readonly interpreter: Interpreter;
}

/** Maps the letters of `set` to long option names. */
export const OPTION_LETTERS: Readonly<Record<string, string>> = {
  a: 'allexport',
  b: 'notify',
  e: 'errexit',
  f: 'noglob',
  h: 'hashall',
  k: 'keyword',
  m: 'monitor',
  n: 'noexec',
  p: 'privileged',
  t: 'onecmd',
  u: 'nounset',
  v: 'verbose',
  x: 'xtrace',
  B: 'braceexpand',
  C: 'noclobber',
  E: 'errtrace',
  H: 'histexpand',
  P: 'physical',
  T: 'functrace',
};

const OPTIONS_ON = new Set(['braceexpand', 'hashall', 'interactive-comments']);

const DEFAULT_OPTIONS: readonly [string, boolean][] = [
  ...Object.values(OPTION_LETTERS),
  'emacs',
  'history',
  'ignoreeof',
  'interactive-comments',
  'nolog',
  'pipefail',
  'posix',
  'vi',
]
  .sort()
  .map((name) => [name, OPTIONS_ON.has(name)]);

const SHOPT_ON = new Set([
  'checkwinsize',
  'cmdhist',
  'complete_fullquote',
  'extquote',
  'force_fignore',
  'globasciiranges',
  'globskipdots',
  'hostcomplete',
  'interactive_comments',
  'patsub_replacement',
  'progcomp',
  'promptvars',
  'sourcepath',
]);

const SHOPT_NAMES =
  'array_expand_once assoc_expand_once autocd cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 compat41 compat42 compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug extglob extquote failglob force_fignore globasciiranges globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete huponexit inherit_errexit interactive_comments lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose sourcepath varredir_close xpg_echo'.split(
    ' ',
  );

const DEFAULT_SHOPT: readonly [string, boolean][] = SHOPT_NAMES.map((name) => [name, SHOPT_ON.has(name)]);
