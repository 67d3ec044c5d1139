import { needString } from '../internal/errors.ts';
import { formatParts } from './format.ts';
import { parseParts, splitHost } from './parse.ts';
import type { Parts } from './parts.ts';
import { resolveParts } from './resolve.ts';

/** The class of what `url.parse` returns. */
export class Url implements Parts {
  protocol: string | null = null;
  slashes: boolean | null = null;
  auth: string | null = null;
  host: string | null | undefined = null;
  port: string | null = null;
  hostname: string | null | undefined = null;
  hash: string | null = null;
  search: string | null = null;
  query: string | object | null = null;
  pathname: string | null = null;
  path: string | null = null;
  href: string | null = null;

  parse(url: unknown, parsesQuery = false, slashesDenoteHost = false): this {
    needString(url, 'url');
    parseParts(this, url, { parsesQuery, slashesDenoteHost, hostToASCII });
    this.href = this.format();
    return this;
  }

  format(): string {
    return formatParts(this);
  }

  resolve(relative: string): string {
    return this.resolveObject(new Url().parse(relative, false, true)).format();
  }

  resolveObject(relative: string | Url): Url {
    const target = typeof relative === 'string' ? new Url().parse(relative, false, true) : relative;
    const result = Object.assign(new Url(), this);
    resolveParts(result, Object.assign(new Url(), target));
    result.href = result.format();
    return result;
  }

  parseHost(): void {
    splitHost(this);
  }
}

/** Only a name outside ASCII is changed: the rest of what the URL class does to a host, node leaves out here. */
function hostToASCII(hostname: string): string {
  if (!/[^\0-\x7f]/.test(hostname)) return hostname;
  try {
    return new URL(`ws://${hostname}`).hostname;
  } catch {
    return '';
  }
}
