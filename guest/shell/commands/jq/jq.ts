import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import {
  complain,
  decode,
  encode,
  lineBatches,
  linesIn,
  nextPiece,
  open,
  readAll,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { Halt, NATIVES } from './builtins.ts';
import { define, JqMachine, Scope } from './evaluate.ts';
import {
  BadJson,
  isTrue,
  JqError,
  parseJson,
  printed,
  type Json,
  type JsonObject,
  type Printing,
} from './json.ts';
import { ValuesSoFar } from './values-so-far.ts';
import { BadProgram, parseDefinitions, parseJq, type Term } from './parse.ts';
import { PRELUDE } from './prelude.ts';

const USAGE = `Usage:	jq [OPTIONS] FILTER [FILES...]
	jq [OPTIONS] --args FILTER [ARGUMENTS...]

  -n  null input   -R  raw input   -s  slurp   -r  raw output   -j  no newlines   -a  ASCII
  -c  compact   -S  sort keys   -C  colours   --tab   --indent N   -e  exit status by the output
  -f FILE  the filter from a file   --arg, --argjson, --slurpfile, --rawfile NAME VALUE   --args, --jsonargs
--stream, --seq and modules are not there.
`;

interface Flags {
  nullInput: boolean;
  rawInput: boolean;
  slurp: boolean;
  raw: boolean;
  joined: boolean;
  ascii: boolean;
  compact: boolean;
  sort: boolean;
  colors: boolean;
  indent: string;
  status: boolean;
  file: string | undefined;
}

interface CommandLine {
  readonly flags: Flags;
  readonly operands: readonly string[];
  readonly named: JsonObject;
  readonly positional: readonly Json[];
}

const SHORT: Readonly<Record<string, keyof Flags>> = {
  n: 'nullInput',
  R: 'rawInput',
  s: 'slurp',
  r: 'raw',
  j: 'joined',
  a: 'ascii',
  c: 'compact',
  S: 'sort',
  C: 'colors',
  e: 'status',
};

const LONG: Readonly<Record<string, string>> = {
  'null-input': 'n',
  'raw-input': 'R',
  slurp: 's',
  'raw-output': 'r',
  'join-output': 'j',
  'ascii-output': 'a',
  'compact-output': 'c',
  'sort-keys': 'S',
  'color-output': 'C',
  'monochrome-output': 'M',
  'exit-status': 'e',
  unbuffered: 'u',
};

function jsonOf(text: string, name: string): Json {
  try {
    const [value] = [...parseJson(text)];
    if (value !== undefined) return value;
  } catch (error) {
    if (!(error instanceof BadJson)) throw error;
  }
  throw new Complaint(`Invalid JSON text passed to --${name}`, 2);
}

async function readOptions(call: ProgramCall): Promise<CommandLine> {
  const flags: Flags = {
    nullInput: false,
    rawInput: false,
    slurp: false,
    raw: false,
    joined: false,
    ascii: false,
    compact: false,
    sort: false,
    colors: false,
    indent: '  ',
    status: false,
    file: undefined,
  };
  const operands: string[] = [];
  const named: JsonObject = new Map<string, Json>();
  const positional: Json[] = [];
  let rest: 'files' | 'args' | 'jsonargs' = 'files';
  const set = (letter: string) => {
    const name = SHORT[letter];
    if (name !== undefined && name !== 'indent' && name !== 'file') flags[name] = true;
    else if (letter === 'M') flags.colors = false;
    else if (letter !== 'u')
      throw new Complaint(`Unknown arguments\nUse jq --help for help with command-line options`, 2);
  };
  const { args } = call;
  const place = (word: string) => {
    if (rest === 'files' || (operands.length === 0 && flags.file === undefined)) operands.push(word);
    else positional.push(rest === 'args' ? word : jsonOf(word, 'jsonargs'));
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const next = () => args[++at] ?? '';
    if (arg === '--') for (const word of args.slice(at + 1, (at = args.length))) place(word);
    else if (!arg.startsWith('-') || arg === '-') place(arg);
    else if (!arg.startsWith('--')) {
      for (const letter of arg.slice(1)) {
        if (letter === 'f') flags.file = next();
        else set(letter);
      }
    } else {
      const name = arg.slice(2);
      if (name === 'args' || name === 'jsonargs') rest = name;
      else if (name === 'tab') flags.indent = '\t';
      else if (name === 'indent') flags.indent = ' '.repeat(Math.min(8, Math.max(0, Number(next()) || 0)));
      else if (name === 'from-file') flags.file = next();
      else if (name === 'arg') named.set(next(), next());
      else if (name === 'argjson') named.set(next(), jsonOf(next(), name));
      else if (name === 'slurpfile' || name === 'rawfile') {
        const key = next();
        const text = decode(await readAll(await open(call, next(), 2)));
        named.set(key, name === 'rawfile' ? text : [...parseJson(text)]);
      } else set(LONG[name] ?? '?');
    }
  }
  return { flags, operands, named, positional };
}

let prelude: Scope | undefined;

function preludeScope(): Scope | undefined {
  let scope: Scope | undefined;
  for (const made of parseDefinitions(PRELUDE)) scope = define(made, scope);
  return scope;
}

/** Transforms JSON with a jq program. */
export const jq = writing(async (call, out) => {
  if (call.args.includes('--help') || call.args.includes('-h')) return (await out.write(USAGE), 0);
  if (call.args.includes('--version') || call.args.includes('-V')) return (await out.write('jq-1.6\n'), 0);
  const { flags, operands, named, positional } = await readOptions(call);
  const files = [...operands];
  const source =
    flags.file === undefined ? files.shift() : decode(await readAll(await open(call, flags.file, 2)));
  if (source === undefined) throw new Complaint(USAGE.trimEnd(), 2);
  let term: Term;
  try {
    term = parseJq(source);
  } catch (error) {
    if (!(error instanceof BadProgram)) throw error;
    await complain(
      call,
      `error: ${error.message} (Unix shell quoting issues?) at <top-level>, line 1:\n${source}\njq: 1 compile error`,
    );
    return 3;
  }
  let code = 0;
  const couldNotOpen = async (error: unknown) => {
    if (!(error instanceof Complaint)) throw error;
    await out.flush();
    await complain(call, `error: Could not open ${error.message}`);
    code = 2;
  };
  const texts: string[] = [];
  // A filter that reads inputs itself cannot wait for them.
  const isStream = !flags.nullInput && !flags.slurp && !/\binputs?\b/.test(source);
  if (isStream) {
    // The input is read below, as it arrives.
  } else if (!flags.nullInput || files.length > 0 || /\binputs?\b/.test(source)) {
    for (const name of files.length > 0 ? files : ['-']) {
      try {
        texts.push(decode(await readAll(await open(call, name, 2), out)));
      } catch (error) {
        await couldNotOpen(error);
      }
    }
  }
  const inputs = inputsOf(texts, flags);
  const stream = isStream ? asTheyCome(call, files, flags, out, couldNotOpen) : undefined;
  const machine = new JqMachine({
    natives: NATIVES,
    environment: new Map<string, Json>(call.env),
    inputs,
    zone: call.env.get('TZ') ?? '',
    named,
    positional,
  });
  let scope: Scope | undefined = (prelude ??= preludeScope());
  for (const [name, value] of named) scope = new Scope(`$${name}`, value, scope);
  scope = new Scope('$named', named, scope);
  return (await runAll(call, out, machine, term, scope, flags, stream)) || code;
});

/** Yields the values of files or of standard input, each as soon as it is complete. */
async function* asTheyCome(
  call: ProgramCall,
  files: readonly string[],
  flags: Flags,
  out: Writer,
  fail: (error: unknown) => Promise<void>,
): AsyncGenerator<Json, void, undefined> {
  for (const name of files.length > 0 ? files : ['-']) {
    let source;
    try {
      source = await open(call, name, 2);
    } catch (error) {
      await fail(error);
      continue;
    }
    if (flags.rawInput) {
      for await (const { lines } of lineBatches(source, out)) yield* lines;
      continue;
    }
    const values = new ValuesSoFar();
    for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out))
      yield* values.more(piece);
    yield* values.end();
  }
}

