import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { decode, optionsOf, readAll, writing } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';

interface Kind {
  readonly said: string;
  readonly mime: string;
  readonly charset: string;
}

const binary = (said: string, mime: string): Kind => ({ said, mime, charset: 'binary' });

export const file = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'biLhkzF:f:0Nsr',
    long: [
      'brief=b',
      'mime=i',
      'mime-type',
      'mime-encoding',
      'dereference=L',
      'no-dereference=h',
      'separator=F',
      'no-pad=N',
    ],
  });
  const { has, operands } = options;
  if (operands.length === 0) throw new Complaint('Usage: file [-bikLhNz0] [-F separator] file ...', 1);
  const widest = Math.max(...operands.map((name) => (name === '-' ? '/dev/stdin' : name).length));
  for (const operand of operands) {
    const kind = await kindOf(call, operand, has.has('L'));
    const name = operand === '-' ? '/dev/stdin' : operand;
    const shown = has.has('i')
      ? `${kind.mime}; charset=${kind.charset}`
      : has.has('mime-type')
        ? kind.mime
        : has.has('mime-encoding')
          ? kind.charset
          : kind.said;
    const pad = has.has('N') ? '' : ' '.repeat(widest - name.length);
    await out.write(has.has('b') ? `${shown}\n` : `${name}${valueOf(options, 'F') ?? ':'} ${pad}${shown}\n`);
  }
  return 0;
});

async function kindOf(call: ProgramCall, name: string, follows: boolean): Promise<Kind> {
  const path = call.path(name);
  if (name === '-') return kindOfBytes(await readAll(call.stdin));
  try {
    const found = await call.files.lstat(path);
    if (found.isSymbolicLink && !follows) {
      const leads = await call.files.stat(path).catch(() => undefined);
      const target = await call.files.readlink(path);
      return binary(`${leads ? '' : 'broken '}symbolic link to ${target}`, 'inode/symlink');
    }
    if ((found.isSymbolicLink ? await call.files.stat(path) : found).isDirectory)
      return binary('directory', 'inode/directory');
    return kindOfBytes(await call.files.readFileBuffer(path));
  } catch (error) {
    const said = `cannot open \`${name}' (${fileError(error)})`;
    return { said, mime: said, charset: said };
  }
}

function kindOfBytes(bytes: Uint8Array): Kind {
  if (bytes.length === 0) return binary('empty', 'inode/x-empty');
  const head = String.fromCharCode(...bytes.subarray(0, 512));
  return byMagic(head, bytes) ?? textKind(bytes) ?? binary('data', 'application/octet-stream');
}

function byMagic(head: string, bytes: Uint8Array): Kind | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at16 = (at: number) => (at + 2 <= bytes.length ? view.getUint16(at, true) : 0);
  const at32 = (at: number) => (at + 4 <= bytes.length ? view.getUint32(at) : 0);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) {
    const color =
      { 0: 'grayscale', 2: 'RGB', 3: 'colormap', 4: 'gray+alpha', 6: 'RGBA' }[bytes[25] ?? 0] ?? '';
    const laced = bytes[28] ? 'interlaced' : 'non-interlaced';
    return binary(
      `PNG image data, ${at32(16)} x ${at32(20)}, ${bytes[24] ?? 8}-bit/color ${color}, ${laced}`.replace(
        /-bit\/color (gray|colormap)/,
        '-bit $1',
      ),
      'image/png',
    );
  }
  if (/^GIF8[79]a/.test(head))
    return binary(`GIF image data, version ${head.slice(3, 6)}, ${at16(6)} x ${at16(8)}`, 'image/gif');
  if (head.startsWith('\xff\xd8\xff')) return binary('JPEG image data', 'image/jpeg');
  if (/^RIFF....WEBP/s.test(head)) return binary('RIFF (little-endian) data, Web/P image', 'image/webp');
  if (/^%PDF-\d\.\d/.test(head))
    return binary(`PDF document, version ${head.slice(5, 8)}`, 'application/pdf');
  if (head.startsWith('\x1f\x8b')) return binary(gzipSaid(bytes, head, view), 'application/gzip');
  if (head.startsWith('PK\x03\x04')) {
    const method = { 0: 'store', 8: 'deflate' }[at16(8)] ?? 'unknown';
    const version = `${Math.floor(at16(4) / 10)}.${at16(4) % 10}`;
    return binary(
      `Zip archive data, at least v${version} to extract, compression method=${method}`,
      'application/zip',
    );
  }
  if (head.startsWith('PK\x05\x06')) return binary('Zip archive data (empty)', 'application/zip');
  if (head.startsWith('BZh'))
    return binary(`bzip2 compressed data, block size = ${head[3] ?? ''}00k`, 'application/x-bzip2');
  if (head.startsWith('\xfd7zXZ\0')) return binary('XZ compressed data', 'application/x-xz');
  if (head.startsWith('\0asm'))
    return binary('WebAssembly (wasm) binary module version 0x1 (MVP)', 'application/wasm');
  if (head.startsWith('\x7fELF')) return binary('ELF 64-bit LSB executable', 'application/x-executable');
  if (head.startsWith('SQLite format 3\0')) return binary('SQLite 3.x database', 'application/vnd.sqlite3');
  if (head.slice(257, 262) === 'ustar')
    return binary(`POSIX tar archive${head.slice(262, 264) === '  ' ? ' (GNU)' : ''}`, 'application/x-tar');
  return undefined;
}

