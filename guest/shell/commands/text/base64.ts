import { Complaint } from '../../kit/complaint.ts';
import {
  decode,
  eachInput,
  joined,
  nextPiece,
  optionsOf,
  readAll,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';

/** The number of bytes encoded at a time, a multiple of three. */
const PIECE = 49_152;

export const base64 = writing(async (call, out) => {
  const options = optionsOf(call, { short: 'diw:', long: ['decode=d', 'ignore-garbage=i', 'wrap=w'] });
  const [, extra] = options.operands;
  if (extra !== undefined)
    throw new Complaint(`extra operand '${extra}'\nTry 'base64 --help' for more information.`, 1);
  const wrap = valueOf(options, 'w') ?? '76';
  if (!/^\d+$/.test(wrap)) throw new Complaint(`invalid wrap size: '${wrap}'`, 1);
  return eachInput(call, options.operands, async (source) => {
    if (options.has.has('d')) return decoded(decode(await readAll(source, out)), options.has.has('i'), out);
    const lines = new Lines(out, Number(wrap));
    let held = new Uint8Array();
    for (let piece = await nextPiece(source, out); piece; piece = await nextPiece(source, out)) {
      const all = joined([held, piece]);
      const whole = all.length - (all.length % 3);
      for (let at = 0; at < whole; at += PIECE)
        await lines.write(encoded(all.subarray(at, Math.min(whole, at + PIECE))));
      held = all.slice(whole);
    }
    await lines.write(encoded(held));
    await lines.end();
  });
});

function encoded(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

async function decoded(text: string, ignores: boolean, out: Writer): Promise<void> {
  const bare = ignores ? text.replace(/[^A-Za-z0-9+/=]/g, '') : text.replace(/\n/g, '');
  // The valid part before the fault is still written.
  const good = /^[A-Za-z0-9+/]*={0,2}/.exec(bare)?.[0] ?? '';
  const digits = good.replace(/=+$/, '');
  const isWhole = good.length === bare.length && good.length % 4 === 0;
  const usable = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  await out.bytes(Uint8Array.from(atob(usable), (char) => char.charCodeAt(0)));
  if (!isWhole) throw new Complaint('invalid input', 1);
}

/** Cuts text into lines of a given width; 0 means no line breaks. */
class Lines {
  readonly #out: Writer;
  readonly #width: number;
  #column = 0;

  constructor(out: Writer, width: number) {
    this.#out = out;
    this.#width = width;
  }

  async write(text: string): Promise<void> {
    if (this.#width === 0) return void (await this.#out.write(text));
    let cut = '';
    for (let at = 0; at < text.length;) {
      if (this.#column === this.#width) {
        cut += '\n';
        this.#column = 0;
      }
      const part = text.slice(at, at + this.#width - this.#column);
      cut += part;
      at += part.length;
      this.#column += part.length;
    }
    await this.#out.write(cut);
  }

  async end(): Promise<void> {
    if (this.#column > 0) await this.#out.write('\n');
  }
}
