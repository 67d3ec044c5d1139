import type { ProcessInfo, ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { optionsOf, writing } from '../../kit/io.ts';
import { posixRegex } from '../../kit/posix-regex.ts';
import { valueOf, type Options } from '../../kit/options.ts';
import { momentOfDate, strftime } from '../../kit/strftime.ts';

interface Column {
  readonly title: string;
  /** The width of the column; numbers are aligned right and text left. */
  readonly width: number;
  readonly isNumber?: boolean;
  value(one: ProcessInfo, call: ProgramCall): string;
}

const nameOf = (one: ProcessInfo) => (one.command.split(' ')[0] ?? '').replace(/^.*\//, '');
/** Matches the first word of a line that the shell runs itself: a change of variables, a compound command or a builtin. */
const SHELLS_OWN =
  /^(?:\w+\+?=|[({!]|(?:if|for|while|until|case|time|cd|pushd|popd|export|unset|set|shopt|source|\.|:|eval|exec|trap|umask|ulimit|wait|read)$)/;
/** The name of the program, or the whole line where no program's name begins it. */
const shownName = (one: ProcessInfo) =>
  SHELLS_OWN.test(one.command.split(' ')[0] ?? '') ? one.command : nameOf(one);
const startOf = (one: ProcessInfo, call: ProgramCall) =>
  strftime('%H:%M', momentOfDate(new Date(one.started)), call.env.get('TZ') ?? '');

function elapsed({ started }: ProcessInfo): string {
  const all = Math.max(0, Math.floor((Date.now() - started) / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(all / 3600);
  return `${hours > 0 ? `${two(hours)}:` : ''}${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`;
}

const number = (title: string, width: number, value: Column['value']): Column => ({
  title,
  width,
  isNumber: true,
  value,
});
const text = (title: string, width: number, value: Column['value']): Column => ({ title, width, value });

const COMMAND = text('COMMAND', 27, ({ command }) => command);
const COLUMNS: Readonly<Record<string, Column>> = {
  pid: number('PID', 5, ({ pid }) => String(pid)),
  ppid: number('PPID', 5, ({ ppid }) => String(ppid)),
  pgid: number('PGID', 5, ({ pid }) => String(pid)),
  uid: number('UID', 5, () => '1000'),
  user: text('USER', 8, () => 'user'),
  comm: text('COMMAND', 15, shownName),
  ucmd: text('CMD', 15, shownName),
  args: COMMAND,
  cmd: text('CMD', 27, ({ command }) => command),
  command: COMMAND,
  tty: text('TT', 8, () => '?'),
  time: number('TIME', 8, () => '00:00:00'),
  bsdtime: number('TIME', 6, () => '0:00'),
  etime: number('ELAPSED', 11, elapsed),
  etimes: number('ELAPSED', 7, ({ started }) => String(Math.floor((Date.now() - started) / 1000))),
  stat: text('STAT', 4, () => 'S'),
  state: text('S', 1, () => 'S'),
  start: number('START', 5, startOf),
  pcpu: number('%CPU', 4, () => '0.0'),
  pmem: number('%MEM', 4, () => '0.0'),
  vsz: number('VSZ', 6, () => '0'),
  rss: number('RSS', 5, () => '0'),
  ni: number('NI', 3, () => '0'),
  c: number('C', 2, () => '0'),
};

const ALIASES: Readonly<Record<string, string>> = {
  '%cpu': 'pcpu',
  '%mem': 'pmem',
  euser: 'user',
  uname: 'user',
  fname: 'comm',
  tt: 'tty',
  tname: 'tty',
  s: 'state',
  lstart: 'start',
  stime: 'start',
  start_time: 'start',
  rsz: 'rss',
  nice: 'ni',
  cputime: 'time',
};

function columnOf(spec: string): Column {
  const [name = '', title] = spec.split(/=(.*)/s);
  const known = COLUMNS[ALIASES[name] ?? name];
  if (!known) throw new Complaint(`error: unknown user-defined format specifier "${name}"`, 1);
  return title === undefined ? known : { ...known, title };
}

const pick = (...names: readonly string[]) => names.map((name) => columnOf(name));
const SHORT = pick('pid', 'tty=TTY', 'time', 'ucmd');
const FULL = pick('user=UID', 'pid', 'ppid', 'c', 'stime=STIME', 'tty=TTY', 'time', 'cmd');
const USERS = pick(
  ...['user', 'pid', 'pcpu', 'pmem', 'vsz', 'rss', 'tty=TTY', 'stat', 'start', 'bsdtime', 'command'],
);

const SPEC = {
  short: 'AaefdFljwxuho:O:p:C:t:U:G:NLHTM',
  long: [
    'format:=o',
    'pid:=p',
    'ppid:',
    'sort:',
    'no-headers',
    'no-heading',
    'headers',
    'forest=H',
    'user:=U',
  ],
};

function listed(values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => value.split(/[\s,]+/)).filter((each) => each !== '');
}

function chosen(all: readonly ProcessInfo[], options: Options): ProcessInfo[] {
  const pids = listed(options.values.get('p'));
  const parents = listed(options.values.get('ppid'));
  const names = listed(options.values.get('C'));
  if (pids.length + parents.length + names.length === 0) return [...all];
  return all.filter(
    (one) =>
      pids.includes(String(one.pid)) || parents.includes(String(one.ppid)) || names.includes(nameOf(one)),
  );
}

function table(rows: readonly ProcessInfo[], columns: readonly Column[], call: ProgramCall, titled: boolean) {
  const last = columns.length - 1;
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => {
        const { isNumber, width = 0 } = columns[at] ?? {};
        return isNumber ? cell.padStart(width) : at === last ? cell : cell.padEnd(width);
      })
      .join(' ');
  const lines = rows.map((one) => line(columns.map((column) => column.value(one, call))));
  if (titled && columns.some(({ title }) => title !== ''))
    lines.unshift(line(columns.map(({ title }) => title)));
  return lines.map((each) => `${each}\n`).join('');
}

/** Lists the shell, the processes that it has started, and those of jobs that run in the background. */
export const ps = writing(async (call, out) => {
  // Letters without a dash are in BSD style: `ps aux`.
  const [first = ''] = call.args;
  const isBsd = /^[acefhjlruvwxA]+$/.test(first);
  const args = isBsd ? [`-${first.replace(/[^hewxa]/g, '')}`, ...call.args.slice(1)] : call.args;
  const options = optionsOf(
    call,
    SPEC,
    1,
    false,
    args.filter((arg) => arg !== '-'),
  );
  const { has, operands } = options;
  const given = [...(options.values.get('o') ?? [])].flatMap((list) =>
    /=/.test(list) ? list.split(/,(?=[\w%]+(?:=|,|$))/) : list.split(/[\s,]+/),
  );
  const columns =
    given.length > 0
      ? given.map((spec) => columnOf(spec))
      : isBsd && first.includes('u')
        ? USERS
        : has.has('f') || has.has('F')
          ? FULL
          : SHORT;
  const numbers = operands.filter((operand) => /^\d+$/.test(operand));
  const rows = chosen(
    await call.processes(),
    numbers.length > 0 ? { ...options, values: new Map([...options.values, ['p', numbers]]) } : options,
  );
  const titled = !['h', 'no-headers', 'no-heading'].some((name) => has.has(name));
  await out.write(table(rows, columns, call, titled));
  return rows.length > 0 ? 0 : 1;
});

const GREP_SPEC = {
  short: 'aclfinovxd:P:s:u:U:g:t:',
  long: [
    'list-full=a',
    'list-name=l',
    'count=c',
    'full=f',
    'ignore-case=i',
    'newest=n',
    'oldest=o',
    'exact=x',
  ],
};

async function found(call: ProgramCall, options: Options): Promise<ProcessInfo[]> {
  const { has } = options;
  const [pattern] = options.operands;
  const parents = listed(options.values.get('P'));
  if (pattern === undefined && parents.length === 0)
    throw new Complaint(
      `no matching criteria specified\nTry \`${call.name} --help' for more information.`,
      2,
    );
  const source = pattern === undefined ? '' : has.has('x') ? `^(${pattern})$` : pattern;
  const regex = posixRegex(source, { extended: true, escapes: 'grep' }, has.has('i') ? 'i' : '');
  const all = await call.processes();
  const matching = all.filter((one) => {
    // The search leaves itself out.
    if (/^\S*\b(?:pgrep|pkill|pidof|killall)\b/.test(one.command)) return false;
    if (parents.length > 0 && !parents.includes(String(one.ppid))) return false;
    regex.lastIndex = 0;
    return regex.test(has.has('f') ? one.command : nameOf(one)) !== has.has('v');
  });
  return has.has('n') ? matching.slice(-1) : has.has('o') ? matching.slice(0, 1) : matching;
}

/** Prints the numbers of processes whose names match. */
export const pgrep = writing(async (call, out) => {
  const options = optionsOf(call, GREP_SPEC, 2);
  const { has } = options;
  const all = await found(call, options);
  if (has.has('c')) await out.write(`${all.length}\n`);
  else {
    const between = valueOf(options, 'd') ?? '\n';
    const lines = all.map((one) =>
      has.has('a') ? `${one.pid} ${one.command}` : has.has('l') ? `${one.pid} ${nameOf(one)}` : `${one.pid}`,
    );
    if (lines.length > 0) await out.write(`${lines.join(between)}\n`);
  }
  return all.length > 0 ? 0 : 1;
});

/** Sends a signal to processes whose names match. */
export const pkill = writing(async (call) => {
  const signals = call.args.filter((arg) => /^-(?:\d+|[A-Z][A-Z0-9]+)$/.test(arg));
  const rest = call.args.filter((arg) => !signals.includes(arg));
  const options = optionsOf(
    call,
    { short: `${GREP_SPEC.short}e`, long: [...GREP_SPEC.long, 'signal:', 'echo=e'] },
    2,
    false,
    rest,
  );
  const signal = signals.at(-1) ?? `-${valueOf(options, 'signal') ?? 'TERM'}`;
  // The calling shell is left out.
  const all = (await found(call, options)).filter(({ isAsking }) => !isAsking);
  for (const { pid } of all) await call.run(['builtin', 'kill', signal, String(pid)]);
  return all.length > 0 ? 0 : 1;
});
