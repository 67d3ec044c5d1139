import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { encode, joined, readAll, readBytes } from '../../kit/io.ts';

/** A body of multipart/form-data with the type that names its boundary. */
export interface Form {
  readonly type: string;
  readonly body: Uint8Array;
}

const TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  htm: 'text/html',
  html: 'text/html',
  pdf: 'application/pdf',
  xml: 'application/xml',
};

/** Makes the body of the fields that `-F` and `--form-string` give, each with the name of its option. */
export async function formOf(
  call: ProgramCall,
  fields: readonly (readonly [option: string, text: string])[],
): Promise<Form> {
  const random = crypto.getRandomValues(new Uint8Array(8));
  const hex = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const boundary = `${'-'.repeat(24)}${hex}`;
  const pieces: Uint8Array[] = [];
  for (const [option, text] of fields) {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new Complaint(`option -F: '${text}' has no =`);
    const part = option === 'form-string' ? { bytes: encode(value), headers: [] } : await partOf(call, value);
    const file = part.file === undefined ? '' : `; filename="${quoted(part.file)}"`;
    const lines = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${quoted(name)}"${file}`,
      ...part.headers,
      '',
      '',
    ];
    pieces.push(encode(lines.join('\r\n')), part.bytes, encode('\r\n'));
  }
  pieces.push(encode(`--${boundary}--\r\n`));
  return { type: `multipart/form-data; boundary=${boundary}`, body: joined(pieces) };
}

interface Part {
  readonly bytes: Uint8Array;
  readonly headers: readonly string[];
  readonly file?: string | undefined;
}

/** A value is a text, `@` and a file that is sent as such, or `<` and a file whose text is sent. */
async function partOf(call: ProgramCall, text: string): Promise<Part> {
  const [content = '', ...settings] = pieces(text);
  const set = new Map(
    settings.map((each) => [each.replace(/=.*$/s, '').trim(), each.replace(/^[^=]*=/, '')]),
  );
  for (const name of set.keys())
    if (name !== 'type' && name !== 'filename')
      throw new Complaint(`option -F: ';${name}' is not there, only ;type= and ;filename=`);
  const [sign] = content;
  const path = sign === '@' || sign === '<' ? plain(content.slice(1)) : undefined;
  if (path?.includes(',') && !content.includes('"'))
    throw new Complaint(`option -F: one file a field; write -F once for each, or quote the name: @"${path}"`);
  const bytes =
    path === undefined
      ? encode(plain(content))
      : path === '-'
        ? await readAll(call.stdin)
        : await readBytes(call, path, 26);
  const isFile = sign === '@' && path !== undefined;
  const name = path?.slice(path.lastIndexOf('/') + 1);
  const usual = isFile && path !== '-' ? typeFor(set.get('filename') ?? path) : undefined;
  const type = set.get('type') ?? usual;
  return {
    bytes,
    headers: type === undefined ? [] : [`Content-Type: ${plain(type)}`],
    file: set.has('filename') ? plain(set.get('filename') ?? '') : isFile ? name : undefined,
  };
}

/** The text in front of the first `;` and what stands between further ones; those in double quotes do not count. */
function pieces(text: string): string[] {
  const found = text.match(/(?:"(?:[^"\\]|\\.)*"|[^;])+/gs) ?? [];
  // A type has parameters of its own: text/plain;charset=utf-8.
  return found.reduce<string[]>((all, piece) => {
    const last = all.at(-1);
    if (last?.trim().startsWith('type=') && !/^\s*(filename|encoder|headers)=/.test(piece))
      all[all.length - 1] = `${last};${piece}`;
    else all.push(piece);
    return all;
  }, []);
}

/** Takes away double quotes around a text. */
function plain(text: string): string {
  const [, inner] = /^"((?:[^"\\]|\\.)*)"\s*$/s.exec(text) ?? [];
  return inner === undefined ? text : inner.replace(/\\(.)/gs, '$1');
}

function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function typeFor(path: string): string {
  return TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}