function* inputsOf(texts: readonly string[], flags: Flags): Generator<Json, void, undefined> {
  if (flags.rawInput) {
    const whole = texts.join('');
    if (flags.slurp) yield whole;
    else yield* linesIn(whole).lines;
  } else if (flags.slurp) yield texts.flatMap((text) => [...parseJson(text)]);
  else for (const text of texts) yield* parseJson(text);
}

async function runAll(
  call: ProgramCall,
  out: Writer,
  machine: JqMachine,
  term: Term,
  scope: Scope | undefined,
  flags: Flags,
  stream: AsyncGenerator<Json, void, undefined> | undefined,
): Promise<number> {
  const printing: Printing = {
    indent: flags.compact ? '' : flags.indent,
    sort: flags.sort,
    ascii: flags.ascii,
    colors: flags.colors,
  };
  let code = 0;
  let last: Json | undefined;
  const show = (value: Json) => {
    last = value;
    const raw = flags.raw || flags.joined;
    const text = raw && typeof value === 'string' ? value : printed(value, printing);
    return out.write(flags.joined ? text : `${text}\n`);
  };
  const say = async (message: string) => {
    await out.flush();
    await complain(call, message);
  };
  try {
    for (let first = true; !call.signal.aborted; first = false) {
      if (flags.nullInput && !first) break;
      const next = flags.nullInput
        ? { done: false as const, value: null }
        : await (stream ?? machine.inputs).next();
      if (next.done === true) break;
      try {
        for (const value of machine.values(term, scope, next.value)) {
          const waits = show(value);
          if (waits) await waits;
        }
      } catch (error) {
        if (error instanceof RangeError) throw new JqError('stack overflow');
        if (!(error instanceof JqError)) throw error;
        await say(`error (at <stdin>:0): ${error.message}`);
        code = 5;
      }
    }
  } catch (error) {
    if (error instanceof BadJson) {
      await say(`error (at <stdin>:0): ${error.message}`);
      return 4;
    }
    if (!(error instanceof Halt)) throw error;
    await out.flush();
    if (error.said !== undefined)
      await call.stderr.write(
        encode(typeof error.said === 'string' ? error.said : `${printed(error.said)}\n`),
      );
    return error.code;
  }
  if (code !== 0 || !flags.status) return code;
  return last === undefined ? 4 : isTrue(last) ? 0 : 1;
}
