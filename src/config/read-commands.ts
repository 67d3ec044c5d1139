import type { MutableContents } from './contents.ts';
import type { ConfigFiles } from './files.ts';
import { readMarkdownFile } from './markdown-file.ts';
import { valueAt, type ConfigDocument } from './parse.ts';
import { withReferencedFiles } from './referenced-file.ts';
import { reportInvalid } from './report.ts';
import { commandSchema } from './schema.ts';

export async function readCommands(
  file: string,
  written: ConfigDocument,
  found: MutableContents,
  files: ConfigFiles,
): Promise<void> {
  for (const name of written.keys(['command'])) {
    const path = ['command', name];
    const known = commandSchema.safeParse(valueAt(written.values, path));
    if (known.success) {
      const template = await withReferencedFiles(known.data.template, file, found, files);
      found.commands.push({ ...known.data, template, name, file });
    } else reportInvalid(file, written, path, known.error, found);
  }
}

export async function readCommandFile(file: string, text: string, found: MutableContents): Promise<void> {
  const { name, values, body } = await readMarkdownFile(file, text, found);
  const known = commandSchema.safeParse({ ...values, template: body });
  if (known.success) found.commands.push({ ...known.data, name, file });
  else
    found.problems.push({
      file,
      what:
        body === ''
          ? 'The command is empty.'
          : `The front matter cannot be used: ${known.error.issues[0]?.message}.`,
      next: 'The command is unavailable until that is fixed.',
    });
}
