import { argTypeError, argValueError, needObject, needString, nodeError } from '../internal/errors.ts';

interface OptionConfig {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  readonly default?: unknown;
}

type Token =
  | {
      kind: 'option';
      name: string;
      rawName: string;
      index: number;
      value: string | undefined;
      inlineValue: boolean | undefined;
    }
  | { kind: 'positional'; index: number; value: string }
  | { kind: 'option-terminator'; index: number };

interface Config {
  readonly args: readonly string[];
  readonly strict: boolean;
  readonly allowPositionals: boolean;
  readonly allowNegative: boolean;
  readonly tokens: boolean;
  readonly options: Readonly<Record<string, OptionConfig>>;
}

/** `defaultArgs`: those of the process, where the caller names none. */
export function parseArgs(given: unknown, defaultArgs: () => string[]): unknown {
  const config = configOf(given ?? {}, defaultArgs);
  const tokens = tokensOf(config);
  const values: Record<string, unknown> = Object.create(null);
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option') {
      if (config.strict) checkOption(config, token);
      store(config, values, token);
    } else if (token.kind === 'positional') {
      if (!config.allowPositionals)
        throw nodeError(
          'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL',
          `Unexpected argument '${token.value}'. This command does not take positional arguments`,
          TypeError,
        );
      positionals.push(token.value);
    }
  }
  for (const [name, option] of Object.entries(config.options))
    if (option.default !== undefined && name !== '__proto__' && !(name in values))
      values[name] = option.default;
  if (!config.tokens) return { values, positionals };
  const named = tokens.map((token) => {
    const name = token.kind === 'option' ? negated(config, token) : undefined;
    return name === undefined ? token : { ...token, name };
  });
  return { values, positionals, tokens: named };
}

function configOf(given: unknown, defaultArgs: () => string[]): Config {
  needObject(given, 'config');
  const flag = (name: string, whenMissing: boolean) => {
    const value = given[name] ?? whenMissing;
    if (typeof value !== 'boolean') throw argTypeError(name, 'boolean', value);
    return value;
  };
  const args = given.args ?? defaultArgs();
  if (!Array.isArray(args)) throw argTypeError('args', 'Array', args);
  const strict = flag('strict', true);
  const options = given.options ?? {};
  needOptions(options);
  return {
    args,
    strict,
    allowPositionals: flag('allowPositionals', !strict),
    allowNegative: flag('allowNegative', false),
    tokens: flag('tokens', false),
    options,
  };
}

function needOptions(options: unknown): asserts options is Record<string, OptionConfig> {
  needObject(options, 'options');
  for (const [name, option] of Object.entries(options)) checkConfig(name, option);
}

function checkConfig(name: string, option: unknown): void {
  const at = `options.${name}`;
  needObject(option, at);
  if (option.type !== 'string' && option.type !== 'boolean')
    throw argTypeError(`${at}.type`, `('string|boolean')`, option.type);
  if (option.short !== undefined) {
    needString(option.short, `${at}.short`);
    if (option.short.length !== 1)
      throw argValueError(`${at}.short`, option.short, 'must be a single character');
  }
  if (option.multiple !== undefined && typeof option.multiple !== 'boolean')
    throw argTypeError(`${at}.multiple`, 'boolean', option.multiple);
  if (option.default === undefined) return;
  const values: unknown = option.multiple ? option.default : [option.default];
  if (!Array.isArray(values)) throw argTypeError(`${at}.default`, 'Array', values);
  for (const [index, value] of values.entries())
    if (typeof value !== option.type)
      throw argTypeError(`${at}.default${option.multiple ? `[${index}]` : ''}`, option.type, value);
}

