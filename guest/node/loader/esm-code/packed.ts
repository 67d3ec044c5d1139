import { EditedText, type Edit } from '../edits.ts';
import type { EsmCode } from './types.ts';

/** The code of a module without its source. The edits are in one list: start, end, text, start and so on. */
type PackedCode = Omit<EsmCode, 'text'> & { readonly edits: readonly (number | string)[] };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** The bytes before the code that say how long it is. */
const HEAD = 4;

/** Packs the code of a module, and after it the source that it was made from. */
export function packEsmCode(source: string, { text, ...others }: EsmCode): Uint8Array {
  const edits = text.edits.flatMap((edit) => [edit.start, edit.end, edit.text]);
  const code = encoder.encode(JSON.stringify({ ...others, edits } satisfies PackedCode));
  const whole = encoder.encode(source);
  const packed = new Uint8Array(HEAD + code.byteLength + whole.byteLength);
  new DataView(packed.buffer).setUint32(0, code.byteLength);
  packed.set(code, HEAD);
  packed.set(whole, HEAD + code.byteLength);
  return packed;
}

/** Returns the code, or undefined if it was made from another source. */
export function unpackEsmCode(source: string, packed: Uint8Array): EsmCode | undefined {
  const end = HEAD + new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  if (decoder.decode(packed.subarray(end)) !== source) return undefined;
  const { edits, ...others } = JSON.parse(decoder.decode(packed.subarray(HEAD, end))) as PackedCode;
  return { ...others, text: new EditedText(source, editsIn(edits)) };
}

function editsIn(packed: PackedCode['edits']): Edit[] {
  const edits: Edit[] = [];
  for (let at = 0; at < packed.length; at += 3)
    edits.push({ start: Number(packed[at]), end: Number(packed[at + 1]), text: String(packed[at + 2]) });
  return edits;
}
