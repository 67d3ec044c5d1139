import { escape, stringify } from '../querystring.ts';
import { isBracketed, isSlashed, type Parts } from './parts.ts';

/** Joins the parts of a URL, of which any may be missing. */
export function formatParts(url: Partial<Parts>): string {
  let protocol = url.protocol || '';
  if (protocol !== '' && !protocol.endsWith(':')) protocol += ':';
  let pathname = (url.pathname || '').replace(/[#?]/g, (char) => (char === '#' ? '%23' : '%3F'));
  let host = hostText(url);
  if (url.slashes || isSlashed(protocol)) {
    if (url.slashes || host !== '') {
      if (pathname !== '' && !pathname.startsWith('/')) pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol.startsWith('file')) host = '//';
  }
  const query = typeof url.query === 'object' && url.query !== null ? stringify(url.query) : '';
  const search = (url.search || (query && `?${query}`)).replaceAll('#', '%23');
  return protocol + host + pathname + led('?', search) + led('#', url.hash || '');
}

function hostText({ auth, host, hostname, port }: Partial<Parts>): string {
  const before = auth ? `${escape(auth).replaceAll('%3A', ':')}@` : '';
  if (host) return before + host;
  if (!hostname) return '';
  const shown = hostname.includes(':') && !isBracketed(hostname) ? `[${hostname}]` : hostname;
  return before + shown + (port ? `:${port}` : '');
}

function led(mark: string, text: string): string {
  return text === '' || text.startsWith(mark) ? text : mark + text;
}
