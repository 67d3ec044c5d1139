import { NetFailed, type NetResponse } from '../../../shared/net.ts';
import type { NetHeaders } from '../../../shared/protocol.ts';
import { fetchFrom } from '../../children.ts';
import { isFileError } from '../../files.ts';
import type { Program, ProgramCall } from '../../program.ts';
import { CookieJar } from './curl-cookies.ts';
import { curlRequestOf, urlOf, type CurlRequest } from './curl-request.ts';
import { complain, encode, joined, optionsOf, save, writing, type Writer } from '../../kit/io.ts';
import { valueOf, type Options } from '../../kit/options.ts';

const SPEC = {
  short: 'sSfiIX:H:d:o:w:LkvOA:e:u:m:GVN46#D:b:c:jF:T:',
  long: [
    'silent=s',
    'show-error=S',
    'fail=f',
    'include=i',
    'head=I',
    'request=X',
    'header=H',
    'data=d',
    'data-raw:',
    'data-binary:',
    'data-urlencode:',
    'json:',
    'output=o',
    'write-out=w',
    'location=L',
    'insecure=k',
    'verbose=v',
    'remote-name=O',
    'user-agent=A',
    'referer=e',
    'user=u',
    'max-time=m',
    'get=G',
    'compressed',
    'url:',
    'max-redirs:',
    'connect-timeout:',
    'retry:',
    'retry-delay:',
    'retry-max-time:',
    'retry-connrefused',
    'retry-all-errors',
    'fail-with-body',
    'version=V',
    'no-buffer=N',
    'ipv4=4',
    'ipv6=6',
    'progress-bar=#',
    'http1.1',
    'dump-header=D',
    'cookie=b',
    'cookie-jar=c',
    'junk-session-cookies=j',
    'form=F',
    'form-string:',
    'upload-file=T',
    'create-dirs',
    'no-progress-meter',
  ],
};

const MAX_REDIRECTS = 50;

interface Setting extends Options {
  readonly jar: CookieJar | undefined;
}

/** Makes HTTP requests to servers in the workspace and to the hosts that its programs may reach. */
export const curl: Program = writing(async (call, out) => {
  const options = optionsOf(call, SPEC, 2);
  if (options.has.has('V')) {
    await out.write('curl 7.88.1, as far as the embedded workspace has it\nProtocols: file http https\n');
    return 0;
  }
  const urls = [...(options.values.get('url') ?? []), ...options.operands];
  if (urls.length === 0) {
    await complain(call, "try 'curl --help' or 'curl --manual' for more information");
    return 2;
  }
  const jar = await CookieJar.of(call, options);
  let code = 0;
  for (const url of urls)
    code = /^file:/i.test(url)
      ? await readFile(call, out, options, url)
      : await persist(call, out, { ...options, jar }, url);
  await jar?.save(call, out, options);
  return code;
});

/** Failures that may pass: nobody listens yet, the request timed out, or the server is busy. */
const PASSING_CODES: ReadonlySet<number> = new Set([6, 28]);
const PASSING_STATUS: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

interface Attempt {
  readonly code: number;
  readonly status?: number;
}

/**
 * Implements `--retry`: tries until a request succeeds or no tries are left. Each wait is twice the one
 * before.
 */
