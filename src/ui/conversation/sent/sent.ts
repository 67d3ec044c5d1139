import type { Attachment } from '../../../session/log/events.ts';
import type { ToolPart } from '../../../session/log/state.ts';
import { attachedIn, isPicture, type AttachedFile } from '../composer/attach/attached.ts';

/** A file that a message of the person names and that went along with it. */
export interface SentFile extends AttachedFile {
  /** Its content as the model got it; absent if it was text, or has not been read yet. */
  readonly sent: Attachment | undefined;
  readonly isPicture: boolean;
}

/** The files that a message attaches, with what the calls that belong to it read of them. */
export function sentWith(text: string, calls: readonly ToolPart[]): readonly SentFile[] {
  const read = new Map(calls.map((call) => [pathOf(call), call]));
  const seen = new Set<string>();
  return attachedIn(text).flatMap((file): readonly SentFile[] => {
    if (seen.has(file.path)) return [];
    seen.add(file.path);
    return [{ ...file, sent: read.get(file.path)?.attachments?.[0], isPicture: isPicture(file) }];
  });
}

function pathOf({ input }: ToolPart): unknown {
  return typeof input === 'object' && input !== null && 'filePath' in input ? input.filePath : undefined;
}
