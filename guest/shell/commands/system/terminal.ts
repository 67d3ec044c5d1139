import type { Program } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complaining, encode } from '../../kit/io.ts';

const CLEAR = '\x1b[H\x1b[2J\x1b[3J';

export const clear: Program = async (call) => {
  await call.stdout.write(encode(CLEAR));
  return 0;
};

/** Sequences without parameters, for a modern terminal. */
const SEQUENCES: Readonly<Record<string, string>> = {
  blink: '\x1b[5m',
  bold: '\x1b[1m',
  civis: '\x1b[?25l',
  clear: CLEAR,
  cnorm: '\x1b[?25h',
  cuu1: '\x1b[A',
  dim: '\x1b[2m',
  ed: '\x1b[J',
  el: '\x1b[K',
  home: '\x1b[H',
  op: '\x1b[39;49m',
  rev: '\x1b[7m',
  rmso: '\x1b[27m',
  rmul: '\x1b[24m',
  sc: '\x1b7',
  rc: '\x1b8',
  sgr0: '\x1b(B\x1b[m',
  sitm: '\x1b[3m',
  smso: '\x1b[7m',
  smul: '\x1b[4m',
};

export const tput: Program = complaining(async (call) => {
  const args = call.args[0] === '-T' ? call.args.slice(2) : call.args;
  const [name = '', first = '0', second = '0'] = args;
  const size = call.terminal(1) ?? call.terminal(2);
  await call.stdout.write(encode(textOf(name, Number(first), Number(second), size)));
  return 0;
});

const SPEEDS = 'speed 38400 baud;';

/** Changes keyboard settings. Names without a meaning here are accepted and ignored. */
export const stty: Program = complaining(async (call) => {
  const terminal = call.terminal(0);
  if (!terminal) throw new Complaint("'standard input': Inappropriate ioctl for device", 1);
  const { columns, rows, keyboard } = terminal;
  const words = call.args.filter((word) => word !== '--');
  const mode = { raw: keyboard?.mode.raw ?? false, echo: keyboard?.mode.echo ?? true };
  let text = '';
  for (const word of words.length > 0 ? words : ['']) {
    if (word === 'size') text += `${rows} ${columns}\n`;
    else if (word === 'speed') text += '38400\n';
    else if (word === '') text += `${SPEEDS} line = 0;\n`;
    else if (word === '-a' || word === '--all')
      text += `${SPEEDS} rows ${rows}; columns ${columns}; line = 0;\n${mode.raw ? '-' : ''}icanon ${mode.echo ? '' : '-'}echo\n`;
    else if (word === '-g' || word === '--save')
      text += `${mode.raw ? 'raw' : 'cooked'}:${mode.echo ? '' : '-'}echo\n`;
    else for (const part of word.split(':')) set(mode, part);
  }
  await call.stdout.write(encode(text));
  keyboard?.setMode(mode);
  return 0;
});

function set(mode: { raw: boolean; echo: boolean }, word: string): void {
  switch (word) {
    case 'echo':
    case '-echo':
      mode.echo = word === 'echo';
      return;
    case 'raw':
    case '-icanon':
    case 'cbreak':
    case '-cooked':
      mode.raw = true;
      return;
    case '-raw':
    case 'icanon':
    case '-cbreak':
    case 'cooked':
      mode.raw = false;
      return;
    case 'sane':
      mode.raw = false;
      mode.echo = true;
      return;
  }
  if (
    !/^-?(?:isig|icrnl|ixon|ixoff|iutf8|opost|onlcr|echo[eknl]|echoctl|echoke|iexten|hupcl|inlcr|igncr|brkint|tostop|noflsh|parenb|cs[78]|min|time)$|^\d+$/.test(
      word,
    )
  )
    throw new Complaint(`invalid argument '${word}'\nTry 'stty --help' for more information.`, 1);
}

function textOf(
  name: string,
  first: number,
  second: number,
  size: { readonly columns: number; readonly rows: number } | undefined,
): string {
  switch (name) {
    case 'cols':
      return `${size?.columns ?? 80}\n`;
    case 'lines':
      return `${size?.rows ?? 24}\n`;
    case 'colors':
      return '256\n';
    case 'setaf':
    case 'setab': {
      const base = name === 'setaf' ? 3 : 4;
      if (first < 8) return `\x1b[${base}${first}m`;
      return first < 16 ? `\x1b[${base + 6}${first - 8}m` : `\x1b[${base}8;5;${first}m`;
    }
    case 'cup':
      return `\x1b[${first + 1};${second + 1}H`;
  }
  const sequence = Object.hasOwn(SEQUENCES, name) ? SEQUENCES[name] : undefined;
  if (sequence === undefined) throw new Complaint(`unknown terminfo capability '${name}'`, 4);
  return sequence;
}
