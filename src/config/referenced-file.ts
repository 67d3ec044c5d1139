import type { MutableContents } from './contents.ts';
import type { ConfigFiles } from './files.ts';

/** Replaces `{file:./prompt.md}` with the contents of that file; the path is relative to the file that refers to it. */
export async function withReferencedFiles(
  text: string,
  file: string,
  found: MutableContents,
  files: ConfigFiles,
): Promise<string> {
  const folder = file.slice(files.prefix.length, file.lastIndexOf('/') + 1);
  const parts = text.split(/\{file:([^}]+)\}/);
  const filled = parts.map(async (part, index) => {
    if (index % 2 === 0) return part;
    found.namesOthers = true;
    const path = (folder + part.trim()).replace(/(^|\/)\.\//g, '$1');
    const read = await files.readShown(path).catch(() => null);
    if (read !== null) return read.trim();
    found.problems.push({
      file,
      what: `There is no file ${part.trim()}.`,
      next: 'Create it, or remove the reference.',
    });
    return '';
  });
  return (await Promise.all(filled)).join('');
}
