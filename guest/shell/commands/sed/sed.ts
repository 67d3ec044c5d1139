import { fileError } from '../../files.ts';
import type { ByteSource, ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import {
  allLines,
  complain,
  decode,
  encode,
  lineBatches,
  open,
  readBytes,
  save,
  writing,
  type Writer,
  type Batch,
} from '../../kit/io.ts';
import { parseOptions, valueOf } from '../../kit/options.ts';
import { LineTarget } from './output.ts';
import { Machine, type Line, type Lines, type Target } from './run.ts';
import { parseScript } from './script.ts';

const SPEC = {
  short: 'nrEszue:f:l:',
  long: [
    'quiet=n',
    'silent=n',
    'regexp-extended=E',
    'separate=s',
    'null-data=z',
    'unbuffered=u',
    'expression=e',
    'file=f',
    'line-length=l',
    'posix',
    'sandbox',
    'debug',
    'version',
  ],
};

const USAGE = `Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...

  -n, --quiet, --silent       print only what the script says
  -e SCRIPT, -f FILE          the script, or where it is; both may be given more than once
  -E, -r                      extended regular expressions
  -i[SUFFIX], --in-place      edit files in place; with SUFFIX keep a copy
  -l N                        length of the lines of the l command
  -s, --separate              files for themselves, not as one stream
  -z, --null-data             lines end in NUL
Commands e and W /dev/stdin are not there.
`;

/** GNU's editor of streams. */
export const sed = writing(async (call, out) => {
  if (call.args.includes('--help')) return (await out.write(USAGE), 0);
  const { args, suffix } = inPlace(call.args);
  const options = optionsOrUsage(args);
  if (options.has.has('version')) return (await out.write('sed (GNU sed) 4.9\n'), 0);
  const operands = [...options.operands];
  const fragments: string[] = [];
  for (const [name, value] of options.order) {
    if (name === 'e') fragments.push(value);
    else if (name === 'f') fragments.push(await scriptFile(call, value));
  }
  if (fragments.length === 0) {
    const script = operands.shift();
    if (script === undefined) throw new Complaint(USAGE.trimEnd(), 1);
    fragments.push(script);
  }
  const script = parseScript(fragments.join('\n'), options.has.has('E') || options.has.has('r'));
  const end = options.has.has('z') ? '\0' : '\n';
  const targets = new Map<string, { readonly target: Target; readonly parts: string[] | undefined }>();
  const target = (file: string): Target => {
    let found = targets.get(file);
    if (!found) {
      const parts: string[] = [];
      found =
        file === '/dev/stdout'
          ? { target: out, parts: undefined }
          : { target: { write: (text) => void parts.push(text) }, parts };
      targets.set(file, found);
    }
    return found.target;
  };
  for (const file of script.files) target(file);
  const machine = new Machine({
    script,
    quiet: options.has.has('n') || script.quiet,
    end,
    wrap: Number(valueOf(options, 'l') ?? 70),
    stopped: () => call.signal.aborted,
    target,
    read: (file) => readText(call, file),
  });
  const failed = { code: 0 };
  const names = operands.length > 0 ? operands : ['-'];
  if (suffix === undefined && !options.has.has('s')) {
    await machine.run(
      new Input(call, names, out, end, failed),
      new LineTarget((text) => out.write(text), end),
    );
  } else {
    for (const name of names) {
      if (machine.exitCode !== undefined) break;
      const input = new Input(call, [name], out, end, failed);
      machine.line = 0;
      if (suffix === undefined) {
        await machine.run(input, new LineTarget((text) => out.write(text), end));
        continue;
      }
      await edit(call, machine, input, name, suffix, end);
    }
  }
  for (const [file, { parts }] of targets) if (parts) await save(call, file, encode(parts.join('')));
  return machine.exitCode ?? failed.code;
});

function optionsOrUsage(args: readonly string[]) {
  try {
    return parseOptions(args, SPEC);
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    throw new Complaint(`${error.message}\n${USAGE.trimEnd()}`, 1);
  }
}

/** Separates `-i` from the arguments, because its suffix follows directly. */
function inPlace(given: readonly string[]): { readonly args: readonly string[]; readonly suffix?: string } {
  const args: string[] = [];
  let suffix: string | undefined;
  for (let i = 0; i < given.length; i++) {
    const arg = given[i] ?? '';
    if (arg === '--') return { args: [...args, ...given.slice(i)], ...(suffix !== undefined && { suffix }) };
    const long = /^--in-place(?:=(.*))?$/s.exec(arg);
    const short = /^-([nrEszu]*)i(.*)$/s.exec(arg);
    if (long) suffix = long[1] ?? '';
    else if (short) {
      suffix = short[2] ?? '';
      if (short[1]) args.push(`-${short[1]}`);
    } else {
      args.push(arg);
      if (/^-[nrEszu]*[efl]$|^--(expression|file|line-length)$/.test(arg))
        args.push(...given.slice(++i, i + 1));
    }
  }
  return { args, ...(suffix !== undefined && { suffix }) };
}

async function scriptFile(call: ProgramCall, name: string): Promise<string> {
  const source = await open(call, name).catch(() => {
    throw new Complaint(`couldn't open file ${name}: No such file or directory`, 1);
  });
  return (await allLines(source)).lines.join('\n');
}

async function readText(call: ProgramCall, file: string): Promise<string> {
  try {
    if (file !== '/dev/stdin') return decode(await readBytes(call, file));
    const { lines } = await allLines(call.stdin);
    return lines.map((line) => `${line}\n`).join('');
  } catch {
    return '';
  }
}

async function edit(
  call: ProgramCall,
  machine: Machine,
  input: Input,
  name: string,
  suffix: string,
  end: string,
): Promise<void> {
  const path = call.path(name);
  const parts: string[] = [];
  if (!(await input.exists())) return;
  await machine.run(input, new LineTarget((text) => void parts.push(text), end));
  parts.push(await input.rest());
  const { mode } = await call.files.stat(path);
  if (suffix !== '') {
    const slash = name.lastIndexOf('/') + 1;
    const base = name.slice(slash);
    const copy = suffix.includes('*') ? suffix.replaceAll('*', base) : base + suffix;
    await call.files.writeFile(
      call.path(copy.includes('/') ? copy : name.slice(0, slash) + copy),
      await call.files.readFileBuffer(path),
    );
  }
  await call.files.writeFile(path, encode(parts.join('')));
  await call.files.chmod(path, mode & 0o7777);
}

/** Delivers the lines of files in turn, and complains about files that cannot be read. */
class Input implements Lines {
  readonly #call: ProgramCall;
  readonly #names: string[];
  readonly #out: Writer;
  readonly #end: string;
  readonly #failed: { code: number };
  #batches: AsyncGenerator<Batch, void, undefined> | undefined;
  #batch: Batch = { lines: [], ended: true };
  #at = 0;
  name = '-';

  constructor(
    call: ProgramCall,
    names: readonly string[],
    out: Writer,
    end: string,
    failed: { code: number },
  ) {
    this.#call = call;
    this.#names = [...names];
    this.#out = out;
    this.#end = end;
    this.#failed = failed;
  }

  async exists(): Promise<boolean> {
    if (this.#batches) return true;
    return this.#open();
  }

  next(): Line | undefined | Promise<Line | undefined> {
    if (this.#at < this.#batch.lines.length) return this.#take();
    return this.#fill().then((isThere) => (isThere ? this.#take() : undefined));
  }

  #take(): Line {
    const text = this.#batch.lines[this.#at++] ?? '';
    return { text, ended: this.#batch.ended || this.#at < this.#batch.lines.length };
  }

  isLast(): boolean | Promise<boolean> {
    return this.#at >= this.#batch.lines.length && this.#fill().then((isThere) => !isThere);
  }

  /** Returns the lines, unchanged, that remain when a script has ended early. */
  async rest(): Promise<string> {
    let text = '';
    for (let line = await this.next(); line; line = await this.next())
      text += line.text + (line.ended ? this.#end : '');
    return text;
  }

  async #fill(): Promise<boolean> {
    for (;;) {
      if (!this.#batches && !(await this.#open())) return false;
      const next = await this.#batches?.next();
      if (next?.value) {
        // A last line without a line end gets one where another file follows.
        this.#batch = next.value;
        this.#at = 0;
        return true;
      }
      this.#batches = undefined;
    }
  }

  async #open(): Promise<boolean> {
    for (let name = this.#names.shift(); name !== undefined; name = this.#names.shift()) {
      try {
        const source: ByteSource = await open(this.#call, name);
        this.name = name;
        this.#batches = lineBatches(source, this.#out, this.#end.charCodeAt(0));
        return true;
      } catch (error) {
        const message = error instanceof Complaint ? error.message : `${name}: ${fileError(error)}`;
        await complain(
          this.#call,
          message.endsWith('Is a directory')
            ? `couldn't edit ${name}: not a regular file`
            : `can't read ${message}`,
        );
        this.#failed.code = 2;
      }
    }
    return false;
  }
}
