import type { Options } from 'prettier';
import { fits } from './globs.ts';
import { EDITOR_FILE } from './names.ts';
import type { SettingsFile } from './protocol.ts';

interface Section {
  readonly pattern: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Reads the options for the file at `path` from the `.editorconfig` files, under Prettier's names. Nearer files win. */
export function editorOptions(path: string, settings: readonly SettingsFile[]): Options {
  const values = new Map<string, string>();
  for (const { folder, sections } of filesFor(settings))
    for (const section of sections)
      if (fits([section.pattern], path.slice(folder.length + 1)))
        for (const [name, value] of section.values) values.set(name, value);
  return optionsOf(values);
}

/** The files from the outermost that counts to the nearest: none above one that says it is the root. */
function filesFor(settings: readonly SettingsFile[]) {
  const read = settings
    .filter((file) => file.path.endsWith(`/${EDITOR_FILE}`))
    .map((file) => ({ folder: file.path.slice(0, -EDITOR_FILE.length - 1), ...sectionsOf(file.text) }))
    .sort((a, b) => a.folder.length - b.folder.length);
  return read.slice(
    Math.max(
      0,
      read.findLastIndex(({ root }) => root),
    ),
  );
}

function sectionsOf(text: string): { readonly root: boolean; readonly sections: readonly Section[] } {
  const sections: { pattern: string; values: Map<string, string> }[] = [];
  let root = false;
  for (const whole of text.split(/\r?\n/)) {
    const line = whole.trim();
    if (line === '' || /^[#;]/.test(line)) continue;
    const pattern = /^\[(.*)\]$/.exec(line)?.[1];
    if (pattern !== undefined) {
      sections.push({ pattern, values: new Map() });
      continue;
    }
    const [, name = '', value = ''] = /^([^=:]+)[=:](.*)$/.exec(line) ?? [];
    const [key, given] = [name.trim().toLowerCase(), value.trim().toLowerCase()];
    const last = sections.at(-1);
    if (last) last.values.set(key, given);
    else if (key === 'root') root = given === 'true';
  }
  return { root, sections };
}

function optionsOf(values: ReadonlyMap<string, string>): Options {
  const options: Options = {};
  const style = values.get('indent_style');
  if (style === 'tab' || style === 'space') options.useTabs = style === 'tab';
  const size = values.get('indent_size');
  const width = Number(size === undefined || size === 'tab' ? values.get('tab_width') : size);
  if (Number.isInteger(width) && width > 0) options.tabWidth = width;
  const longest = values.get('max_line_length');
  if (longest === 'off') options.printWidth = Number.POSITIVE_INFINITY;
  else if (Number(longest) > 0) options.printWidth = Number(longest);
  const quotes = values.get('quote_type');
  if (quotes === 'single' || quotes === 'double') options.singleQuote = quotes === 'single';
  return options;
}
