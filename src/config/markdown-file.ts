import { readFrontMatter } from '../base/front-matter.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { MutableContents } from './contents.ts';
import { askForEverything } from './report.ts';

/** Reads a file that describes an agent or a command: settings as front matter, and a text below. */
export async function readMarkdownFile(file: string, text: string, found: MutableContents) {
  const head = await readFrontMatter(text);
  if (head && !head.ok)
    askForEverything(found, {
      file,
      line: 1,
      what: `The file cannot be read: ${head.why}.`,
      next: 'Until then everything asks for permission.',
    });
  const values: JsonObject = head?.ok && isObject(head.values) ? head.values : {};
  const name = file.slice(file.lastIndexOf('/') + 1, -'.md'.length);
  const keys = head?.ok ? head.keys : () => [];
  return { name, values, keys, body: head?.ok ? head.body : head ? '' : text.trim() };
}
