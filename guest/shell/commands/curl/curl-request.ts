import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { formOf } from './curl-form.ts';
import { decode, encode, joined, readAll, readBytes } from '../../kit/io.ts';
import { valueOf, type Options } from '../../kit/options.ts';

/** A request of curl, which redirects change. */
export interface CurlRequest {
  url: string;
  method: string;
  readonly headers: [string, string][];
  body: Uint8Array | null;
}

/** Parses an address; undefined where it is not an HTTP address. A missing scheme means http. */
export function urlOf(given: string): URL | undefined {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

/** Makes the request that the options describe. */
export async function curlRequestOf(call: ProgramCall, options: Options, url: string): Promise<CurlRequest> {
  const headers: [string, string][] = [
    ['Host', new URL(url).host],
    ['User-Agent', valueOf(options, 'A') ?? 'curl/7.88.1'],
    ['Accept', '*/*'],
  ];
  const set = (name: string, value: string) => {
    const at = headers.findIndex(([each]) => each.toLowerCase() === name.toLowerCase());
    if (at >= 0) headers.splice(at, 1);
    if (value !== '') headers.push([name, value]);
  };
  const pieces: Uint8Array[] = [];
  let form = false;
  for (const [name, value] of options.order) {
    if (name === 'json') {
      set('Content-Type', 'application/json');
      set('Accept', 'application/json');
    }
    if (!['d', 'data-raw', 'data-binary', 'data-urlencode', 'json'].includes(name)) continue;
    form ||= name !== 'json';
    if (pieces.length > 0 && name !== 'json') pieces.push(encode('&'));
    pieces.push(await dataOf(call, name, value));
  }
  const fields = options.order.filter(([name]) => name === 'F' || name === 'form-string');
  if (fields.length > 0 && pieces.length > 0)
    throw new Complaint('-F makes a body of its own: leave away -d and --json');
  if (form) set('Content-Type', 'application/x-www-form-urlencoded');
  if (fields.length > 0) {
    const { type, body } = await formOf(call, fields);
    set('Content-Type', type);
    pieces.push(body);
  }
  const user = valueOf(options, 'u');
  if (user !== undefined) set('Authorization', `Basic ${btoa(String.fromCharCode(...encode(user)))}`);
  const cookies = (options.values.get('b') ?? []).filter((cookie) => cookie.includes('='));
  if (cookies.length > 0) set('Cookie', cookies.join('; '));
  const referer = valueOf(options, 'e');
  if (referer !== undefined) set('Referer', referer);
  for (const header of options.values.get('H') ?? []) {
    const [, name = '', value = ''] = /^([^:;]*)[:;]\s*(.*)$/s.exec(header) ?? [];
    if (name) set(name, value);
  }
  const upload = valueOf(options, 'T');
  if (upload !== undefined)
    pieces.push(upload === '-' ? await readAll(call.stdin) : await readBytes(call, upload, 26));
  const body = pieces.length > 0 ? joined(pieces) : null;
  const usual = options.has.has('I')
    ? 'HEAD'
    : upload !== undefined
      ? 'PUT'
      : body && !options.has.has('G')
        ? 'POST'
        : 'GET';
  const method = valueOf(options, 'X') ?? usual;
  if (body && options.has.has('G')) {
    return { url: `${url}${url.includes('?') ? '&' : '?'}${decode(body)}`, method, headers, body: null };
  }
  if (body) set('Content-Length', String(body.length));
  return { url, method, headers, body };
}

async function dataOf(call: ProgramCall, name: string, value: string): Promise<Uint8Array> {
  if (name === 'data-urlencode') {
    const [, field = '', text = value] = /^([^=@]*)=([\s\S]*)$/.exec(value) ?? [];
    return encode(`${field && `${field}=`}${encodeURIComponent(text)}`);
  }
  if (name === 'data-raw' || !value.startsWith('@')) return encode(value);
  const file = value.slice(1);
  const bytes = file === '-' ? await readAll(call.stdin) : await readBytes(call, file, 26);
  // A file loses its line breaks as form data.
  return name === 'd' ? bytes.filter((byte) => byte !== 10 && byte !== 13) : bytes;
}
