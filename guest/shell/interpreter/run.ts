import { POSIX_TIMES, timesText, USUAL_TIMES } from './times-text.ts';
import type {
  AndOr,
  CommandNode,
  CompoundList,
  Function as FunctionNode,
  Pipeline,
  PipelineNode,
  Statement,
} from 'unbash';
import { runSimple } from './command.ts';
import { testCondition } from './conditions.ts';
import { OpenFile } from './descriptors.ts';
import { ShellError, ShellExit } from './errors.ts';
import { calculate } from './expand.ts';
import { runArithmeticFor, runCase, runFor, runSelect, runWhile } from './loops.ts';
import { Pipe } from './pipe.ts';
import type { Shell } from './shell.ts';
import { lineOf, SyntaxFault, type Script } from './source.ts';
import { lastCommand } from './in-place.ts';
import { LinesRead } from './lines-read.ts';
import { wait, type Task } from './task.ts';
import { runForked, startCoprocess, startJob, tellOfStart } from './background.ts';
import { closeSubstituted, redirect, restore, type Saved } from './redirect.ts';
import { runTested } from './tested.ts';
import { runToEnd } from './to-end.ts';
import { traceText } from './trace.ts';
import { runErrTrap, runPending } from './traps.ts';

export function* runList(shell: Shell, statements: readonly Statement[]): Task<number> {
  let status = 0;
  for (const statement of statements) {
    status = yield* runStatement(shell, statement);
    if (shell.flow) return status;
  }
  return status;
}

function* runStatement(shell: Shell, { command, background }: Statement): Task<number> {
  const breath = shell.world.tick(shell.process);
  if (breath) yield* wait(breath);
  if (shell.process.pending.length > 0) yield* runPending(shell);
  if (background) {
    shell.status = yield* startJob(shell, command);
    if (shell.isInteractive) yield* tellOfStart(shell);
    return shell.status;
  }
  try {
    return yield* run(shell, command);
  } catch (error) {
    // The error is printed here, while the streams and the line are still those of the failing statement.
    if (error instanceof ShellError && !(error instanceof SyntaxFault)) yield* tell(shell, error);
    throw error;
  }
}

export function* tell(shell: Shell, error: ShellError): Task<void> {
  if (error.isTold) return;
  error.isTold = true;
  yield* shell.complain(error.message);
}

export function* run(shell: Shell, node: PipelineNode | AndOr | CompoundList): Task<number> {
  let status: number;
  switch (node.type) {
    case 'Command':
      status = yield* runSimple(shell, node);
      shell.pipeStatus = undefined;
      break;
    case 'AndOr':
      return yield* runAndOr(shell, node);
    case 'Pipeline':
      return yield* runPipeline(shell, node);
    case 'CompoundList':
      return yield* runList(shell, node.commands);
    case 'BraceGroup':
      return yield* runList(shell, node.body.commands);
    case 'If':
      return yield* runIf(shell, node);
    case 'While':
      return yield* runWhile(shell, node);
    case 'For':
      return yield* runFor(shell, node);
    case 'ArithmeticFor':
      return yield* runArithmeticFor(shell, node);
    case 'Select':
      return yield* runSelect(shell, node);
    case 'Case':
      return yield* runCase(shell, node);
    case 'Function':
      return define(shell, node);
    case 'Coproc':
      return yield* startCoprocess(shell, node);
    case 'Redirected':
      return yield* runRedirected(shell, node);
    case 'Subshell':
      shell.at = node.pos;
      if (node === shell.subshell) return yield* runList(shell, node.body.commands);
      status = yield* runSubshell(shell, node.body);
      break;
    case 'TestCommand':
      shell.begin(node);
      status = yield* guarded(shell, testCondition(shell, node.expression));
      break;
    case 'ArithmeticCommand':
      shell.begin(node);
      status = yield* guarded(shell, nonZero(shell, node.body));
      break;
  }
  shell.status = status;
  return status === 0 ? 0 : yield* failed(shell, status);
}

function* nonZero(shell: Shell, text: string): Task<number> {
  if (shell.on('xtrace')) yield* traceText(shell, `(( ${text.trim()} ))`);
  try {
    return (yield* calculate(shell, text)) ? 0 : 1;
  } catch (error) {
    if (error instanceof ShellError && !error.fatal)
      throw new ShellError(`((: ${error.message}`, error.status);
    throw error;
  }
}