function gzipSaid(bytes: Uint8Array, head: string, view: DataView): string {
  const flags = bytes[3] ?? 0;
  const seconds = bytes.length >= 8 ? view.getUint32(4, true) : 0;
  const size = bytes.length >= 18 ? view.getUint32(bytes.length - 4, true) : 0;
  const name = flags & 8 ? `, was "${head.slice(10, head.indexOf('\0', 10))}"` : '';
  const [day = '', month = '', date = '', year = ''] = new Date(seconds * 1000)
    .toUTCString()
    .replace(',', '')
    .split(' ')
    .map((part, at) => (at === 1 ? part.replace(/^0/, ' ') : part));
  const time = new Date(seconds * 1000).toISOString().slice(11, 19);
  const made = seconds > 0 ? `, last modified: ${day} ${date} ${month} ${time} ${year}` : '';
  const effort = { 2: ', max compression', 4: ', max speed' }[bytes[8] ?? 0] ?? '';
  const system = bytes[9] === 3 ? ', from Unix' : '';
  return `gzip compressed data${name}${made}${effort}${system}, original size modulo 2^32 ${size}`;
}

const SCRIPTS: readonly (readonly [RegExp, said: string, mime: string])[] = [
  [/^#! ?\S*\/(?:env )?bash\b/, 'Bourne-Again shell script', 'text/x-shellscript'],
  [/^#! ?\S*\/(?:env )?(?:sh|dash)\b/, 'POSIX shell script', 'text/x-shellscript'],
  [/^#! ?\S*\/(?:env )?zsh\b/, "Paul Falstad's zsh script", 'text/x-shellscript'],
  [/^#! ?\S*\/(?:env )?node\b/, 'Node.js script', 'application/javascript'],
  [/^#! ?\S*\/(?:env )?python[\d.]*\b/, 'Python script', 'text/x-script.python'],
  [/^#! ?\S*\/(?:env )?perl\b/, 'Perl script', 'text/x-perl'],
];

function textKind(bytes: Uint8Array): Kind | undefined {
  // Text files contain only the control characters that a terminal obeys.
  if (
    bytes
      .subarray(0, 1_048_576)
      .some((byte) => byte === 127 || (byte < 32 && (byte < 7 || byte > 13) && byte !== 27))
  )
    return undefined;
  const text = decode(bytes);
  const isAscii = bytes.every((byte) => byte < 128);
  const isUtf8 = isAscii || !/(?<![\ud800-\udbff])[\udc80-\udcff]/.test(text);
  const mark = text.startsWith('\ufeff') ? ' (with BOM)' : '';
  const encoding = isAscii ? 'ASCII' : isUtf8 ? `Unicode text, UTF-8${mark}` : 'ISO-8859';
  const charset = isAscii ? 'us-ascii' : isUtf8 ? 'utf-8' : 'iso-8859-1';
  const plain = `${encoding} text`;
  const tail = linesSaid(text);
  const trimmed = text.trimStart();
  const script = SCRIPTS.find(([start]) => start.test(text));
  if (script)
    return {
      said: script[1].startsWith('Node')
        ? `${script[1]} executable, ${plain}${tail}`
        : `${script[1]}, ${plain} executable${tail}`,
      mime: script[2],
      charset,
    };
  if (/^[[{]/.test(trimmed) && isJson(text))
    return { said: 'JSON text data', mime: 'application/json', charset };
  if (/^<\?xml\b/.test(trimmed)) {
    if (/<svg\b/.test(trimmed.slice(0, 2000)))
      return { said: 'SVG Scalable Vector Graphics image', mime: 'image/svg+xml', charset };
    const version = /version=["']([\d.]+)/.exec(trimmed)?.[1] ?? '1.0';
    return { said: `XML ${version} document, ${plain}${tail}`, mime: 'text/xml', charset };
  }
  if (/^<svg\b/.test(trimmed))
    return { said: 'SVG Scalable Vector Graphics image', mime: 'image/svg+xml', charset };
  if (/^<(?:!doctype html|html|head|body|title|h1)\b/i.test(trimmed))
    return { said: `HTML document, ${plain}${tail}`, mime: 'text/html', charset };
  if (isCsv(text)) return { said: `CSV ${plain}${tail}`, mime: 'text/csv', charset };
  return { said: plain + tail, mime: 'text/plain', charset };
}

function linesSaid(text: string): string {
  const longest = Math.max(
    ...text
      .slice(0, 65_536)
      .split(/\r?\n/)
      .map((line) => line.length),
  );
  const long = longest > 300 ? `, with very long lines (${longest})` : '';
  if (!/[\r\n]/.test(text)) return `${long}, with no line terminators`;
  const ends = [
    ...(/\r\n/.test(text) ? ['CRLF'] : []),
    ...(/\r(?!\n)/.test(text) ? ['CR'] : []),
    ...(/(?<!\r)\n/.test(text) ? ['LF'] : []),
  ];
  return ends.length === 1 && ends[0] === 'LF' ? long : `${long}, with ${ends.join(', ')} line terminators`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the first lines have equally many fields, and more than one. */
function isCsv(text: string): boolean {
  const lines = text
    .split('\n')
    .slice(0, 10)
    .filter((line) => line !== '');
  const counts = new Set(lines.map((line) => line.replace(/"[^"]*"/g, '').split(',').length));
  return lines.length > 1 && counts.size === 1 && !counts.has(1);
}
