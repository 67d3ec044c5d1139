import * as z from 'zod';
import { change, keepByteOrderMark, replacedText } from '../change.ts';
import { builtin } from '../define.ts';
import { WITHOUT_PATCHES } from '../edit-style.ts';
import { resolveWritable } from '../paths.ts';
import { oneLine } from '../text.ts';
import { writeManifest } from './manifest.ts';

const parameters = z.object({
  filePath: z.string().min(1).describe('Path of the file, absolute or relative to the workspace root'),
  content: z.string().describe('The whole content of the file'),
});

export const writeTool = builtin(
  writeManifest,
  {
    description: [
      'Writes a whole file; folders on the way are made. A file that exists must have been read before.',
      'To change part of a file, use the edit tool.',
    ].join('\n'),
    parameters,
    asksFirst: true,
    async execute({ filePath, content }, context) {
      const resolved = await resolveWritable(context, filePath);
      const name = oneLine(resolved.title);
      return change(context, resolved, ({ bytes }) => {
        const before = replacedText(bytes);
        const after = keepByteOrderMark(before, content);
        if (before === after) return { unchanged: `${name} already has this content; nothing was written.` };
        return { before, after, message: `${before === null ? 'Created' : 'Wrote'} ${name}.` };
      });
    },
  },
  { filter: { models: WITHOUT_PATCHES } },
);
