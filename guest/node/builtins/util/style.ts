import { argTypeError, argValueError, needString, nodeError } from '../internal/errors.ts';

/** The styles of `util.inspect.colors`, which `styleText` accepts. */
export const styles: Readonly<Record<string, readonly [number, number]>> = {
  reset: [0, 0],
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  blink: [5, 25],
  inverse: [7, 27],
  hidden: [8, 28],
  strikethrough: [9, 29],
  doubleunderline: [21, 24],
  black: [30, 39],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  white: [37, 39],
  bgBlack: [40, 49],
  bgRed: [41, 49],
  bgGreen: [42, 49],
  bgYellow: [43, 49],
  bgBlue: [44, 49],
  bgMagenta: [45, 49],
  bgCyan: [46, 49],
  bgWhite: [47, 49],
  framed: [51, 54],
  overlined: [53, 55],
  gray: [90, 39],
  grey: [90, 39],
  blackBright: [90, 39],
  redBright: [91, 39],
  greenBright: [92, 39],
  yellowBright: [93, 39],
  blueBright: [94, 39],
  magentaBright: [95, 39],
  cyanBright: [96, 39],
  whiteBright: [97, 39],
  bgGray: [100, 49],
  bgGrey: [100, 49],
  bgBlackBright: [100, 49],
  bgRedBright: [101, 49],
  bgGreenBright: [102, 49],
  bgYellowBright: [103, 49],
  bgBlueBright: [104, 49],
  bgMagentaBright: [105, 49],
  bgCyanBright: [106, 49],
  bgWhiteBright: [107, 49],
};

const aliases = new Set(['grey', 'blackBright', 'bgGrey', 'bgBlackBright']);

interface StyleOptions {
  readonly validateStream?: boolean;
  readonly stream?: unknown;
}

/** `coloured(stream)`: whether what is written to it may have colours. */
export function styleText(
  format: unknown,
  text: unknown,
  { validateStream = true, stream }: StyleOptions,
  coloured: (stream: unknown) => boolean,
): string {
  needString(text, 'text');
  if (typeof validateStream !== 'boolean')
    throw argTypeError('options.validateStream', 'boolean', validateStream);
  if (validateStream && stream !== undefined && (typeof stream !== 'object' || stream === null))
    throw argTypeError('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  const plain = validateStream && !coloured(stream);
  const names: unknown[] = Array.isArray(format) ? format : [format];
  let open = '';
  let close = '';
  let body = text;
  for (const name of names) {
    if (name === 'none') continue;
    const codes = typeof name === 'string' && Object.hasOwn(styles, name) ? styles[name] : undefined;
    if (!codes) {
      const known = Object.keys(styles)
        .filter((each) => !aliases.has(each))
        .map((each) => `'${each}'`);
      throw argValueError('format', name, `must be one of: ${known.join(', ')}`);
    }
    const [on, off] = codes;
    const end = `\u001b[${off}m`;
    open += `\u001b[${on}m`;
    close = end + close;
    if (!plain) body = body.split(end).join(on === 1 || on === 2 ? `${end}\u001b[${on}m` : `\u001b[${on}m`);
  }
  return plain ? text : open + body + close;
}

const controls = new RegExp(
  '[\\u001B\\u009B][[\\]()#;?]*(?:(?:(?:(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]+)*|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]*)*)?(?:\\u0007|\\u001B\\u005C|\\u009C))|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))',
  'g',
);

export function stripVTControlCharacters(text: unknown): string {
  needString(text, 'str');
  return text.replace(controls, '');
}

/** `.env` text as node reads it. */
export function parseEnv(content: unknown): Record<string, string> {
  needString(content, 'content');
  if (content.includes('\0')) throw nodeError('ERR_INVALID_ARG_VALUE', 'content has a null byte', TypeError);
  const values: Record<string, string> = {};
  const line =
    /^[ \t]*(?:export[ \t]+)?([^=\s#]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`|"[^\n]*|[^\n#]*)?[ \t]*(?:#[^\n]*)?$/gm;
  for (const [, name = '', raw = ''] of content.replaceAll('\r\n', '\n').matchAll(line)) {
    const value = raw.trim();
    const quote = value.charAt(0);
    if (value.length > 1 && `"'\``.includes(quote) && value.endsWith(quote)) {
      const inner = value.slice(1, -1);
      values[name] = quote === '"' ? inner.replaceAll('\\n', '\n') : inner;
    } else values[name] = value;
  }
  return values;
}
