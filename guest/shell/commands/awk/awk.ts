import { BrokenPipe, type ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, open, readText, writing } from '../../kit/io.ts';
import { parseOptions, valueOf as optionValue } from '../../kit/options.ts';
import { Expressions, valueOf, type Callable } from './expressions.ts';
import { unescape } from './lex.ts';
import { AwkMachine, SLOT } from './machine.ts';
import { parseAwk } from './parse.ts';
import { RecordReader } from './records.ts';
import {
  arrayParameters,
  callable,
  ControlSignal,
  readyRule,
  Statements,
  waitingFunctions,
  type ReadyRule,
  type Signal,
} from './statements.ts';
import { Streams } from './streams.ts';
import type { AwkProgram } from './tree.ts';
import { Field, isTrue, numberOf, type AwkArray, type Value } from './values.ts';

const SPEC = {
  short: 'F:v:f:e:i:bcCghIklLMnNoOpPrsStV',
  long: [
    'field-separator=F',
    'assign=v',
    'file=f',
    'source=e',
    'version=V',
    'posix',
    'traditional',
    're-interval',
    'help',
  ],
};

const USAGE = `Usage: awk [-F fs] [-v var=value] [prog | -f progfile] [file ...]

POSIX awk and of gawk: gensub, match with groups, strftime, mktime, systime, asort, asorti, PROCINFO["sorted_in"],
bit functions, strtonum, switch, nextfile, RS as an expression, RT, IGNORECASE, length of arrays, delete of whole ones.
What is printed to a command is given to it when it is closed or the program ends.
`;

/** POSIX awk with gawk's usual additions. */
export const awk = writing(async (call, out) => {
  let options;
  try {
    options = parseOptions(call.args, SPEC, true);
  } catch (error) {
    throw error instanceof Complaint ? new Complaint(`${error.message}\n${USAGE.trimEnd()}`, 2) : error;
  }
  if (options.has.has('help') || options.has.has('h')) return (await out.write(USAGE), 0);
  if (options.has.has('V'))
    return (await out.write('GNU Awk 5.2, as far as the embedded workspace has it\n'), 0);
  const operands = [...options.operands];
  const sources: string[] = [];
  for (const [name, value] of options.order) {
    if (name === 'f') sources.push(await programFile(call, value));
    else if (name === 'e') sources.push(value);
  }
  if (sources.length === 0) {
    const source = operands.shift();
    if (source === undefined) throw new Complaint(USAGE.trimEnd(), 2);
    sources.push(source);
  }
  const program = parseAwk(sources.join('\n'));
  const streams = new Streams(call, out);
  const machine = new AwkMachine(out, streams);
  const setting = setUp(machine, program, call, operands);
  const separator = optionValue(options, 'F');
  if (separator !== undefined) machine.globals[SLOT.FS] = separator === 't' ? '\t' : unescape(separator);
  for (const assignment of options.values.get('v') ?? []) {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(assignment) ?? [];
    if (name === '') throw new Complaint(`\`${assignment}' argument to \`-v' is not in \`var=value' form`, 2);
    setting.assign(name, value);
  }
  try {
    await runProgram(call, setting.rules, setting.input);
  } catch (error) {
    if (!(error instanceof BrokenPipe)) await streams.flush();
    throw error;
  }
  await streams.flush();
  await streams.closeAll();
  return machine.exitCode || setting.input.exitCode;
});

async function programFile(call: ProgramCall, name: string): Promise<string> {
  try {
    return await readText(await open(call, name));
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    throw new Complaint(
      `fatal: cannot open source file \`${name}' for reading: No such file or directory`,
      2,
    );
  }
}

function setUp(machine: AwkMachine, program: AwkProgram, call: ProgramCall, operands: readonly string[]) {
  const functions = new Map<string, Callable>();
  const expressions = new Expressions(machine, functions, arrayParameters(program));
  const statements = new Statements(expressions, () => call.signal.aborted);
  const waiting = waitingFunctions(program);
  for (const [name, made] of program.functions) {
    const body = () => expressions.within(made.parameters, () => statements.step(made.body));
    functions.set(name, callable(machine, made, body, waiting.has(name)));
  }
  const rules = program.rules.map((rule) => readyRule(rule, expressions, statements));
  const environment: AwkArray = new Map([...call.env].map(([name, value]) => [name, new Field(value)]));
  const args: AwkArray = new Map(['awk', ...operands].map((arg, at) => [String(at), new Field(arg)]));
  machine.globals[SLOT.ENVIRON] = environment;
  machine.globals[SLOT.ARGV] = args;
  machine.globals[SLOT.ARGC] = operands.length + 1;
  machine.globals[SLOT.PROCINFO] = new Map<string, Value | AwkArray>([['version', '5.2.1']]);
  const assign = (name: string, value: string) => {
    machine.globals[expressions.slot(name)] = new Field(unescape(value));
  };
  const input = new MainInput(call, machine, assign);
  machine.nextRecord = () => input.next();
  return { rules, assign, input };
}

/** Reads the files on the command line in turn, with the assignments between them. */
class MainInput {
  readonly #call: ProgramCall;
  readonly #machine: AwkMachine;
  readonly #assign: (name: string, value: string) => void;
  #at = 1;
  #reader: RecordReader | undefined;
  #readAny = false;
  exitCode = 0;

