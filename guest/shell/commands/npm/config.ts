import type { ProgramCall } from '../../program.ts';
import { defaultOf, isOption } from './definitions.ts';
import { NpmFailure, print } from './failure.ts';
import type { NpmOptions } from './options.ts';
import { NODE_VERSION, NPM_VERSION } from './script.ts';

interface Layer {
  readonly name: string;
  readonly source: string;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Runs `npm config get|set|delete|list` over flags, variables, and the `.npmrc` of the project and of the
 * user.
 */
export async function config(
  call: ProgramCall,
  prefix: string,
  options: NpmOptions,
  [what = '', ...words]: readonly string[],
): Promise<number> {
  const layers = await layersOf(call, prefix, options);
  const [user, project] = [layers[0], layers[1]];
  const where = options.flags.get('location') === 'project' ? project : user;
  switch (what) {
    case 'get': {
      if (words.length === 0) break;
      const shown = words.map((key) => `${words.length > 1 ? `${key}=` : ''}${valueOf(layers, key)}`);
      await print(call, shown.join('\n'));
      return 0;
    }
    case 'set':
    case 'delete':
    case 'rm': {
      if (words.length === 0 || !where)
        throw new NpmFailure(['code EUSAGE', '', `npm config ${what} needs a key.`]);
      const changed = new Map(where.values);
      for (const [key, value] of what === 'set' ? pairs(words) : words.map((word) => [word, ''] as const)) {
        if (what === 'set' && !isOption(key) && !/[:/@]/.test(key))
          throw new NpmFailure([`\`${key}\` is not a valid npm option`]);
        if (value === '') changed.delete(key);
        else changed.set(key, value);
      }
      const lines = [...changed].map(([key, value]) => `${key}=${value}\n`);
      await call.files.writeFile(where.source, lines.join(''));
      return 0;
    }
    case 'list':
    case 'ls':
      break;
    default:
      throw new NpmFailure(['code EUSAGE', '', 'npm config set, get, delete and list are here.']);
  }
  await print(call, listed(call, prefix, layers));
  return 0;
}

/** Reads `KEY VALUE`, or any number of `KEY=VALUE`. */
function pairs(words: readonly string[]): (readonly [string, string])[] {
  const [key = '', value] = words;
  if (words.length === 2 && value !== undefined && !key.includes('=')) return [[key, value]];
  return words.map((word) => {
    const at = word.indexOf('=');
    return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
  });
}

/** The sources of settings; later ones win. */
async function layersOf(call: ProgramCall, prefix: string, options: NpmOptions): Promise<readonly Layer[]> {
  const file = async (name: string, source: string) => ({ name, source, values: await read(call, source) });
  const env = [...call.env].flatMap(([key, value]) => {
    const [, name] = /^npm_config_(?!_)(.+)$/i.exec(key) ?? [];
    return name === undefined ? [] : [[name.toLowerCase().replaceAll('_', '-'), value] as const];
  });
  const cli = [...options.given].map(([key, value]) => [key, value === '' ? 'false' : value] as const);
  return [
    await file('user', call.env.get('npm_config_userconfig') ?? `${call.env.get('HOME') ?? '/home'}/.npmrc`),
    await file('project', `${prefix}/.npmrc`),
    { name: 'env', source: 'environment', values: new Map(env) },
    { name: 'cli', source: 'command line options', values: new Map(cli) },
  ];
}

/** Reads lines of `key = value`; lines that begin with `;` or `#` are comments. */
async function read(call: ProgramCall, path: string): Promise<ReadonlyMap<string, string>> {
  const text = await call.files.readFile(path).catch(() => '');
  const variable = (_: string, name: string) => call.env.get(name) ?? '';
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, key, value = 'true'] = /^\s*([^;#=\s][^=]*?)\s*(?:=\s*(.*?))?\s*$/.exec(line) ?? [];
      const plain = value.replace(/^(["'])(.*)\1$/, '$2').replaceAll(/\$\{([^}]+)\}/g, variable);
      return key === undefined ? [] : [[key, plain] as const];
    }),
  );
}

function valueOf(layers: readonly Layer[], key: string): string {
  const value = layers.findLast(({ values }) => values.has(key))?.values.get(key) ?? defaultOf(key);
  return value === undefined && isOption(key) ? 'null' : String(value);
}

function listed(call: ProgramCall, prefix: string, layers: readonly Layer[]): string {
  const parts = layers.flatMap(({ name, source, values }, at) => {
    if (values.size === 0) return [];
    const entries = [...values].sort(([a], [b]) => a.localeCompare(b, 'en'));
    const lines = entries.map(([key, value]) => {
      const line = `${key} = ${/^(true|false|null|\d+)$/.test(value) ? value : JSON.stringify(value)}`;
      const over = layers.slice(at + 1).findLast((layer) => layer.values.has(key));
      return over ? `; ${line} ; overridden by ${over.name}` : line;
    });
    return [`; "${name}" config from ${source}`, '', ...lines, ''];
  });
  return [
    ...parts,
    '; node bin location = /usr/bin/node',
    `; node version = ${NODE_VERSION}`,
    `; npm local prefix = ${prefix}`,
    `; npm version = ${NPM_VERSION}`,
    `; cwd = ${call.cwd}`,
    `; HOME = ${call.env.get('HOME') ?? ''}`,
    '; Run `npm config ls -l` to show all defaults.',
  ].join('\n');
}