async function persist(call: ProgramCall, out: Writer, options: Setting, url: string): Promise<number> {
  const { has } = options;
  const tries = Number(valueOf(options, 'retry') ?? 0);
  const delay = valueOf(options, 'retry-delay');
  for (let left = tries, waitMs = 1000; ; left--, waitMs *= 2) {
    const { code, status } = await transfer(call, out, options, url, left > 0);
    const isPassing =
      PASSING_CODES.has(code) ||
      (status !== undefined && PASSING_STATUS.has(status)) ||
      (code === 7 && has.has('retry-connrefused')) ||
      (code !== 0 && has.has('retry-all-errors'));
    if (left <= 0 || !isPassing || call.signal.aborted) return code;
    await pause(delay === undefined ? waitMs : Number(delay) * 1000, call.signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Reads a file of the workspace for `file://`. */
async function readFile(call: ProgramCall, out: Writer, options: Options, given: string): Promise<number> {
  const path = decodeURIComponent(given.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, ''));
  try {
    const bytes = await call.files.readFileBuffer(call.path(path));
    const target = options.has.has('O') ? path.slice(path.lastIndexOf('/') + 1) : valueOf(options, 'o');
    if (target === undefined || target === '-') await out.bytes(bytes);
    else await save(call, target, bytes);
    return 0;
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (!options.has.has('s') || options.has.has('S'))
      await complain(call, `(37) Couldn't open file ${path}`);
    return 37;
  }
}

/** With `isRepeated`, the output of a failure that may pass is not shown. */
async function transfer(
  call: ProgramCall,
  out: Writer,
  options: Setting,
  given: string,
  isRepeated: boolean,
): Promise<Attempt> {
  const started = performance.now();
  const tell = async (number: number, text: string) => {
    if (options.has.has('s') && !options.has.has('S')) return number;
    await call.stderr.write(encode(`curl: (${number}) ${text}\n`));
    return number;
  };
  const url = urlOf(given);
  if (!url) return { code: await tell(3, 'URL rejected: Malformed input to a URL function') };
  const request = await curlRequestOf(call, options, url.href);
  const mostRedirects = Number(valueOf(options, 'max-redirs') ?? MAX_REDIRECTS);
  const limit = Number(valueOf(options, 'm') ?? 0);
  let isAnswered = false;
  const signal = limit > 0 ? AbortSignal.any([call.signal, AbortSignal.timeout(limit * 1000)]) : call.signal;
  try {
    let redirects = 0;
    let response = await once(call, options, request, signal);
    for (; options.has.has('L'); redirects++) {
      const location = headerOf(response.headers, 'location');
      if (response.status < 300 || response.status > 399 || location === undefined) break;
      if (mostRedirects >= 0 && redirects >= mostRedirects) {
        const { status } = response;
        await bytesOf(response);
        const code = await tell(47, `Maximum (${mostRedirects}) redirects followed`);
        await written(out, options, response, request, 0, redirects, started, code);
        return { code, status };
      }
      if (options.has.has('i') || options.has.has('I')) await out.write(headText(response));
      await bytesOf(response);
      request.url = new URL(location, request.url).href;
      if (response.status === 303 || (response.status < 303 && request.method === 'POST')) {
        request.method = 'GET';
        request.body = null;
      }
      response = await once(call, options, request, signal);
    }
    isAnswered = true;
    const { status } = response;
    const fails = (options.has.has('f') || options.has.has('fail-with-body')) && status >= 400;
    if (isRepeated && PASSING_STATUS.has(status)) {
      await bytesOf(response);
      return { code: fails ? 22 : 0, status };
    }
    const dump = valueOf(options, 'D');
    if (dump === '-') await out.write(headText(response));
    else if (dump !== undefined) await save(call, dump, encode(headText(response)));
    const size =
      fails && !options.has.has('fail-with-body') ? 0 : await give(call, out, options, response, url);
    await written(out, options, response, request, size, redirects, started);
    const code = fails ? await tell(22, `The requested URL returned error: ${status}`) : 0;
    return { code, status };
  } catch (error) {
    let code: number;
    if (signal.aborted && !call.signal.aborted)
      code = await tell(
        28,
        `Operation timed out after ${Math.round(performance.now() - started)} milliseconds`,
      );
    else if (isAnswered && error instanceof NetFailed && error.code === 'ECONNRESET')
      code = await tell(18, 'transfer closed with outstanding read data remaining');
    else if (error instanceof NetFailed) code = await failed(error, new URL(request.url), tell);
    else throw error;
    if (!isRepeated) await written(out, options, NO_RESPONSE, request, 0, 0, started, code);
    return { code };
  }
}

const NO_RESPONSE = { status: 0, headers: [] } as const;

function failed(
  error: NetFailed,
  url: URL,
  tell: (number: number, text: string) => Promise<number>,
): Promise<number> {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  switch (error.code) {
    case 'ECONNREFUSED':
      return tell(
        7,
        `Failed to connect to ${url.hostname} port ${port} after 0 ms: Couldn't connect to server`,
      );
    case 'ENOTFOUND':
      return tell(6, `Could not resolve host: ${url.hostname}`);
    case 'ECONNRESET':
      return tell(52, 'Empty reply from server');
    case 'ETIMEDOUT':
      return tell(28, error.message);
    default:
      return tell(7, error.message);
  }
}

async function once(
  call: ProgramCall,
  options: Setting,
  request: CurlRequest,
  signal: AbortSignal,
): Promise<NetResponse> {
  const headers = withCookies(request, options.jar);
  if (options.has.has('v')) {
    const { pathname, search } = new URL(request.url);
    const lines = [
      `${request.method} ${pathname}${search} HTTP/1.1`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      '',
    ];
    await call.stderr.write(encode(lines.map((line) => `> ${line}\n`).join('')));
  }
  const response = await fetchFrom({ ...request, headers }, signal);
  options.jar?.take(new URL(request.url), response.headers);
  if (response.url !== undefined) request.url = response.url;
  if (options.has.has('v'))
    await call.stderr.write(
      encode(headText(response).replace(/\r\n/g, '\n').replace(/^/gm, '< ').replace(/< $/, '')),
    );
  return response;
}

/** The cookies that are kept stand in front of those that `-b` gives as a text. */
function withCookies({ url, headers }: CurlRequest, jar: CookieJar | undefined): [string, string][] {
  const kept = jar?.for(new URL(url)) ?? '';
  if (kept === '') return headers;
  const own = headers.find(([name]) => name === 'Cookie')?.[1];
  const others = headers.filter(([name]) => name !== 'Cookie');
  return [...others, ['Cookie', own === undefined ? kept : `${kept}; ${own}`]];
}

function headText({ status, statusText, headers }: NetResponse): string {
  const lines = [`HTTP/1.1 ${status} ${statusText}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

async function bytesOf(response: NetResponse): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  return joined(pieces);
}

/** Writes the response to its destination, and answers the number of bytes in its body. */
async function give(
  call: ProgramCall,
  out: Writer,
  options: Options,
  response: NetResponse,
  url: URL,
): Promise<number> {
  const head = options.has.has('i') || options.has.has('I') ? headText(response) : '';
  const name = options.has.has('O')
    ? url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
    : valueOf(options, 'o');
  if (name === undefined || name === '-') {
    let size = 0;
    await out.write(head);
    for await (const piece of response.body) {
      size += piece.length;
      await out.bytes(piece);
    }
    return size;
  }
  const bytes = await bytesOf(response);
  await save(call, name, joined([encode(head), bytes]));
  return bytes.length;
}

async function written(
  out: Writer,
  options: Options,
  response: Pick<NetResponse, 'status' | 'headers'>,
  request: CurlRequest,
  size: number,
  redirects: number,
  started: number,
  code = 0,
): Promise<void> {
  const format = valueOf(options, 'w');
  if (format === undefined) return;
  const values: Readonly<Record<string, string>> = {
    http_code: String(response.status).padStart(3, '0'),
    response_code: String(response.status).padStart(3, '0'),
    http_version: '1.1',
    content_type: headerOf(response.headers, 'content-type') ?? '',
    size_download: String(size),
    num_redirects: String(redirects),
    url_effective: request.url,
    url: request.url,
    method: request.method,
    scheme: request.url.startsWith('https') ? 'HTTPS' : 'HTTP',
    redirect_url: headerOf(response.headers, 'location') ?? '',
    time_total: ((performance.now() - started) / 1000).toFixed(6),
    exitcode: String(code),
  };
  const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };
  await out.write(
    format
      .replace(/\\([nrt\\])/g, (_, letter: string) => escapes[letter] ?? '')
      .replace(/%\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
      .replaceAll('%%', '%'),
  );
}

function headerOf(headers: NetHeaders, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}
