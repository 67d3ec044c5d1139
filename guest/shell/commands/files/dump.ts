import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import {
  decode,
  encode,
  joined,
  nextPiece,
  open,
  optionsOf,
  readAll,
  save,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { countOf, valueOf } from '../../kit/options.ts';
import { amountOf } from '../text/amount.ts';

/** Yields the bytes of several inputs in turn as they arrive: `most` bytes after the first `skip`. */
async function* piecesOf(
  call: ProgramCall,
  names: readonly string[],
  out: Writer,
  skip = 0,
  most = Infinity,
): AsyncGenerator<Uint8Array, void, undefined> {
  let [before, left] = [skip, most];
  for (const name of names.length > 0 ? names : ['-']) {
    const source = await open(call, name);
    while (left > 0) {
      let piece = await nextPiece(source, out);
      if (!piece) break;
      if (piece.length > before + left) {
        // The rest belongs to the next reader of the input.
        source.unread(piece.subarray(before + left));
        piece = piece.subarray(0, before + left);
      }
      const skipped = Math.min(before, piece.length);
      before -= skipped;
      left -= piece.length - skipped;
      if (piece.length > skipped) yield piece.subarray(skipped);
    }
  }
}

/** Yields rows of `width` bytes, many at a time; the last one may be short. */
async function* rowsOf(
  pieces: AsyncIterable<Uint8Array>,
  width: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    const all = joined([held, piece]);
    const cut = all.length - (all.length % width);
    held = all.subarray(cut);
    if (cut > 0) yield all.subarray(0, cut);
  }
  if (held.length > 0) yield held;
}

interface Shape {
  readonly size: number;
  readonly width: number;
  show(view: DataView, at: number): string;
}

const NAMED: Readonly<Record<number, string>> = {
  0: '\\0',
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
};
const LETTERS =
  'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(
    ' ',
  );

function shapeOf(type: string): Shape {
  const found = /^([acdfoux])([CSIL]|\d+)?z?$/.exec(type);
  if (!found) throw new Complaint(`invalid type string '${type}'`, 1);
  const letter = found[1] ?? 'o';
  if (letter === 'c')
    return {
      size: 1,
      width: 3,
      show(view, at) {
        const byte = view.getUint8(at);
        return (
          NAMED[byte] ??
          (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0'))
        );
      },
    };
  if (letter === 'a')
    return {
      size: 1,
      width: 3,
      show(view, at) {
        const byte = view.getUint8(at) & 127;
        return LETTERS[byte] ?? (byte === 127 ? 'del' : String.fromCharCode(byte));
      },
    };
  const sizes: Record<string, number> = { C: 1, S: 2, I: 4, L: 8 };
  const size = sizes[found[2] ?? ''] ?? Number(found[2] ?? (letter === 'f' ? 8 : 4));
  if (letter === 'f')
    return {
      size,
      width: size === 4 ? 15 : 24,
      show: (view, at) => String(size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true)),
    };
  const bits = size * 8;
  const base = letter === 'x' ? 16 : letter === 'o' ? 8 : 10;
  const digits =
    base === 16 ? size * 2 : base === 8 ? Math.ceil(bits / 3) : (2n ** BigInt(bits) - 1n).toString().length;
  const width = letter === 'd' ? (2n ** BigInt(bits - 1)).toString().length + 1 : digits;
  return {
    size,
    width,
    show(view, at) {
      let value = 0n;
      for (let i = size - 1; i >= 0; i--) value = value * 256n + BigInt(view.getUint8(at + i));
      if (letter === 'd') value = BigInt.asIntN(bits, value);
      const text = value.toString(base);
      return base === 10 ? text : text.padStart(digits, '0');
    },
  };
}

