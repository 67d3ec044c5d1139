import { FaultError } from '../../base/fault.ts';
import { clip, oneLine } from '../text.ts';

export type PatchLine = { readonly kind: 'keep' | 'remove' | 'add'; readonly text: string };

export interface Chunk {
  /** Lines that must come before the chunk, in this order: `@@ class A`, `@@ def b`. */
  readonly contexts: readonly string[];
  readonly lines: readonly PatchLine[];
  /** Whether its lines are at the end of the file. */
  readonly atEnd: boolean;
}

export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly chunks: readonly Chunk[];
    };

const HEADER = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const END_OF_FILE = '*** End of File';
/** Line ranges that other patch formats write after `@@`. They are ignored, as models often get the numbers wrong. */
const RANGES = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** Throws a fault that names the first line which is not valid. */
export function parsePatch(text: string): readonly FileChange[] {
  const lines = new Lines(envelope(text));
  const changes: FileChange[] = [];
  while (lines.skipBlank()) {
    const header = HEADER.exec(lines.take().trimEnd());
    if (!header)
      throw lines.unexpected('a line "*** Add File: …", "*** Update File: …" or "*** Delete File: …"');
    const path = (header[2] ?? '').trim();
    if (header[1] === 'Add') changes.push({ kind: 'add', path, lines: addedLines(lines) });
    else if (header[1] === 'Delete') changes.push({ kind: 'delete', path });
    else changes.push(update(path, lines));
  }
  if (changes.length === 0) throw notPatch('The patch names no file. Nothing was changed.');
  return changes;
}

/** The lines between Begin and End; anything around them, such as a shell's here-document, is dropped. */
function envelope(text: string): readonly string[] {
  const all = text.trim().split(/\r?\n/);
  const start = all.findIndex((line) => line.trim() === '*** Begin Patch');
  const end = all.findLastIndex((line) => line.trim() === '*** End Patch');
  if (start < 0 || end < start)
    throw notPatch(
      'patchText must begin with "*** Begin Patch" and end with "*** End Patch". Nothing was changed.',
    );
  return all.slice(start + 1, end);
}

class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get next(): string | undefined {
    return this.#lines[this.#at];
  }

  /** Whether the lines of the current file end here. */
  get closed(): boolean {
    const { next } = this;
    return next === undefined || HEADER.test(next.trimEnd());
  }

  take(): string {
    return this.#lines[this.#at++] ?? '';
  }

  /** Returns false at the end. */
  skipBlank(): boolean {
    while (this.next?.trim() === '') this.#at++;
    return this.next !== undefined;
  }

  unexpected(expected: string): FaultError {
    const line = this.#lines[this.#at - 1] ?? '';
    return notPatch(
      `Line ${this.#at + 1} of the patch is "${oneLine(clip(line, 120))}", where ${expected} is expected. Nothing was changed.`,
    );
  }
}

function addedLines(lines: Lines): readonly string[] {
  const added: string[] = [];
  let blank = 0;
  while (!lines.closed) {
    const line = lines.take();
    if (line === '') blank++;
    else if (line.startsWith('+')) {
      // An empty line between added lines can only be an added line without its sign.
      added.push(...Array.from({ length: blank }, () => ''), line.slice(1));
      blank = 0;
    } else throw lines.unexpected('a line of the new file, with "+" in front,');
  }
  return added;
}

function update(path: string, lines: Lines): FileChange {
  const move = MOVE.exec(lines.next?.trimEnd() ?? '');
  if (move) lines.take();
  const chunks: Chunk[] = [];
  let contexts: string[] = [];
  let open: PatchLine[] = [];
  /** How many lines at the end of `open` were empty, without even the space of a kept line. */
  let bare = 0;
  const close = (atEnd: boolean) => {
    // Before the next file such lines only separate the files.
    const body = lines.closed ? open.slice(0, open.length - bare) : open;
    if (body.length > 0) {
      chunks.push({ contexts, lines: body, atEnd });
      contexts = [];
    }
    open = [];
    bare = 0;
  };
  while (!lines.closed) {
    const line = lines.take();
    if (line.trimEnd() === END_OF_FILE) close(true);
    else if (line.startsWith('@@')) {
      close(false);
      const context = line.slice(2).replace(/^ /, '');
      if (context.trim() !== '' && !RANGES.test(context)) contexts.push(context);
    } else {
      const kind = KINDS[line.charAt(0)];
      if (!kind) throw lines.unexpected('"@@" or a line that begins with " ", "-" or "+"');
      open.push({ kind, text: line.slice(1) });
      bare = line === '' ? bare + 1 : 0;
    }
  }
  close(false);
  if (contexts.length > 0)
    throw notPatch(`The last "@@" for ${oneLine(path)} has no lines below it. Nothing was changed.`);
  if (chunks.length === 0 && !move)
    throw notPatch(`The patch changes nothing in ${oneLine(path)}. Nothing was changed.`);
  const moveTo = move?.[1]?.trim();
  return { kind: 'update', path, chunks, ...(moveTo !== undefined && { moveTo }) };
}

/** An empty line counts as a kept empty line without its space. */
const KINDS: Readonly<Record<string, PatchLine['kind']>> = {
  '': 'keep',
  ' ': 'keep',
  '-': 'remove',
  '+': 'add',
};

function notPatch(what: string): FaultError {
  return new FaultError({
    code: 'no-patch',
    what,
    next: 'Write the whole patch again in the form that the tool describes.',
  });
}