function tokensOf({ args, options }: Config): Token[] {
  const tokens: Token[] = [];
  const longOf = (short: string) =>
    Object.entries(options).find(([, each]) => each.short === short)?.[0] ?? short;
  const takesText = (name: string) => options[name]?.type === 'string';
  const rest = args.map((value, index) => ({ value: String(value), index }));
  const option = (name: string, rawName: string, index: number, value?: string, inlineValue?: boolean) =>
    tokens.push({ kind: 'option', name, rawName, index, value, inlineValue });
  /** Its value, where it takes one, is the next word. */
  const withNext = (name: string, rawName: string, index: number) => {
    const value = takesText(name) ? rest.shift()?.value : undefined;
    option(name, rawName, index, value, value === undefined ? undefined : false);
  };
  for (let next = rest.shift(); next; next = rest.shift()) {
    const { value: word, index } = next;
    if (word === '--') {
      tokens.push({ kind: 'option-terminator', index });
      for (const { value, index: at } of rest) tokens.push({ kind: 'positional', index: at, value });
      break;
    }
    if (/^-[^-]$/.test(word)) {
      withNext(longOf(word.charAt(1)), word, index);
    } else if (/^-[^-]./.test(word)) {
      const first = longOf(word.charAt(1));
      if (takesText(first)) {
        option(first, word.slice(0, 2), index, word.slice(2), true);
        continue;
      }
      const parts: string[] = [];
      for (let at = 1; at < word.length; at++) {
        const short = word.charAt(at);
        if (takesText(longOf(short)) && at < word.length - 1) {
          parts.push(`-${word.slice(at)}`);
          break;
        }
        parts.push(`-${short}`);
      }
      rest.unshift(...parts.map((value) => ({ value, index })));
    } else if (/^--[^=]+=/.test(word) || /^--=/.test(word)) {
      const at = word.indexOf('=', 3);
      const name = word.slice(2, at);
      option(name, `--${name}`, index, word.slice(at + 1), true);
    } else if (/^--./.test(word)) {
      withNext(word.slice(2), word, index);
    } else tokens.push({ kind: 'positional', index, value: word });
  }
  return tokens;
}

type OptionToken = Extract<Token, { kind: 'option' }>;

function negated(config: Config, token: OptionToken): string | undefined {
  if (!config.allowNegative || !token.name.startsWith('no-')) return undefined;
  const name = token.name.slice(3);
  const known = config.options[name]?.type === 'boolean' || (!config.strict && !(name in config.options));
  return known && token.value === undefined ? name : undefined;
}

function checkOption(config: Config, token: OptionToken): void {
  const name = negated(config, token) ?? token.name;
  const option = Object.hasOwn(config.options, name) ? config.options[name] : undefined;
  if (!option) {
    const hint = config.allowPositionals
      ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(token.rawName)}`
      : '';
    throw nodeError('ERR_PARSE_ARGS_UNKNOWN_OPTION', `Unknown option '${token.rawName}'${hint}`, TypeError);
  }
  const shown = `${option.short ? `-${option.short}, ` : ''}--${name}`;
  const wrong = (message: string) => nodeError('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', message, TypeError);
  if (option.type === 'string' && typeof token.value !== 'string')
    throw wrong(`Option '${shown} <value>' argument missing`);
  if (option.type === 'boolean' && token.value !== undefined && token.value !== null)
    throw wrong(`Option '${shown}' does not take an argument`);
  if (token.inlineValue === false && token.value !== undefined && /^-./.test(token.value)) {
    const example = token.rawName.startsWith('--')
      ? `'${token.rawName}=-XYZ'`
      : `'--${token.name}=-XYZ' or '${token.rawName}-XYZ'`;
    throw wrong(
      `Option '${token.rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${token.rawName}'?\nTo specify an option argument starting with a dash use ${example}.`,
    );
  }
}

function store(config: Config, values: Record<string, unknown>, token: OptionToken): void {
  const negative = negated(config, token);
  const name = negative ?? token.name;
  if (name === '__proto__') return;
  const value = negative !== undefined ? false : (token.value ?? true);
  if (config.options[name]?.multiple) {
    const list = values[name];
    if (Array.isArray(list)) list.push(value);
    else values[name] = [value];
  } else values[name] = value;
}
