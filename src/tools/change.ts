import { FaultError } from '../base/fault.ts';
import { hashBytes, type Hash } from '../base/hash.ts';
import { ROOT } from '../base/places.ts';
import { visibilityTest } from '../protocol/visibility.ts';
import { WorkspaceError } from '../workspace/workspace.ts';
import { decodeExactly, decodeLoosely } from './decode.ts';
import { diffOf, type FileDiff } from './diff.ts';
import { withModelFaults, literal, type ResolvedPath } from './paths.ts';
import { oneLine } from './text.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** How often a change is retried for a file that keeps changing. */
const ATTEMPTS = 8;

export interface FileContent {
  /** `null` where there is no file. */
  readonly hash: Hash | null;
  readonly bytes: Uint8Array | null;
  /** Set where the file's mode has no write permission. */
  readonly readOnly?: boolean;
}

/** The file before and after a change, or a text that says why there is nothing to change. */
export type Change =
  | { readonly before: string | null; readonly after: string; readonly message: string }
  | { readonly unchanged: string };

/**
 * Asks permission for a change with its real diff, then makes it. Only a file that was read may be changed. If the file
 * changes while the person decides, the change is computed again, and asked for again if its diff differs. The write
 * succeeds only on the content that the change was computed from.
 */
export async function change(
  context: ToolContext,
  resolved: ResolvedPath & { kind: 'file' },
  plan: (content: FileContent) => Change,
): Promise<ToolResult> {
  const { path, title } = resolved;
  // A file that was read before needs no further permission to be read.
  if (context.reads.seen(path) === undefined) await askForHidden(context, resolved.patterns);
  const release = await context.lock(path);
  try {
    let allowed: string | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const content = await readContent(context, path);
      if (attempt === 0) assertRead(context, content, path, title);
      assertWritable(content, title);
      const planned = plan(content);
      if ('unchanged' in planned) return { title, output: planned.unchanged, metadata: { truncated: false } };
      const diff = await diffOf(title, planned.before, planned.after);
      if (diff.patch !== allowed) {
        await ask(context, resolved, diff);
        allowed = diff.patch;
        if ((await readContent(context, path)).hash !== content.hash) continue;
      }
      const bytes = new TextEncoder().encode(planned.after);
      if (!(await write(context, path, bytes, content.hash))) continue;
      context.reads.record(path, hashBytes(bytes));
      return resultOf(title, planned, diff);
    }
  } finally {
    release();
  }
  throw new FaultError({
    code: 'keeps-changing',
    what: `${oneLine(title)} kept changing during the edit. Nothing was written.`,
    next: 'Read it again, and find out what else is writing to it.',
  });
}

/**
 * Asks for read permission where the file is hidden, before the file is looked at: an answer must not reveal whether the
 * file exists or what it contains.
 */
export async function askForHidden(context: ToolContext, patterns: readonly string[]): Promise<void> {
  const isVisible = visibilityTest(context.visibility());
  const hidden = [...new Set(patterns)].filter((path) => !isVisible(`${ROOT}/${path}`));
  if (hidden.length === 0) return;
  await context.ask({
    permission: 'read',
    patterns: hidden,
    always: literal(hidden),
    subject: { kind: 'path', path: hidden.join('\n') },
  });
}

export async function readContent(context: ToolContext, path: string): Promise<FileContent> {
  return withModelFaults(path, async () => {
    const stat = await context.workspace.files.stat(path);
    if (!stat) return { hash: null, bytes: null };
    if (stat.type === 'directory') throw new WorkspaceError('EISDIR', path);
    const bytes = await context.workspace.files.read(path, { real: true });
    return { hash: hashBytes(bytes), bytes, ...((stat.mode & 0o222) === 0 && { readOnly: true }) };
  });
}

export function assertWritable(content: FileContent | undefined, title: string): void {
  if (!content?.readOnly) return;
  const name = oneLine(title);
  throw new FaultError({
    code: 'read-only',
    what: `${name} is read-only: its mode has no write permission. Nothing was changed.`,
    next: 'If it is meant to be changed, run chmod u+w on it first.',
  });
}

export function assertRead(context: ToolContext, { hash }: FileContent, path: string, title: string): void {
  if (hash === null) return;
  const seen = context.reads.seen(path);
  if (seen === hash) return;
  const name = oneLine(title);
  throw new FaultError(
    seen === undefined
      ? {
          code: 'not-read',
          what: `${name} has not been read in this session. Nothing was changed.`,
          next: 'Read it first.',
        }
      : {
          code: 'changed-since-read',
          what: `${name} has changed since it was read. Nothing was changed.`,
          next: 'Read it again and work from its current content.',
        },
  );
}

async function ask(
  context: ToolContext,
  resolved: ResolvedPath & { kind: 'file' },
  diff: FileDiff,
): Promise<void> {
  await context.ask({
    permission: 'edit',
    patterns: resolved.patterns,
    always: literal(resolved.patterns),
    subject: { kind: 'diff', path: resolved.title, diff: diff.patch },
  });
}

/** Returns false where the file has changed in the meantime. */
async function write(
  context: ToolContext,
  path: string,
  bytes: Uint8Array,
  expect: Hash | null,
): Promise<boolean> {
  try {
    await withModelFaults(path, () => context.workspace.files.write(path, bytes, { expect, real: true }));
    return true;
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'ECHANGED') return false;
    throw error;
  }
}

function resultOf(
  title: string,
  planned: { before: string | null; message: string },
  diff: FileDiff,
): ToolResult {
  const { patch, additions, deletions } = diff;
  return {
    title,
    output: planned.message,
    metadata: {
      truncated: false,
      diff: patch,
      filediff: { file: title, additions, deletions },
      exists: planned.before !== null,
    },
  };
}

/** Decodes a file that is to be edited in place. Throws where it is not UTF-8, as editing would damage it. */
export function editableText(bytes: Uint8Array, title: string): string {
  const text = decodeExactly(bytes);
  if (text !== undefined) return text;
  throw new FaultError({
    code: 'not-text',
    what: `${oneLine(title)} is not UTF-8 text and would be damaged by an edit. Nothing was changed.`,
    next: 'Change it with a shell command.',
  });
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Keeps the byte order mark of the text that is replaced. */
export function keepByteOrderMark(before: string | null, after: string): string {
  const isLost = before?.startsWith(BYTE_ORDER_MARK) === true && !after.startsWith(BYTE_ORDER_MARK);
  return isLost ? BYTE_ORDER_MARK + after : after;
}

/** Decodes a file that is to be replaced, for the diff. */
export function replacedText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : (decodeExactly(bytes) ?? decodeLoosely(bytes));
}
