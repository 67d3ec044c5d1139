import { FaultError } from '../../base/fault.ts';

/** A host that programs may reach: an exact name, or all names below one. IP addresses are always exact. */
interface HostRule {
  /** Spelled as in `URL`, without a final dot. */
  readonly name: string;
  readonly below: boolean;
  /** Absent for the default ports of http and https. */
  readonly port: string;
}

/**
 * The hosts that the lines of a setting allow. A line that is not a host, or that names the page itself, allows
 * nothing.
 */
export class AllowedHosts {
  readonly #rules: readonly HostRule[];
  readonly #own: URL;

  constructor(lines: readonly string[], own: URL) {
    this.#own = own;
    this.#rules = lines.map((line) => parse(line, own)).filter((rule) => typeof rule !== 'string');
  }

  allows(url: URL): boolean {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
    return !isOwn(this.#own, url.hostname, portOf(url)) && this.#rules.some((rule) => covers(rule, url));
  }

  /** The hosts as sources of a content security policy, which a browser also applies to redirects. */
  get sources(): string {
    const sources = this.#rules.flatMap((rule) => {
      const place = text(rule);
      return [`https://${place}`, `http://${place}`];
    });
    return sources.length > 0 ? sources.join(' ') : "'none'";
  }
}

/**
 * Parses one host per line, skips empty lines, and returns the lines as they are stored. Throws a fault that names
 * the line.
 */
export function hostsIn(lines: string, own: URL): string[] {
  const hosts = lines.split('\n').flatMap((line, index) => {
    const given = line.trim();
    if (given === '') return [];
    const rule = parse(given, own);
    if (typeof rule !== 'string') return [text(rule)];
    throw new FaultError({
      code: 'no-host',
      what: `Line ${index + 1}, ${given.slice(0, 100)}: ${rule}`,
      next: 'Enter a host such as api.example.com, example.com:8443 or *.example.com.',
    });
  });
  return [...new Set(hosts)];
}

/** Returns the rule, or a sentence on why there is none. */
function parse(line: string, own: URL): HostRule | string {
  const [, star = '', place = '', port = ''] = /^(\*\.)?(.*?)(?::(\d*))?$/.exec(line.toLowerCase()) ?? [];
  if (/[/@?#\\]/.test(line)) return withoutTheRest(line);
  if (place.includes(':')) return 'an IPv6 address cannot be named here, only the name of its host.';
  if (line.endsWith(':') || (port !== '' && (Number(port) < 1 || Number(port) > 65535)))
    return 'the port is a number from 1 to 65535.';
  const name = URL.canParse(`http://${place}`) ? withoutDot(new URL(`http://${place}`).hostname) : '';
  if (!/^[a-z\d_-]+(\.[a-z\d_-]+)*$/.test(name)) return 'this is not the name of a host.';
  const below = star !== '';
  if (below && isAddress(name)) return 'nothing is below an address.';
  if (below && !name.includes('.')) return `*.${name} would be too many hosts.`;
  if (isLoopback(name)) {
    if (below || port === '')
      return `programs know ${name} as the workspace itself. For a server of this machine, add its port.`;
    if (name === '0.0.0.0') return 'this is no host that can be asked: use localhost.';
  }
  const rule = { name, below, port: port === '' ? '' : String(Number(port)) };
  return coversOwn(rule, own) ? 'this is where Vitrine itself comes from, which programs never reach.' : rule;
}

function withoutTheRest(line: string): string {
  const [, host] = /^(?:[a-z][a-z\d+.-]*:)?\/*(?:[^/@]*@)?([^/?#\\@]+)/i.exec(line) ?? [];
  return host && host !== line
    ? `only the host is named, which is ${host}.`
    : 'this is not the name of a host.';
}

function text({ name, below, port }: HostRule): string {
  return `${below ? '*.' : ''}${name}${port && `:${port}`}`;
}

function covers({ name, below, port }: HostRule, url: URL): boolean {
  const asked = withoutDot(url.hostname);
  if (below ? !asked.endsWith(`.${name}`) : asked !== name) return false;
  return port === '' ? url.port === '' : port === portOf(url);
}

function coversOwn(rule: HostRule, own: URL): boolean {
  const port = rule.port || (portOf(own) === '443' ? '443' : '80');
  if (isOwn(own, rule.name, port) && !rule.below) return true;
  return rule.below && covers(rule, own);
}

/** Whether this is the page's own server, under any of its names on this machine. */
function isOwn(own: URL, host: string, port: string): boolean {
  if (portOf(own) !== port) return false;
  const asked = withoutDot(host);
  const page = withoutDot(own.hostname);
  return asked === page || (isLoopback(asked) && isLoopback(page));
}

/** A name with a final dot is the same host. */
function withoutDot(name: string): string {
  return name.replace(/\.$/, '');
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function isAddress(name: string): boolean {
  return /^\d+(\.\d+){3}$/.test(name);
}

/** Whether the name belongs to the workspace's own servers or to this machine. */
export function isLoopback(name: string): boolean {
  return /^((.*\.)?localhost|127(\.\d+){3}|0\.0\.0\.0)$/.test(name);
}
