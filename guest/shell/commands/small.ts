import {
  Complaint,
  fileError,
  inputOf,
  textOf,
  type Call,
  type Implementation,
  type Output,
} from '../kit/command.ts';
import { countOf, parseOptions, valueOf } from '../kit/options.ts';
import { streams } from './programs.ts';
import { realPath } from '../kit/real-path.ts';
import { relative } from '../kit/relative.ts';

async function mktemp(call: Call): Promise<Output> {
  const options = parseOptions(call.args, {
    short: 'dup:qt',
    long: ['directory=d', 'dry-run=u', 'tmpdir?', 'suffix:', 'quiet=q'],
  });
  const [template = 'tmp.XXXXXXXXXX'] = options.operands;
  const [, head = '', marks, tail = ''] = /^(.*?)(X{3,})([^X/]*)$/.exec(template) ?? [];
  if (!marks) throw new Complaint(`too few X's in template '${template}'`, 1);
  const inTemporary =
    options.operands.length === 0 || ['p', 't', 'tmpdir'].some((name) => options.has.has(name));
  const folder = valueOf(options, 'p') || valueOf(options, 'tmpdir') || call.env.get('TMPDIR') || '/tmp';
  for (let attempt = 0; attempt < 100; attempt++) {
    const name = head + randomLetters(marks.length) + tail + (valueOf(options, 'suffix') ?? '');
    const shown = inTemporary ? `${folder.replace(/\/$/, '')}/${name}` : name;
    const path = call.path(shown);
    if (await call.files.exists(path)) continue;
    try {
      const isFolder = options.has.has('d');
      if (isFolder) await call.files.mkdir(path, { recursive: inTemporary });
      else if (!options.has.has('u')) await call.files.writeFile(path, '');
      // A temporary file is private.
      if (!options.has.has('u')) await call.files.chmod(path, isFolder ? 0o700 : 0o600);
    } catch (error) {
      throw new Complaint(`failed to create file via template '${template}': ${fileError(error)}`, 1);
    }
    return { stdout: `${shown}\n` };
  }
  throw new Complaint(`failed to create file via template '${template}': File exists`, 1);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function randomLetters(count: number): string {
  return [...crypto.getRandomValues(new Uint32Array(count))]
    .map((number) => LETTERS[number % LETTERS.length])
    .join('');
}

async function realpath(call: Call): Promise<Output> {
  const options = parseOptions(call.args, {
    short: 'emsqzLP',
    long: [
      'canonicalize-existing=e',
      'canonicalize-missing=m',
      'no-symlinks=s',
      'quiet=q',
      'zero=z',
      'relative-to:',
      'relative-base:',
    ],
  });
  if (options.operands.length === 0) throw new Complaint('missing operand', 1);
  const base = valueOf(options, 'relative-to');
  let [stdout, stderr] = ['', ''];
  for (const operand of options.operands) {
    try {
      const path = options.has.has('s')
        ? call.path(operand)
        : await realPath(
            call.files,
            call.path(operand),
            options.has.has('e') ? 'none' : options.has.has('m') ? 'all' : 'last',
          );
      const shown =
        base === undefined ? path : relative(await realPath(call.files, call.path(base), 'all'), path);
      stdout += shown + (options.has.has('z') ? '\0' : '\n');
    } catch (error) {
      if (!options.has.has('q')) stderr += `realpath: ${operand}: ${fileError(error)}\n`;
    }
  }
  return { stdout, stderr, code: stderr ? 1 : 0 };
}

const SYSTEM = {
  s: 'Linux',
  n: 'localhost',
  r: '6.0.0-vitrine',
  v: '#1',
  m: 'x86_64',
  o: 'GNU/Linux',
} as const;

function uname(call: Call): Output {
  const { has } = parseOptions(call.args, {
    short: 'asnrvmpio',
    long: [
      'all=a',
      'kernel-name=s',
      'nodename=n',
      'kernel-release=r',
      'kernel-version=v',
      'machine=m',
      'operating-system=o',
    ],
  });
  const all = has.has('a');
  const shown = Object.entries(SYSTEM).filter(
    ([name]) => all || has.has(name) || (has.size === 0 && name === 's'),
  );
  if (has.has('p') || has.has('i')) shown.push(['m', SYSTEM.m]);
  return { stdout: `${shown.map(([, value]) => value).join(' ')}\n` };
}

function id(call: Call): Output {
  const { has } = parseOptions(call.args, {
    short: 'ugGnr',
    long: ['user=u', 'group=g', 'groups=G', 'name=n', 'real=r'],
  });
  if (has.has('u') || has.has('g') || has.has('G')) return { stdout: has.has('n') ? 'user\n' : '1000\n' };
  return { stdout: 'uid=1000(user) gid=1000(user) groups=1000(user)\n' };
}

function nproc(): Output {
  return { stdout: '1\n' };
}

async function truncate(call: Call): Promise<Output> {
  const options = parseOptions(call.args, { short: 's:cr:', long: ['size=s', 'no-create=c', 'reference=r'] });
  const [, sign = '', digits, unit = ''] = /^([-+]?)(\d+)([KMG]?)B?$/.exec(valueOf(options, 's') ?? '') ?? [];
  if (digits === undefined) throw new Complaint("you must specify '--size', as in -s 0 or -s +1K", 1);
  const amount = Number(digits) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit);
  for (const name of options.operands) {
    const path = call.path(name);
    const exists = await call.files.exists(path);
    if (!exists && options.has.has('c')) continue;
    const content = exists ? await call.files.readFileBuffer(path) : new Uint8Array();
    const length =
      sign === '+' ? content.length + amount : sign === '-' ? Math.max(0, content.length - amount) : amount;
    const changed = new Uint8Array(length);
    changed.set(content.subarray(0, length));
    await call.files.writeFile(path, changed);
  }
  return {};
}