/** Shows bytes in octal or hexadecimal, as numbers or as characters. */
export const od = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'A:t:N:j:w:vabcdDfFhHiIlLoOsxX',
    long: ['address-radix=A', 'format=t', 'read-bytes=N', 'skip-bytes=j', 'width=w', 'output-duplicates=v'],
  });
  const old: Record<string, string> = {
    a: 'a',
    b: 'o1',
    c: 'c',
    d: 'u2',
    o: 'o2',
    s: 'd2',
    x: 'x2',
    h: 'x2',
    i: 'd4',
    l: 'd8',
    f: 'f4',
    X: 'x4',
    O: 'o4',
  };
  const types: string[] = [];
  for (const [name, value] of options.order) {
    if (name === 't') types.push(...(value.match(/[acdfoux](?:[CSIL]|\d+)?z?/g) ?? [value]));
    else if (old[name] !== undefined) types.push(old[name]);
  }
  const shapes = (types.length > 0 ? types : ['o2']).map(shapeOf);
  const skip = options.has.has('j') ? amountOf(valueOf(options, 'j') ?? '', 'argument') : 0;
  const most = options.has.has('N') ? amountOf(valueOf(options, 'N') ?? '', 'argument') : Infinity;
  const radix = valueOf(options, 'A') ?? 'o';
  const width = countOf(options, 'w') ?? 16;
  const address = (at: number) =>
    radix === 'n'
      ? ''
      : radix === 'x'
        ? at.toString(16).padStart(6, '0')
        : at.toString(radix === 'd' ? 10 : 8).padStart(7, '0');
  // The columns of several formats are aligned with each other.
  const perByte = Math.max(...shapes.map((shape) => (shape.width + 1) / shape.size));
  let previous = '';
  let repeated = false;
  let place = skip;
  for await (const bytes of rowsOf(piecesOf(call, options.operands, out, skip, most), width))
    for (let at = 0; at < bytes.length; at += width) {
      const row = new Uint8Array(width);
      const here = bytes.subarray(at, at + width);
      const start = place;
      place += here.length;
      row.set(here);
      const key = here.join();
      if (key === previous && here.length === width && !options.has.has('v')) {
        if (!repeated) await out.write('*\n');
        repeated = true;
        continue;
      }
      [previous, repeated] = [key, false];
      const view = new DataView(row.buffer);
      for (const [i, shape] of shapes.entries()) {
        let line = i === 0 ? address(start) : ' '.repeat(address(0).length);
        for (let byte = 0; byte < here.length; byte += shape.size)
          line += shape.show(view, byte).padStart(Math.round(perByte * shape.size));
        await out.write(`${line}\n`);
      }
    }
  if (radix !== 'n') await out.write(`${address(place)}\n`);
  return 0;
});

function printable(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0');

export const xxd = writing(async (call, out) => {
  const options = optionsOf(
    call,
    { short: 'prubil:s:c:g:eaE', long: [] },
    1,
    false,
    call.args.flatMap((arg) => (arg === '-ps' || arg === '-plain' ? ['-p'] : [arg])),
  );
  const { has } = options;
  const [input = '-', target] = options.operands;
  const number = (name: string) => {
    const value = valueOf(options, name);
    return value === undefined ? undefined : Number(value);
  };
  if (has.has('r')) {
    const text = decode(await readAll(await open(call, input), out));
    const bytes = has.has('p') ? pairs(text.replace(/\s+/g, '')) : fromDump(text);
    if (target === undefined) await out.bytes(bytes);
    else await save(call, target, bytes);
    return 0;
  }
  const skip = number('s') ?? 0;
  const pieces = piecesOf(call, [input], out, skip, number('l'));
  if (has.has('p')) {
    const width = number('c') ?? 30;
    for await (const rows of rowsOf(pieces, width || Infinity))
      for (let at = 0; at < rows.length; at += width || rows.length)
        await out.write(`${Array.from(rows.subarray(at, at + (width || rows.length)), hex).join('')}\n`);
    return 0;
  }
  const upper = (text: string) => (has.has('u') ? text.toUpperCase() : text);
  if (has.has('i')) {
    const name = input === '-' ? undefined : input.replace(/\W/g, '_');
    if (name) await out.write(`unsigned char ${name}[] = {\n`);
    let size = 0;
    for await (const rows of rowsOf(pieces, 12))
      for (let at = 0; at < rows.length; at += 12) {
        const row = rows.subarray(at, at + 12);
        const bytes = Array.from(row, (byte) => `0x${upper(hex(byte))}`).join(', ');
        await out.write(`${size > 0 ? ',\n' : ''}  ${bytes}`);
        size += row.length;
      }
    await out.write(`${size > 0 ? '\n' : ''}${name ? `};\nunsigned int ${name}_len = ${size};\n` : ''}`);
    return 0;
  }
  const bits = has.has('b');
  const columns = number('c') ?? (bits ? 6 : 16);
  const group = number('g') ?? (bits ? 1 : 2);
  const one = (byte: number) => (bits ? byte.toString(2).padStart(8, '0') : upper(hex(byte)));
  const full = columns * (bits ? 8 : 2) + (group > 0 ? Math.ceil(columns / group) - 1 : 0);
  let place = skip;
  for await (const rows of rowsOf(pieces, columns))
    for (let at = 0; at < rows.length; at += columns) {
      const row = rows.subarray(at, at + columns);
      let text = '';
      row.forEach((byte, i) => (text += (i > 0 && group > 0 && i % group === 0 ? ' ' : '') + one(byte)));
      await out.write(`${place.toString(16).padStart(8, '0')}: ${text.padEnd(full)}  ${printable(row)}\n`);
      place += row.length;
    }
  return 0;
});

