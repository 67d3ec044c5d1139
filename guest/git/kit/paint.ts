const CODES: Readonly<Record<string, string>> = {
  normal: '',
  reset: '\x1b[m',
  bold: '\x1b[1m',
  dim: '\x1b[2m',
  ul: '\x1b[4m',
  reverse: '\x1b[7m',
  black: '\x1b[30m',
  red: '\x1b[31m',
  green: '\x1b[32m',
  yellow: '\x1b[33m',
  blue: '\x1b[34m',
  magenta: '\x1b[35m',
  cyan: '\x1b[36m',
  white: '\x1b[37m',
};

/** Colours text where colours are on. */
export class Painter {
  readonly isOn: boolean;

  constructor(isOn: boolean) {
    this.isOn = isOn;
  }

  /** `how` has words such as `bold red`, as in git's settings. */
  paint(how: string, text: string): string {
    if (!this.isOn || text === '') return text;
    const codes = codeOf(how);
    return codes === '' ? text : `${codes}${text}\x1b[m`;
  }
}

export function codeOf(how: string): string {
  const numbers = how
    .split(/[\s,]+/)
    .filter(Boolean)
    .flatMap((word) => /\d+/.exec(CODES[word] ?? '')?.[0] ?? []);
  if (/\breset\b/.test(how)) return '\x1b[m';
  return numbers.length > 0 ? `\x1b[${numbers.join(';')}m` : '';
}
