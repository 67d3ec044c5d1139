import type { Options } from 'prettier';
import { formatWithCursor } from 'prettier/standalone';
import { IgnoreRules } from '../../../../../protocol/ignore-rules.ts';
import { editorOptions } from './editor-config.ts';
import { IGNORE_FILE, parserOf } from './names.ts';
import { pluginsFor } from './plugins.ts';
import { prettierOptions } from './prettier-config.ts';
import type { FormatOutcome, FormatRequest } from './protocol.ts';

/** Formats a text as the settings of its workspace say. */
export async function runFormat(request: FormatRequest): Promise<FormatOutcome> {
  const { path, text, cursor, settings } = request;
  if (isIgnored(request)) return { kind: 'ignored' };
  const { options, notes } = prettierOptions(path, settings);
  const parser = parserOf(path);
  const chosen = typeof options.parser === 'string' ? options.parser : '';
  const wanted = await pluginsFor(chosen);
  const plugins = wanted ?? (await pluginsFor(parser ?? ''));
  if (!plugins) return { kind: 'failed', message: 'There is no parser for this kind of file.' };
  const all: Options = {
    ...editorOptions(path, settings),
    ...options,
    parser: wanted ? chosen : (parser ?? ''),
    filepath: path,
    plugins,
    // The editor's lines end so; saving gives them the file's own ends.
    endOfLine: 'lf',
  };
  try {
    const { formatted, cursorOffset } = await formatWithCursor(text, { ...all, cursorOffset: cursor });
    return { kind: 'formatted', text: formatted, cursor: cursorOffset, notes };
  } catch (error) {
    return outcomeOf(error);
  }
}

function isIgnored({ path, root, settings }: FormatRequest): boolean {
  if (path.includes('/node_modules/')) return true;
  const file = settings.find((each) => each.path === `${root}/${IGNORE_FILE}`);
  if (!file) return false;
  const rules = new IgnoreRules();
  rules.addWeakest(root, file.text);
  for (let at = path; at.length > root.length; at = at.slice(0, at.lastIndexOf('/')))
    if (rules.ignores(at, at !== path)) return true;
  return false;
}

/** Prettier's syntax errors have a place, its others do not. */
function outcomeOf(error: unknown): FormatOutcome {
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error) };
  // Below the first line Prettier prints the code.
  const message = (error.message.split('\n')[0] ?? '').replace(/ \(\d+:\d+\)$/, '');
  const loc: unknown = 'loc' in error ? error.loc : undefined;
  const start: unknown = isObject(loc) && 'start' in loc ? loc.start : undefined;
  if (!isObject(start) || !('line' in start) || !('column' in start)) return { kind: 'failed', message };
  return { kind: 'syntax', line: Number(start.line), column: Number(start.column), message };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