function pairs(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/[0-9a-fA-F]{2}/g) ?? [], (pair) => parseInt(pair, 16));
}

function fromDump(text: string): Uint8Array {
  const parts = text.split('\n').map((line) => {
    const body = /^[0-9a-fA-F]+:\s?(.*)$/.exec(line)?.[1] ?? '';
    return pairs((body.split(/ {2}/)[0] ?? '').replace(/\s+/g, ''));
  });
  return joined(parts);
}

export const hexdump = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'Cn:s:vbcdox',
    long: ['canonical=C', 'length=n', 'skip=s', 'no-squeezing=v'],
  });
  const skip = countOf(options, 's') ?? 0;
  const canonical = options.has.has('C') || call.name.endsWith('hd');
  let previous = '';
  let repeated = false;
  const width = canonical ? 8 : 7;
  let place = skip;
  for await (const rows of rowsOf(piecesOf(call, options.operands, out, skip, countOf(options, 'n')), 16))
    for (let at = 0; at < rows.length; at += 16) {
      const row = rows.subarray(at, at + 16);
      const address = place.toString(16).padStart(width, '0');
      place += row.length;
      const key = row.join();
      if (key === previous && row.length === 16 && !options.has.has('v')) {
        if (!repeated) await out.write('*\n');
        repeated = true;
        continue;
      }
      [previous, repeated] = [key, false];
      if (canonical) {
        const half = (from: number) =>
          Array.from(row.subarray(from, from + 8), hex)
            .join(' ')
            .padEnd(23);
        await out.write(`${address}  ${half(0)}  ${half(8)}  |${printable(row)}|\n`);
      } else {
        let line = address;
        for (let i = 0; i < row.length; i += 2)
          line += ` ${((row[i] ?? 0) + (row[i + 1] ?? 0) * 256).toString(16).padStart(4, '0')}`;
        await out.write(`${line.padEnd(width + 40)}\n`);
      }
    }
  if (place > skip) await out.write(`${place.toString(16).padStart(width, '0')}\n`);
  return 0;
});

/** Copies blocks. */
export const dd = writing(async (call, out) => {
  const given = new Map<string, string>();
  for (const arg of call.args) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(arg) ?? [];
    if (name === '')
      throw new Complaint(`unrecognized operand '${arg}'\nTry 'dd --help' for more information.`, 1);
    given.set(name, value);
  }
  const amount = (name: string, instead: number) => {
    const text = given.get(name);
    return text === undefined
      ? instead
      : text
          .split('x')
          .reduce((product, part) => product * amountOf(part.replace(/^(\d+)c$/, '$1'), 'number'), 1);
  };
  const both = amount('bs', 0);
  const [from, to] = [both || amount('ibs', 512), both || amount('obs', 512)];
  const count = given.has('count') ? amount('count', 0) : Infinity;
  const skip = amount('skip', 0) * from;
  const seek = amount('seek', 0) * to;
  const conversions = (given.get('conv') ?? '').split(',');
  const cased = (bytes: Uint8Array) => {
    if (conversions.includes('ucase'))
      return bytes.map((byte) => (byte >= 97 && byte <= 122 ? byte - 32 : byte));
    if (conversions.includes('lcase'))
      return bytes.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
    return bytes;
  };
  const target = given.get('of');
  const gathered: Uint8Array[] = [];
  let length = 0;
  const input = given.has('if') ? [given.get('if') ?? '-'] : [];
  for await (const piece of piecesOf(call, input, out, skip, count * from)) {
    length += piece.length;
    if (target === undefined) await out.bytes(cased(piece));
    else if (target !== '/dev/null') gathered.push(cased(piece));
  }
  if (target !== undefined) {
    const path = call.path(target);
    const bytes = joined(gathered);
    const keeps = conversions.includes('notrunc') || seek > 0;
    const before =
      keeps && (await call.files.exists(path)) ? await call.files.readFileBuffer(path) : new Uint8Array();
    const end = seek + bytes.length;
    const whole = new Uint8Array(conversions.includes('notrunc') ? Math.max(before.length, end) : end);
    whole.set(before.subarray(0, whole.length));
    whole.set(bytes, seek);
    await save(call, target, whole);
  }
  const status = given.get('status');
  if (status === 'none') return 0;
  const records = (size: number) => `${Math.floor(length / size)}+${length % size === 0 ? 0 : 1}`;
  const lines = `${records(from)} records in\n${records(to)} records out\n`;
  const rate =
    status === 'noxfer' ? '' : `${length} byte${length === 1 ? '' : 's'} copied, 0.001 s, ${length} kB/s\n`;
  await out.flush();
  await call.stderr.write(encode(lines + rate));
  return 0;
});