async function shuf(call: Call): Promise<Output> {
  const options = parseOptions(call.args, {
    short: 'n:i:er',
    long: ['head-count=n', 'input-range=i', 'echo=e'],
  });
  const range = valueOf(options, 'i')?.split('-').map(Number);
  const [from = 0, to = -1] = range ?? [];
  const lines = range
    ? Array.from({ length: Math.min(1_000_000, Math.max(0, to - from + 1)) }, (_, i) => String(from + i))
    : options.has.has('e')
      ? [...options.operands]
      : textOf(await inputOf(call, options.operands[0], 1))
          .replace(/\n$/, '')
          .split('\n');
  for (let i = lines.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [lines[i], lines[j]] = [lines[j] ?? '', lines[i] ?? ''];
  }
  return {
    stdout: lines
      .slice(0, countOf(options, 'n') ?? lines.length)
      .map((line) => `${line}\n`)
      .join(''),
  };
}

/** Lists the available commands. The operands are the names of the shell's builtins. */
function help(call: Call): Output {
  const width = Math.min(call.columns ?? 80, 80) - 4;
  const [passing = [], gathering = []] = [true, false].map((wanted) =>
    call.host.commands.filter((name) => streams(name) === wanted),
  );
  const builtins = call.args.length > 0 ? `${inColumns(call.args, width)}\n` : '';
  return {
    stdout: `${builtins}The stages of a pipeline run together. These work on their input as it comes:

${inColumns(passing, width)}
These take all of their input, where they have any, before they print:

${inColumns(gathering, width)}
There is no native program: git, python and compilers are not here.
Jobs, traps and signals work; a job cannot be stopped and gone on with.
Run COMMAND --help for a command, help NAME for a builtin of the shell.
`,
  };
}

function inColumns(names: readonly string[], width: number): string {
  let [text, line] = ['', ' '];
  for (const name of names) {
    if (line.length + name.length + 1 > width) {
      text += `${line}\n`;
      line = ' ';
    }
    line += ` ${name}`;
  }
  return `${text}${line}\n`;
}

export const small: Readonly<Record<string, Implementation>> = {
  help,
  id,
  mktemp,
  nproc,
  realpath,
  shuf,
  truncate,
  uname,
};
