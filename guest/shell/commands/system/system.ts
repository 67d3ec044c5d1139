import type { Program } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complaining, encode, lineBatches, optionsOf, save, writing } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';

const USUAL_PATH = '/usr/bin:/bin';

/** Folders of the usual PATH that are empty here, and that cost a message to look into. */
const EMPTY: ReadonlySet<string> = new Set(['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/sbin']);

/** Runs a builtin of the shell that is called as a program: by a path, or by another program. */
export function builtinOf(name: string): Program {
  return (call) => call.run(['builtin', name, ...call.args]);
}

export const printenv = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, { short: '0', long: ['null=0'] }, 2, true);
  const end = has.has('0') ? '\0' : '\n';
  if (operands.length === 0) for (const [name, value] of call.env) await out.write(`${name}=${value}${end}`);
  let code = 0;
  for (const name of operands) {
    const value = call.env.get(name);
    if (value === undefined) code = 1;
    else await out.write(value + end);
  }
  return code;
});

export const whoami = writing(async (call, out) => {
  const [extra] = optionsOf(call, { short: '' }).operands;
  if (extra !== undefined)
    throw new Complaint(`extra operand '${extra}'\nTry 'whoami --help' for more information.`, 1);
  await out.write('user\n');
  return 0;
});

export const hostname = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, {
    short: 'adfisIA',
    long: ['short=s', 'fqdn=f', 'long=f', 'domain=d', 'ip-address=i', 'all-ip-addresses=I'],
  });
  if (operands.length > 0) throw new Complaint('you must be root to change the host name', 1);
  await out.write(has.has('i') || has.has('I') ? '127.0.0.1\n' : has.has('d') ? '\n' : 'localhost\n');
  return 0;
});

/** Prints the path of the program that a name calls. */
export const which = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, { short: 'as', long: ['all=a'] }, 2);
  const isProgram = async (path: string) => {
    const stat = await call.files.stat(call.path(path)).catch(() => undefined);
    return stat?.isFile === true && (stat.mode & 0o111) !== 0;
  };
  let code = operands.length > 0 ? 0 : 1;
  for (const name of operands) {
    const folders = (call.env.get('PATH') ?? USUAL_PATH).split(':').filter((folder) => !EMPTY.has(folder));
    const places = name.includes('/') ? [name] : folders.map((folder) => `${folder || '.'}/${name}`);
    let isFound = false;
    for (const place of new Set(places)) {
      if (name === '' || !(await isProgram(place))) continue;
      isFound = true;
      if (!has.has('s')) await out.write(`${place}\n`);
      if (!has.has('a')) break;
    }
    if (!isFound) code = 1;
  }
  return code;
});

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 2 ** 31 - 1;

export const sleep = complaining(async (call) => {
  const hint = "\nTry 'sleep --help' for more information.";
  const { operands } = optionsOf(call, { short: '' });
  if (operands.length === 0) throw new Complaint(`missing operand${hint}`, 1);
  let ms = 0;
  for (const text of operands) {
    const [, digits = '', unit = ''] =
      /^(\d*\.?\d+(?:e[-+]?\d+)?|\d+\.|inf|infinity)([smhd]?)$/i.exec(text) ?? [];
    if (digits === '') throw new Complaint(`invalid time interval '${text}'${hint}`, 1);
    ms += (/^inf/i.test(digits) ? Infinity : Number(digits)) * (UNITS_MS[unit || 's'] ?? 1000);
  }
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms, LONGEST_MS));
    const end = () => {
      clearTimeout(timer);
      reject(new Error('ended'));
    };
    if (call.signal.aborted) end();
    else call.signal.addEventListener('abort', end, { once: true });
  });
  return 0;
});

const USUAL_TIMES =
  '%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata %Mmaxresident)k\n%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults %Wswaps';
const PORTABLE_TIMES = 'real %e\nuser %U\nsys %S';

/**
 * The program for `command time` and `/usr/bin/time`, in place of the shell's keyword. Only elapsed time is
 * known.
 */
