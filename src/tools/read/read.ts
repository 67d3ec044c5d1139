import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { hashBytes } from '../../base/hash.ts';
import { decodeLoosely, isBinary, mediaTypeOf } from '../decode.ts';
import { builtin } from '../define.ts';
import { hiddenNote, listFiles, listOutputs, type Listing } from '../listing.ts';
import { askForOutputs, withModelFaults, literal, resolvePath, relativeToRoot } from '../paths.ts';
import { oneLine, plural } from '../text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { fittingLines } from '../truncate.ts';
import { readManifest } from './manifest.ts';
import { missing } from './missing.ts';
import { nestedInstructions } from './nested.ts';
import { MAX_LINE, pageOf } from './pages.ts';

/** The maximum size of an image or PDF for the model, in bytes. */
const MAX_ATTACHMENT = 5 * 1024 * 1024;

const parameters = z.object({
  filePath: z
    .string()
    .min(1)
    .describe('Path of the file or directory, absolute or relative to the workspace root'),
  offset: z.coerce.number().int().min(0).default(1).describe('Line to start at, from 1; 0 is the start too'),
  limit: z.coerce.number().int().min(1).default(2000).describe('How many lines to read'),
  column: z.coerce
    .number()
    .int()
    .min(1)
    .default(1)
    .describe('Character of the first line to start at, from 1, to continue a line that was cut'),
});
type Input = z.output<typeof parameters>;

/** Some models count lines from 0. */
const fromOne = (input: Input): Input => ({ ...input, offset: Math.max(input.offset, 1) });

export const readTool = builtin(readManifest, {
  description: [
    'Reads a file of the workspace. Lines come numbered as `n: text`; the numbers are not part of the file.',
    'Up to 2000 lines and 50 KB at once; longer lines are cut at 2000 characters. Read on with `offset`.',
    'Images and PDFs are shown to you; a directory is listed. A file must be read before it can be edited or overwritten.',
    'Full outputs of earlier calls are read at the `~/.opencode/truncate/…` path that the call named.',
  ].join('\n'),
  parameters,
  limits: [
    `lines cut at ${plural(MAX_LINE, 'character')}`,
    `attachments up to ${MAX_ATTACHMENT / 1024 / 1024} MiB`,
  ],
  readOnly: true,
  async execute(given, context): Promise<ToolResult> {
    const input = fromOne(given);
    const resolved = await resolvePath(context, input.filePath);
    if (resolved.kind === 'output') return readOutput(context, resolved.path, input);
    const { path, title, patterns } = resolved;
    // Asked before the file is looked at: an answer must not reveal whether it exists.
    await context.ask({
      permission: 'read',
      patterns,
      always: literal(patterns),
      subject: { kind: 'path', path: title },
    });
    const stat = await withModelFaults(input.filePath, () => context.workspace.files.stat(path));
    if (!stat) throw await missing(context, path);
    if (stat.type === 'directory') return directory(title, await listFiles(context, path), input);
    const bytes = await withModelFaults(input.filePath, () =>
      context.workspace.files.read(path, { real: true }),
    );
    const mediaType = mediaTypeOf(path);
    if (mediaType) return attach(title, mediaType, bytes, path);
    if (isBinary(path, bytes)) {
      throw new FaultError({
        code: 'binary-file',
        what: `${oneLine(title)} is a binary file (${plural(bytes.length, 'byte')}) and cannot be read as text.`,
        next: 'Look at it with a shell command, such as `file` or `od`.',
      });
    }
    context.reads.record(path, hashBytes(bytes));
    const result = page(title, decodeLoosely(bytes), input);
    const { text, loaded } = await nestedInstructions(context, path);
    if (loaded.length === 0) return result;
    return { ...result, output: result.output + text, metadata: { ...result.metadata, loaded } };
  },
});

async function readOutput(context: ToolContext, path: string, input: Input): Promise<ToolResult> {
  await askForOutputs(context, path);
  const listing = listOutputs(context, path);
  if (listing) return directory(path, listing, input);
  const text = await context.outputs.read(path);
  if (text !== undefined) return page(path, text, input);
  throw new FaultError({ code: 'not-found', what: `There is no kept output at ${oneLine(path)}.` });
}

function page(title: string, text: string, { offset, limit, column }: Input): ToolResult {
  const shown = pageOf(text, offset, limit, column);
  if (!shown) {
    const total = pageOf(text, 1, 1)?.totalLines ?? 0;
    throw new FaultError({
      code: 'past-end',
      what: `offset=${offset} is past the end of ${oneLine(title)}, which has ${plural(total, 'line')}.`,
    });
  }
  const { output, totalLines, shownLines, truncated } = shown;
  return { title, output, metadata: { totalLines, shownLines, truncated } };
}

function directory(title: string, { entries, hidden }: Listing, { offset, limit }: Input): ToolResult {
  const names = entries.map(({ name, type }) => oneLine(name) + (type === 'directory' ? '/' : ''));
  const shown = fittingLines(names.slice(offset - 1, offset - 1 + limit));
  const truncated = offset - 1 + shown.length < names.length;
  const foot = truncated
    ? `(Entries ${offset}-${offset - 1 + shown.length} of ${names.length}. Continue with offset=${offset + shown.length}.)`
    : `(${plural(names.length, 'entry', 'entries')})`;
  const output = [...shown, '', foot, hiddenNote(hidden)].filter(
    (line, index) => line !== '' || index === shown.length,
  );
  return {
    title: relativeToRoot(title),
    output: output.join('\n'),
    metadata: { totalLines: names.length, shownLines: shown.length, truncated, hidden },
  };
}

function attach(title: string, mediaType: string, bytes: Uint8Array, path: string): ToolResult {
  if (bytes.length > MAX_ATTACHMENT) {
    throw new FaultError({
      code: 'too-large',
      what: `${oneLine(title)} has ${plural(bytes.length, 'byte')}; at most ${plural(MAX_ATTACHMENT, 'byte')} can be shown.`,
    });
  }
  const filename = path.slice(path.lastIndexOf('/') + 1);
  const kind = mediaType === 'application/pdf' ? 'PDF' : 'image';
  return {
    title,
    output: `The ${kind} ${oneLine(title)} is attached.`,
    metadata: { truncated: false },
    attachments: [{ mediaType, bytes: new Uint8Array(bytes), filename }],
  };
}
