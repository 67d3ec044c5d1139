interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly httpOnly: boolean;
  /** Milliseconds since the epoch; undefined for as long as the preview lives. */
  readonly expires: number | undefined;
}

const MOST_COOKIES = 300;
const LONGEST = 4096;

/**
 * The cookies of a workspace's servers. Browsers give and take none for answers that a page makes up itself, so the preview
 * keeps its own. As on a machine, all ports share them. Rules for other sites do not apply: there are none.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes a `Set-Cookie`, or with `byScript` what a script gave to `document.cookie`. Returns whether anything changed. */
  set(text: string, requestPath: string, byScript = false): boolean {
    const [pair = '', ...rest] = text.split(';');
    const equals = pair.indexOf('=');
    const name = equals < 0 ? '' : pair.slice(0, equals).trim();
    if (name === '' || text.length > LONGEST) return false;
    const attributes = new Map(rest.map((each) => attribute(each)));
    if (attributes.has('domain') && !/^\.?(localhost|127\.0\.0\.1|)$/i.test(attributes.get('domain') ?? ''))
      return false;
    const given = attributes.get('path') ?? '';
    const path = given.startsWith('/') ? given : folderOf(requestPath);
    const key = `${name};${path}`;
    const known = this.#cookies.get(key);
    if (byScript && (attributes.has('httponly') || known?.httpOnly)) return false;
    const expires = this.#expiry(attributes);
    this.#cookies.delete(key);
    if (expires === undefined || expires > this.#now())
      this.#cookies.set(key, {
        name,
        value: pair.slice(equals + 1).trim(),
        path,
        httpOnly: attributes.has('httponly'),
        expires,
      });
    for (const oldest of this.#cookies.keys()) {
      if (this.#cookies.size <= MOST_COOKIES) break;
      this.#cookies.delete(oldest);
    }
    return true;
  }

  /** The cookies for a path, as a `Cookie` header has them; with `forScript`, those that scripts may see. Empty for none. */
  header(path: string, forScript = false): string {
    const now = this.#now();
    const matching = [...this.#cookies.values()].filter(
      (each) =>
        covers(each.path, path) &&
        !(forScript && each.httpOnly) &&
        (each.expires === undefined || each.expires > now),
    );
    // Longer paths come first.
    matching.sort((one, other) => other.path.length - one.path.length);
    return matching.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #expiry(attributes: ReadonlyMap<string, string>): number | undefined {
    const age = attributes.get('max-age');
    if (age !== undefined && /^-?\d+$/.test(age)) return this.#now() + Number(age) * 1000;
    const date = Date.parse(attributes.get('expires') ?? '');
    return Number.isNaN(date) ? undefined : date;
  }
}

function attribute(text: string): [string, string] {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  return [name.trim().toLowerCase(), equals < 0 ? '' : text.slice(equals + 1).trim()];
}

function folderOf(path: string): string {
  const [file = ''] = path.split('?');
  return file.slice(0, Math.max(file.lastIndexOf('/'), 1)) || '/';
}

function covers(cookiePath: string, path: string): boolean {
  const [asked = ''] = path.split('?');
  if (!asked.startsWith(cookiePath)) return false;
  return asked.length === cookiePath.length || cookiePath.endsWith('/') || asked[cookiePath.length] === '/';
}
