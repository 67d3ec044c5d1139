import { messageOf } from '../../base/message-of.ts';
import { FaultError } from '../../base/fault.ts';
import { isLocalAddress, isSecureAddress, isWithoutCredentials } from '../../base/web-address.ts';
import { decodeText } from './link.ts';
import { readRecording, tooBig } from './read.ts';
import { MAX_RECORDING_BYTES, type Recording } from './recording.ts';

/**
 * The address of a recording: https, the page's own origin, or for a page of this computer other servers of it, so that
 * pages can be tried before they are published. Throws a fault for any other.
 */
export function recordingAddress(text: string, base: string): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  const page = new URL(base);
  const isOwn = url !== undefined && url.origin === page.origin && isWithoutCredentials(url);
  const isLocal = url !== undefined && isLocalAddress(url, page);
  if (url && (isSecureAddress(url) || isOwn || isLocal)) return url;
  throw new FaultError({
    code: 'recording-address',
    what: 'A recording must come from an https address or from this site.',
    where: text.slice(0, 200),
    next: 'Put it on a server with https, or open it as a file.',
  });
}

/** Fetches a recording without credentials and checks it. Rejects with a fault. */
export async function fetchRecording(
  text: string,
  base: string,
  request: typeof fetch = (...given) => fetch(...given),
): Promise<Recording> {
  const url = recordingAddress(text, base);
  let response: Response;
  try {
    response = await request(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (error) {
    throw unreachable(
      url,
      messageOf(error),
      'Check the address. The server must let every site read it: Access-Control-Allow-Origin: *',
    );
  }
  if (response.url !== '') recordingAddress(response.url, base);
  if (response.status === 404 || response.status === 410) throw missing(url, response.status);
  if (!response.ok || !response.body) {
    const why = `it answered with status ${response.status}`;
    throw unreachable(url, why, 'Check the address, or try again later.');
  }
  if (Number(response.headers.get('content-length') ?? 0) > MAX_RECORDING_BYTES) {
    void response.body.cancel().catch(() => undefined);
    throw tooBig('It is over 20 MB.');
  }
  return readRecording(await decodeText(response.body));
}

function missing(url: URL, status: number): FaultError {
  return new FaultError({
    code: 'recording-missing',
    what: `There is no recording at this address: ${url.host} answered with status ${status}.`,
    where: url.href.slice(0, 200),
    next: 'Check the address.',
  });
}

function unreachable(url: URL, why: string, next: string): FaultError {
  return new FaultError({
    code: 'recording-unreachable',
    what: `The recording could not be fetched from ${url.host}: ${why}.`,
    where: url.href.slice(0, 200),
    next,
    retryable: true,
  });
}
