import { FaultError } from '../../base/fault.ts';
import { clip, oneLine } from '../text.ts';

/** The address that is asked for and fetched: https, except on this machine. Throws a fault where it is none. */
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
      what: 'The address holds a user name or password, which is not sent.',
      next: 'Leave out what stands before the @.',
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) url.protocol = 'https:';
  url.hash = '';
  return url;
}

export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** Through the person's proxy, if there is one; this machine is always asked directly. */
export function throughProxy(url: URL, proxy: string | undefined): URL {
  if (proxy === undefined || isLoopback(url)) return url;
  return new URL(proxy.replaceAll('{url}', encodeURIComponent(url.href)));
}
