import type { Options } from 'prettier';
import { parse as parseYAML } from 'yaml';
import { fits } from './globs.ts';
import { PRETTIER_FILES } from './names.ts';
import type { SettingsFile, SettingsNote } from './protocol.ts';

/** The options that a settings file may set. Others, such as plugins, would load code of the workspace. */
const ALLOWED: ReadonlySet<string> = new Set([
  'arrowParens',
  'bracketSameLine',
  'bracketSpacing',
  'embeddedLanguageFormatting',
  'experimentalOperatorPosition',
  'experimentalTernaries',
  'htmlWhitespaceSensitivity',
  'jsxSingleQuote',
  'objectWrap',
  'parser',
  'printWidth',
  'proseWrap',
  'quoteProps',
  'semi',
  'singleAttributePerLine',
  'singleQuote',
  'tabWidth',
  'trailingComma',
  'useTabs',
  'vueIndentScriptAndStyle',
]);

export interface FoundOptions {
  readonly options: Options;
  readonly notes: readonly SettingsNote[];
}

/** Reads the options for the file at `path` from the nearest settings file of Prettier. */
export function prettierOptions(path: string, settings: readonly SettingsFile[]): FoundOptions {
  const found = new Map(settings.map((file) => [file.path, file]));
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    for (const name of PRETTIER_FILES) {
      const file = found.get(`${folder}/${name}`);
      const read = file && optionsIn(file, name, path);
      if (read) return read;
    }
  }
  return { options: {}, notes: [] };
}

/** Undefined if the file is not about Prettier. */
function optionsIn(file: SettingsFile, name: string, path: string): FoundOptions | undefined {
  if (/\.[cm]?[jt]s$/.test(name)) return { options: {}, notes: [{ kind: 'code', path: file.path }] };
  try {
    const config = configIn(file.text, name);
    if (config === undefined) return undefined;
    // The name of a package with shared settings, which would have to be run.
    if (!isRecord(config)) return { options: {}, notes: [{ kind: 'code', path: file.path }] };
    const options = { ...config, ...overridesFor(config, path.slice(parentOf(file.path).length + 1)) };
    const plugins = Array.isArray(options['plugins']) && options['plugins'].length > 0;
    return {
      options: Object.fromEntries(Object.entries(options).filter(([key]) => ALLOWED.has(key))),
      notes: plugins ? [{ kind: 'plugins', path: file.path }] : [],
    };
  } catch (error) {
    // A package.json that cannot be read is said where it matters, and says nothing of Prettier.
    if (name === 'package.json') return undefined;
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { options: {}, notes: [{ kind: 'unreadable', path: file.path, why }] };
  }
}

function configIn(text: string, name: string): unknown {
  if (name === 'package.json') {
    const manifest: unknown = JSON.parse(text);
    return isRecord(manifest) ? manifest['prettier'] : undefined;
  }
  if (/\.(?:toml|json5)$/.test(name)) throw new Error('This format is not supported.');
  // JSON is YAML too. An empty file has no options.
  const read: unknown = name.endsWith('.json') ? JSON.parse(text) : parseYAML(text);
  return read ?? {};
}

function overridesFor(config: Record<string, unknown>, relative: string): Record<string, unknown> {
  const overrides: readonly unknown[] = Array.isArray(config['overrides']) ? config['overrides'] : [];
  const options: Record<string, unknown> = {};
  for (const each of overrides) {
    if (!isRecord(each) || !fits(listOf(each['files']), relative)) continue;
    if (!fits(listOf(each['excludeFiles']), relative) && isRecord(each['options']))
      Object.assign(options, each['options']);
  }
  return options;
}

function listOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