export const time = complaining(async (call) => {
  const options = optionsOf(
    call,
    {
      short: 'pvqaf:o:',
      long: ['portability=p', 'verbose=v', 'quiet=q', 'append=a', 'format=f', 'output=o'],
    },
    125,
    true,
  );
  const { has, operands } = options;
  const [first] = operands;
  if (first === undefined)
    throw new Complaint("missing program to run\nTry 'time --help' for more information.", 125);
  const started = performance.now();
  const code = await call.run(operands);
  const seconds = (performance.now() - started) / 1000;
  const format =
    (has.has('p') ? PORTABLE_TIMES : undefined) ??
    valueOf(options, 'f') ??
    call.env.get('TIME') ??
    USUAL_TIMES;
  const values: Readonly<Record<string, string>> = {
    e: seconds.toFixed(2),
    E: `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(2).padStart(5, '0')}`,
    U: '0.00',
    S: '0.00',
    P: '0%',
    C: operands.join(' '),
    x: String(code),
    '%': '%',
  };
  const text = format
    .replace(/\\([nt\\])/g, (_all, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? '\\')
    .replace(/%([a-zA-Z%])/g, (_all, letter: string) => values[letter] ?? '0');
  const failed =
    code !== 0 && !has.has('q') && !has.has('p') ? `Command exited with non-zero status ${code}\n` : '';
  const told = `${failed}${text}\n`;
  const file = valueOf(options, 'o');
  if (file === undefined) await call.stderr.write(encode(told));
  else if (has.has('a')) await call.files.appendFile(call.path(file), told);
  else await save(call, file, encode(told));
  return code;
});

/** Prints the path of the terminal on standard input. */
export const tty = writing(async (call, out) => {
  const { has } = optionsOf(call, { short: 's', long: ['silent=s', 'quiet=s'] }, 2);
  const isTerminal = call.terminal(0) !== undefined;
  if (!has.has('s')) await out.write(isTerminal ? '/dev/pts/0\n' : 'not a tty\n');
  return isTerminal ? 0 : 1;
});

export const arch = writing(async (call, out) => {
  optionsOf(call, { short: '' });
  await out.write('x86_64\n');
  return 0;
});

export const groups = writing(async (call, out) => {
  const { operands } = optionsOf(call, { short: '' });
  await out.write(operands.length > 0 ? operands.map((name) => `${name} : user\n`).join('') : 'user\n');
  return 0;
});

/** Files are always written before the next command reads them, so there is nothing to wait for. */
export const sync = complaining((call) => {
  optionsOf(call, { short: 'df', long: ['data=d', 'file-system=f'] });
  return 0;
});

/** Replaces environment variables in a text. */
export const envsubst = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, { short: 'v', long: ['variables=v'] });
  const reference = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;
  const namesIn = (text: string) =>
    [...text.matchAll(reference)].map(([, bare, braced]) => bare ?? braced ?? '');
  const [format] = operands;
  if (has.has('v')) {
    for (const name of namesIn(format ?? '')) await out.write(`${name}\n`);
    return 0;
  }
  const wanted = format === undefined ? undefined : new Set(namesIn(format));
  for await (const { lines, ended } of lineBatches(call.stdin, out)) {
    const text = lines.join('\n') + (ended ? '\n' : '');
    await out.write(
      text.replace(reference, (all, bare?: string, braced?: string) => {
        const name = bare ?? braced ?? '';
        return wanted && !wanted.has(name) ? all : (call.env.get(name) ?? '');
      }),
    );
  }
  return 0;
});

/** Shows how long this shell's worker has run. Nobody else is logged in, and no load is known. */
export const uptime = writing(async (call, out) => {
  const { has } = optionsOf(call, { short: 'ps', long: ['pretty=p', 'since=s'] });
  const now = new Date();
  const pair = (value: number) => String(value).padStart(2, '0');
  const clock = (date: Date) => [date.getHours(), date.getMinutes(), date.getSeconds()].map(pair).join(':');
  const minutes = Math.floor(performance.now() / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (has.has('s')) {
    const since = new Date(now.getTime() - performance.now());
    const day = [since.getFullYear(), since.getMonth() + 1, since.getDate()].map(pair).join('-');
    await out.write(`${day} ${clock(since)}\n`);
  } else if (has.has('p')) {
    const amount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
    const told = [...(hours > 0 ? [amount(hours, 'hour')] : []), amount(rest, 'minute')];
    await out.write(`up ${told.join(', ')}\n`);
  } else {
    const told = hours > 0 ? `${hours}:${pair(rest)}` : `${rest} min`;
    await out.write(` ${clock(now)} up ${told},  1 user,  load average: 0.00, 0.00, 0.00\n`);
  }
  return 0;
});

export const free = complaining((call) => {
  optionsOf(call, {
    short: 'bkmghtwls:c:',
    long: ['bytes=b', 'kibi=k', 'mebi=m', 'gibi=g', 'human=h', 'total=t'],
  });
  throw new Complaint('how much memory there is, only the browser knows; df tells what files may take', 1);
});