/** An error in `[[ ]]` or `(( ))` only makes the command fail. */
function* guarded(shell: Shell, work: Task<number>): Task<number> {
  try {
    return yield* work;
  } catch (error) {
    if (!(error instanceof ShellError) || error.fatal) throw error;
    if (error.message !== '') yield* shell.complain(error.message);
    return error.status;
  }
}

/** Call it after a command has failed: runs the ERR trap and applies `set -e`. */
export function* failed(shell: Shell, status: number): Task<number> {
  if (shell.unchecked > 0 || shell.flow === 'return') return status;
  if (shell.traps.size > 0) yield* runErrTrap(shell);
  if (shell.on('errexit')) throw new ShellExit(status);
  shell.status = status;
  return status;
}

function* runAndOr(shell: Shell, { commands, operators }: AndOr): Task<number> {
  let status = 0;
  const last = commands.length - 1;
  for (const [index, command] of commands.entries()) {
    if (index > 0 && (operators[index - 1] === '&&') !== (status === 0)) continue;
    status = index < last ? yield* runTested(shell, run(shell, command)) : yield* run(shell, command);
    if (shell.flow) return status;
  }
  return status;
}

function* runPipeline(shell: Shell, node: Pipeline): Task<number> {
  const negations = node.prefixes.filter(({ type }) => type === 'Negation').length;
  const timed = node.prefixes.find((prefix) => prefix.type === 'Time');
  const started = performance.now();
  shell.at = node.pos;
  const tell = () => tellTime(shell, performance.now() - started, timed?.posix !== undefined);
  // bash takes the time of a lone subshell inside it, where its redirections hold.
  const subshell = timed && redirectedSubshell(node);
  const stages = subshell ? runRedirected(shell, subshell, tell) : runStages(shell, node);
  let status: number;
  if (negations > 0) {
    status = yield* runTested(shell, stages);
    shell.pipeStatus ??= [status];
    if (negations % 2 === 1 && !shell.flow) status = status === 0 ? 1 : 0;
    shell.status = status;
  } else status = yield* stages;
  if (timed && !subshell) yield* tell();
  return status;
}

function redirectedSubshell({ commands }: Pipeline) {
  const [only] = commands;
  const isOne = commands.length === 1 && only?.type === 'Redirected' && only.command.type === 'Subshell';
  return isOne ? only : undefined;
}

function* tellTime(shell: Shell, ms: number, isPosix: boolean): Task<void> {
  const format = isPosix ? POSIX_TIMES : (shell.variables.get('TIMEFORMAT') ?? USUAL_TIMES);
  if (format === '') return;
  try {
    yield* shell.print(`${timesText(format, ms)}\n`, 2);
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    yield* shell.complain(error.message);
  }
}

function* runStages(shell: Shell, { commands, operators }: Pipeline): Task<number> {
  const [only] = commands;
  if (!only) return 0;
  if (commands.length === 1) return yield* run(shell, only);
  const statuses: (number | Promise<number>)[] = [];
  const last = commands.length - 1;
  const inShell = shell.shopt.get('lastpipe') === true && !shell.on('monitor');
  let input: OpenFile | undefined;
  for (const [index, command] of commands.entries()) {
    const streams = new Map<number, OpenFile>();
    if (input) streams.set(0, input);
    input = undefined;
    if (index < last) {
      const pipe = new Pipe();
      const sink = new OpenFile({ sink: pipe.sink }, () => pipe.end());
      streams.set(1, sink);
      if (operators[index] === '|&') streams.set(2, sink);
      input = new OpenFile({ source: pipe.source }, () => pipe.source.close());
    } else if (inShell) {
      statuses.push(yield* runWith(shell, streams, command));
      break;
    }
    yield* shell.forkRoom();
    const child = shell.fork(streams);
    const status = child.process.run(runToEnd(child, runForked(child, command)));
    if (status instanceof Promise) status.catch(() => {});
    statuses.push(status);
  }
  const all: number[] = [];
  for (const status of statuses) all.push(yield* wait(status));
  shell.process.check();
  let status = all.at(-1) ?? 0;
  if (shell.on('pipefail')) status = all.findLast((each) => each !== 0) ?? 0;
  shell.status = status;
  shell.pipeStatus = all;
  if (status !== 0) {
    const result = yield* failed(shell, status);
    shell.pipeStatus = all;
    return result;
  }
  return status;
}

