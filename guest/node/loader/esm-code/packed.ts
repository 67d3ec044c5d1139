import { EditedText, type Edit } from '../edits.ts';
import type { EsmCode } from './types.ts';

/** The code of a module without its source. The edits are in one list: start, end, text, start and so on. */
type PackedCode = Omit<EsmCode, 'text'> & { readonly edits: readonly (number | string)[] };

export function packEsmCode({ text, ...others }: EsmCode): Uint8Array {
  const edits = text.edits.flatMap((edit) => [edit.start, edit.end, edit.text]);
  return new TextEncoder().encode(JSON.stringify({ ...others, edits } satisfies PackedCode));
}

export function unpackEsmCode(source: string, packed: Uint8Array): EsmCode {
  const { edits, ...others } = JSON.parse(new TextDecoder().decode(packed)) as PackedCode;
  return { ...others, text: new EditedText(source, editsIn(edits)) };
}

function editsIn(packed: PackedCode['edits']): Edit[] {
  const edits: Edit[] = [];
  for (let at = 0; at < packed.length; at += 3)
    edits.push({ start: Number(packed[at]), end: Number(packed[at + 1]), text: String(packed[at + 2]) });
  return edits;
}
