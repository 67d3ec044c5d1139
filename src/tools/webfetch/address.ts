import { FaultError } from '../../base/fault.ts';
import { clip, oneLine } from '../text.ts';

/** Parses an address and changes http to https, except on this machine. Throws a fault where it is not valid. */
export function pageAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new FaultError({
      code: 'no-address',
      what: `${oneLine(clip(text, 200))} is not an address that begins with https:// or http://.`,
      next: 'Give the whole address.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new FaultError({
      code: 'address-with-password',
      what: 'The address contains a user name or password, which is not sent.',
      next: 'Leave out everything before the @.',
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) url.protocol = 'https:';
  // Rules name the host without the trailing dot.
  url.hostname = url.hostname.replace(/\.$/, '');
  url.hash = '';
  return url;
}

/**
 * The patterns that rules are checked for: the address as written, and as rules would write it, with https, without a
 * dot after the host and without needless escapes.
 */
export function addressForms(address: URL): string[] {
  const plain = new URL(address);
  if (plain.protocol === 'http:' && !isLoopback(plain)) plain.protocol = 'https:';
  plain.hostname = plain.hostname.replace(/\.$/, '');
  plain.pathname = plain.pathname.replace(/%[\da-f]{2}/gi, unescaped);
  return [...new Set([address.href, plain.href])];
}

/** Decodes an escape of a character that means the same without it. */
function unescaped(code: string): string {
  const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(char) ? char : code.toUpperCase();
}

export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** Routes an address through the person's proxy, if there is one; requests to this machine always go directly. */
export function throughProxy(url: URL, proxy: string | undefined): URL {
  if (proxy === undefined || isLoopback(url)) return url;
  return new URL(proxy.replaceAll('{url}', encodeURIComponent(url.href)));
}
