import { FaultError } from '../base/fault.ts';
import { hashBytes, type Hash } from '../base/hash.ts';
import { ROOT } from '../base/places.ts';
import { visibilityTest } from '../workspace/visibility.ts';
import { WorkspaceError } from '../workspace/workspace.ts';
import { decodeExactly, decodeLoosely } from './decode.ts';
import { diffOf, type FileDiff } from './diff.ts';
import { inWords, literal, type Place } from './places.ts';
import { oneLine } from './text.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** A file that keeps changing under a call is given up after this many attempts. */
const ATTEMPTS = 8;

export interface Present {
  /** `null` where there is no file. */
  readonly hash: Hash | null;
  readonly bytes: Uint8Array | null;
}

/** What a change makes of the file, or the text that says why nothing is to be done. */
export type Change =
  | { readonly before: string | null; readonly after: string; readonly said: string }
  | { readonly unchanged: string };

/**
 * Asks for a change with its real diff and makes it. Only what was read may be changed. While the person thinks, the
 * file may change: then the change is worked out anew, and asked for again if the diff that was shown is no longer
 * true. The write itself goes through only on the content that it was worked out from.
 */
export async function change(
  context: ToolContext,
  place: Place & { kind: 'file' },
  plan: (present: Present) => Change,
): Promise<ToolResult> {
  const { path, title } = place;
  // What was read was allowed to be.
  if (context.reads.seen(path) === undefined) await askForHidden(context, place.patterns);
  const release = await context.lock(path);
  try {
    let allowed: string | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const present = await presentAt(context, path);
      if (attempt === 0) mustBeSeen(context, present, path, title);
      const planned = plan(present);
      if ('unchanged' in planned) return { title, output: planned.unchanged, metadata: { truncated: false } };
      const diff = await diffOf(title, planned.before, planned.after);
      if (diff.patch !== allowed) {
        await ask(context, place, diff);
        allowed = diff.patch;
        if ((await presentAt(context, path)).hash !== present.hash) continue;
      }
      const bytes = new TextEncoder().encode(planned.after);
      if (!(await write(context, path, bytes, present.hash))) continue;
      context.reads.record(path, hashBytes(bytes));
      return resultOf(title, planned, diff);
    }
  } finally {
    release();
  }
  throw new FaultError({
    code: 'keeps-changing',
    what: `${oneLine(title)} kept changing while it was to be changed. Nothing was written.`,
    next: 'Read it again, and find out what else is writing to it.',
  });
}

/**
 * As reading, that is asked for where it is hidden, and before it is looked at: an answer must not tell whether the
 * file is there, nor what stands in it.
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

export async function presentAt(context: ToolContext, path: string): Promise<Present> {
  return inWords(path, async () => {
    const stat = await context.workspace.files.stat(path);
    if (!stat) return { hash: null, bytes: null };
    if (stat.type === 'directory') throw new WorkspaceError('EISDIR', path);
    const bytes = await context.workspace.files.read(path, { real: true });
    return { hash: hashBytes(bytes), bytes };
  });
}

export function mustBeSeen(context: ToolContext, { hash }: Present, path: string, title: string): void {
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
          next: 'Read it again and work from what is there now.',
        },
  );
}

async function ask(context: ToolContext, place: Place & { kind: 'file' }, diff: FileDiff): Promise<void> {
  await context.ask({
    permission: 'edit',
    patterns: place.patterns,
    always: ['*'],
    subject: { kind: 'diff', path: place.title, diff: diff.patch },
  });
}

/** False where the file is no longer what it was. */
async function write(
  context: ToolContext,
  path: string,
  bytes: Uint8Array,
  expect: Hash | null,
): Promise<boolean> {
  try {
    await inWords(path, () => context.workspace.files.write(path, bytes, { expect, real: true }));
    return true;
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'ECHANGED') return false;
    throw error;
  }
}

function resultOf(
  title: string,
  planned: { before: string | null; said: string },
  diff: FileDiff,
): ToolResult {
  const { patch, additions, deletions } = diff;
  return {
    title,
    output: planned.said,
    metadata: {
      truncated: false,
      diff: patch,
      filediff: { file: title, additions, deletions },
      exists: planned.before !== null,
    },
  };
}

/** The text of a file that is to be edited in place: what is not UTF-8 would be damaged by that. */
export function editableText(bytes: Uint8Array, title: string): string {
  const text = decodeExactly(bytes);
  if (text !== undefined) return text;
  throw new FaultError({
    code: 'not-text',
    what: `${oneLine(title)} is not UTF-8 text and would be damaged by an edit. Nothing was changed.`,
    next: 'Change it with a shell command.',
  });
}

/** The text of a file that is to be replaced, for its diff. */
export function replacedText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : (decodeExactly(bytes) ?? decodeLoosely(bytes));
}
