import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { change, editableText, type Change, type FileContent } from '../change.ts';
import { builtin } from '../define.ts';
import { WITHOUT_PATCHES } from '../edit-style.ts';
import { resolveWritable } from '../paths.ts';
import { oneLine, plural } from '../text.ts';
import { editManifest } from './manifest.ts';
import { replace } from './replace.ts';

const parameters = z.object({
  filePath: z.string().min(1).describe('Path of the file, absolute or relative to the workspace root'),
  oldString: z
    .string()
    .describe('The text to replace, exactly as it is in the file; empty to create a new file'),
  newString: z.string().describe('The text to put in its place; must differ'),
  replaceAll: z.boolean().default(false).describe('Replace every occurrence'),
});
type Input = z.output<typeof parameters>;

export const editTool = builtin(
  editManifest,
  {
    description: [
      'Replaces text in a file that was read before. `oldString` must occur exactly once, or set `replaceAll`.',
      'Copy it from the file with its indentation, without the line numbers that `read` puts in front.',
      'Only line endings, typographic punctuation and whitespace at line ends may differ from the file.',
    ].join('\n'),
    parameters,
    asksFirst: true,
    async execute(input, context) {
      if (input.oldString === input.newString) {
        throw new FaultError({
          code: 'no-change',
          what: 'oldString and newString are the same. Nothing was changed.',
          next: 'Give the new text.',
        });
      }
      const resolved = await resolveWritable(context, input.filePath);
      return change(context, resolved, (content) => plan(content, input, resolved.title));
    },
  },
  { filter: { models: WITHOUT_PATCHES } },
);

function plan({ bytes }: FileContent, input: Input, title: string): Change {
  const name = oneLine(title);
  if (input.oldString === '') {
    if (bytes && bytes.length > 0) {
      throw new FaultError({
        code: 'empty-search',
        what: `oldString is empty, but ${name} exists and is not empty. Nothing was changed.`,
        next: 'Say which text to replace, or use the write tool to replace the whole file.',
      });
    }
    const before = bytes === null ? null : '';
    return { before, after: input.newString, message: `Created ${name}.` };
  }
  if (!bytes) {
    throw new FaultError({
      code: 'not-found',
      what: `There is no file ${name}. Nothing was changed.`,
      next: 'Use the write tool to create it.',
    });
  }
  const before = editableText(bytes, title);
  const { text, count } = replace(before, input, name);
  if (text === before) {
    return { unchanged: `${name} already has this text; nothing was changed.` };
  }
  return { before, after: text, message: `Edited ${name}: ${plural(count, 'replacement')}.` };
}
