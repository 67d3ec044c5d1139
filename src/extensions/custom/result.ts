import * as z from 'zod';
import { fromBase64 } from '../../base/base64.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ToolAttachment, ToolReturn } from '../../tools/tool.ts';

/** The address of an attachment that is left out is shown up to here. */
const URL_CHARACTERS = 200;

const filePartSchema = z.object({
  type: z.literal('file').optional(),
  mime: z.string(),
  url: z.string(),
  filename: z.string().optional(),
});

/**
 * The result of a custom tool. Attachments are converted from data URLs, and the output names those that are none. A
 * title that the code gave the call while it ran stays where the result has none; so does metadata where the result is
 * only a text.
 */
export function resultOf(value: Json, { title: given, metadata: shown }: JsonObject): ToolReturn {
  const kept = typeof given === 'string' ? { title: given } : {};
  if (typeof value === 'string')
    return { ...kept, output: value, ...(isObject(shown) && { metadata: shown }) };
  if (!isObject(value) || typeof value['output'] !== 'string') return value;
  const { title, output, metadata, attachments } = value;
  const { made, missing } = attachmentsOf(attachments ?? []);
  return {
    ...kept,
    output: [output, ...missing].join('\n\n'),
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(isObject(metadata) && { metadata }),
    attachments: made,
  };
}

function attachmentsOf(attachments: Json): {
  readonly made: readonly ToolAttachment[];
  readonly missing: readonly string[];
} {
  const made: ToolAttachment[] = [];
  const missing: string[] = [];
  for (const each of Array.isArray(attachments) ? attachments : [attachments]) {
    const { data: part } = filePartSchema.safeParse(each);
    const bytes = part && bytesOf(part.url);
    if (part && bytes)
      made.push({
        mediaType: part.mime,
        bytes,
        ...(part.filename !== undefined && { filename: part.filename }),
      });
    else missing.push(leftOut(part));
  }
  return { made, missing };
}

function leftOut(part: z.output<typeof filePartSchema> | undefined): string {
  if (!part) return '[an attachment is left out: it has no mime and url]';
  const name = part.filename ?? part.url.slice(0, URL_CHARACTERS);
  return `[the attachment ${name} of type ${part.mime} is left out: only data URLs with base64 are attached]`;
}

function bytesOf(url: string): Uint8Array<ArrayBuffer> | undefined {
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  try {
    return data === undefined ? undefined : fromBase64(data);
  } catch {
    return undefined;
  }
}