/** Runs the last stage of a pipeline in the shell itself, for `lastpipe`. */
function* runWith(shell: Shell, streams: ReadonlyMap<number, OpenFile>, command: CommandNode): Task<number> {
  const saved: Saved[] = [];
  for (const [fd, file] of streams) {
    saved.push([fd, shell.fds.get(fd)?.retain()]);
    shell.fds.set(fd, file);
  }
  try {
    return yield* runTested(shell, run(shell, command));
  } finally {
    restore(shell, saved);
  }
}

function* runIf(shell: Shell, node: Extract<PipelineNode, { type: 'If' }>): Task<number> {
  const branches = [{ clause: node.clause, then: node.then }, ...node.elif];
  for (const branch of branches) {
    const status = yield* runTested(shell, runList(shell, branch.clause.commands));
    if (shell.flow) return status;
    if (status === 0) return yield* runList(shell, branch.then.commands);
  }
  if (node.else) return yield* runList(shell, node.else.commands);
  return (shell.status = 0);
}

function define(shell: Shell, node: FunctionNode): number {
  shell.functions.set(node.name.text, { body: node.body, source: shell.source, node });
  return (shell.status = 0);
}

function* runRedirected(
  shell: Shell,
  node: Extract<CommandNode, { type: 'Redirected' }>,
  after?: () => Task<void>,
): Task<number> {
  shell.at = node.pos;
  const saved: Saved[] = [];
  const mark = shell.substituted.length;
  try {
    const refused = yield* redirect(shell, node.redirects, saved);
    if (refused !== undefined) {
      shell.status = refused;
      return yield* failed(shell, refused);
    }
    const status = yield* run(shell, node.command);
    if (after) yield* after();
    return status;
  } finally {
    restore(shell, saved);
    closeSubstituted(shell, mark);
  }
}

function* runSubshell(shell: Shell, body: CompoundList): Task<number> {
  yield* shell.forkRoom();
  const child = shell.fork();
  child.last = lastCommand(body.commands);
  const status = yield* wait(child.process.run(runToEnd(child, runList(child, body.commands))));
  shell.process.check();
  return status;
}

/** Runs a whole script. An error in an expansion skips the rest of its line. */
export function* runScript(shell: Shell, script: Script): Task<number> {
  const [fault] = script.tree.errors ?? [];
  shell.source = script.source;
  const lines = new LinesRead(script);
  if (shell.on('noexec')) {
    yield* tellRest(shell, lines, -1);
    if (fault) throw syntaxFault(script, fault.message, fault.pos);
    return 0;
  }
  const { commands } = script.tree;
  const faultLine = fault ? lineOf(script.source, Math.max(0, fault.pos - 1)) : Infinity;
  let status = shell.status;
  let skipLine = 0;
  let reached = -1;
  for (const [index, statement] of commands.entries()) {
    const line = lineOf(script.source, statement.pos);
    if (line === skipLine) continue;
    // bash reads while it runs, so everything before the line with the syntax error runs.
    if (fault && (lineOf(script.source, statement.end) >= faultLine || index === commands.length - 1)) break;
    yield* tellLines(shell, lines, (reached = index));
    try {
      status = yield* runStatement(shell, statement);
      if (shell.flow) break;
    } catch (error) {
      if (!(error instanceof ShellError) || error.fatal || error instanceof SyntaxFault) throw error;
      yield* tell(shell, error);
      status = shell.status = error.status;
      skipLine = lineOf(script.source, statement.end);
    }
  }
  if (!shell.flow) yield* tellRest(shell, lines, reached, fault?.pos);
  if (fault && !shell.flow) throw syntaxFault(script, fault.message, fault.pos);
  return status;
}

/** Prints, for `set -v`, the lines that bash reads before it runs the statement. */
function* tellLines(shell: Shell, lines: LinesRead, index: number): Task<void> {
  if (!shell.on('verbose')) return;
  lines.upTo(index - 1);
  yield* shell.print(lines.upTo(index), 2);
}

function* tellRest(shell: Shell, lines: LinesRead, reached: number, end?: number): Task<void> {
  if (!shell.on('verbose')) return;
  lines.upTo(reached);
  yield* shell.print(lines.rest(end), 2);
}

function syntaxFault({ source }: Script, message: string, at: number): SyntaxFault {
  return new SyntaxFault(`syntax error: ${message}`, lineOf(source, at));
}