  constructor(call: ProgramCall, machine: AwkMachine, assign: (name: string, value: string) => void) {
    this.#call = call;
    this.#machine = machine;
    this.#assign = assign;
  }

  skipFile(): void {
    this.#reader = undefined;
  }

  next(): boolean | Promise<boolean> {
    if (!this.#reader) return this.#open().then((isOpen) => isOpen && this.next());
    const found = this.#reader.next(this.#machine.recordEnd);
    if (found instanceof Promise) return found.then((record) => this.#use(record));
    return this.#use(found);
  }

  #use(record: { readonly text: string; readonly end: string } | undefined): boolean | Promise<boolean> {
    if (!record) {
      this.#reader = undefined;
      return this.next();
    }
    const { globals } = this.#machine;
    this.#machine.setRecord(record.text);
    globals[SLOT.RT] = record.end;
    globals[SLOT.NR] = numberAt(globals[SLOT.NR]) + 1;
    globals[SLOT.FNR] = numberAt(globals[SLOT.FNR]) + 1;
    return true;
  }

  async #open(): Promise<boolean> {
    const { globals } = this.#machine;
    for (;;) {
      const args = globals[SLOT.ARGV];
      const count = numberAt(globals[SLOT.ARGC]);
      let name: string | undefined;
      if (this.#at < count) {
        const arg = args instanceof Map ? args.get(String(this.#at)) : undefined;
        this.#at++;
        name = arg === undefined || arg instanceof Map ? '' : this.#machine.text(arg);
        if (name === '') continue;
        const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(name);
        if (assignment) {
          this.#assign(assignment[1] ?? '', assignment[2] ?? '');
          continue;
        }
      } else if (!this.#readAny) name = '-';
      if (name === undefined) return false;
      this.#readAny = true;
      try {
        this.#reader = new RecordReader(await open(this.#call, name), this.#machine.out);
        globals[SLOT.FILENAME] = name === '-' ? '' : name;
        globals[SLOT.FNR] = 0;
        return true;
      } catch (error) {
        if (!(error instanceof Complaint)) throw error;
        const reason = error.message.slice(name.length + 2);
        await this.#machine.out.flush();
        await complain(
          this.#call,
          reason === 'Is a directory'
            ? `warning: command line argument \`${name}' is a directory: skipped`
            : `warning: command line argument \`${name}' cannot be opened for reading: ${reason}`,
        );
        if (reason !== 'Is a directory') this.exitCode = 2;
      }
    }
  }
}

function numberAt(value: Value | AwkArray): number {
  return value instanceof Map ? 0 : numberOf(value);
}

async function runProgram(call: ProgramCall, rules: readonly ReadyRule[], input: MainInput): Promise<void> {
  const main = rules.filter(({ kind }) => kind !== 'begin' && kind !== 'end');
  const ends = rules.filter(({ kind }) => kind === 'end');
  let signal: Signal;
  for (const rule of rules) if (rule.kind === 'begin' && (signal = await run(rule)) === 'exit') break;
  if (signal !== 'exit' && main.length + ends.length > 0) {
    while (!call.signal.aborted) {
      const more = input.next();
      if (!(typeof more === 'boolean' ? more : await more)) break;
      const answer = oneRecord(main, 0);
      signal = answer instanceof Promise ? await answer : answer;
      if (signal === 'exit') break;
      if (signal === 'nextfile') input.skipFile();
    }
  }
  for (const rule of ends) if ((await run(rule)) === 'exit') break;
}

async function run(rule: ReadyRule): Promise<Signal> {
  try {
    return await rule.body();
  } catch (error) {
    if (error instanceof ControlSignal) return error.signal;
    throw error;
  }
}

function oneRecord(rules: readonly ReadyRule[], start: number): Signal | Promise<Signal> {
  try {
    for (let at = start; at < rules.length; at++) {
      const rule = rules[at];
      if (!rule) break;
      const applies = matches(rule);
      if (applies instanceof Promise)
        return caught(
          applies
            .then((yes) => (yes ? rule.body() : undefined))
            .then((signal) => signal ?? oneRecord(rules, at + 1)),
        );
      if (!applies) continue;
      const answer = rule.body();
      if (answer instanceof Promise)
        return caught(answer.then((signal) => signal ?? oneRecord(rules, at + 1)));
      if (answer !== undefined) return answer;
    }
    return undefined;
  } catch (error) {
    if (error instanceof ControlSignal) return error.signal;
    throw error;
  }
}

async function caught(answer: Promise<Signal>): Promise<Signal> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ControlSignal) return error.signal;
    throw error;
  }
}

function matches(rule: ReadyRule): boolean | Promise<boolean> {
  const { from, to } = rule;
  if (!from) return true;
  if (!to) {
    const value = valueOf(from);
    return value instanceof Promise ? value.then(isTrue) : isTrue(value);
  }
  return (async () => {
    if (!rule.open && !isTrue(await valueOf(from))) return false;
    rule.open = !isTrue(await valueOf(to));
    return true;
  })();
}
