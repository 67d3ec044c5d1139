import node from 'node:url';
import { expect, test } from 'vitest';
import { formatParts } from './format.ts';
import { Url } from './legacy-url.ts';

const PROTOCOLS = ['', 'http:', 'HTTPS:', 'file:', 'ws:', 'mailto:', 'javascript:', 'x-y.z+1:', 'http', ':'];
const SLASHES = ['', '/', '//', '///', '\\\\', '/\\', '////'];
const HOSTS = [
  '',
  'host',
  'HOST.Example:80',
  'a:b@host:8080',
  'a@b@c',
  'a%40b:c%3a@host',
  'user name@host',
  'host:',
  'host:port',
  'host:80:90',
  '[::1]:3000',
  '[::1]',
  '[::1]x',
  'bücher.example',
  '日本語.jp:8',
  'ho st',
  'h%20x',
  "h'o",
  'h*t',
  'h^t',
  '\th\nos\rt',
  `${'a'.repeat(260)}.b`,
  '0x7f.1',
];
const ENDS = [
  '',
  '/',
  '/a/b/../c',
  '?q=1&q=2&=x',
  '#hash',
  '/p?x=y#z?w#v',
  "/a b\"<>`{}|\\^'c?d 'e#f g",
  '/%zz?%zz#%zz',
  ';x/y',
  '/a\tb\nc',
  '/ä/ü?ö#ß',
  ' ',
  '\u00a0\ufeff',
  '/\\x\\?\\#\\',
  '/a@b',
  '?a@b/c',
];

/** The fields in their order, or the error. */
function shown(make: () => unknown): unknown {
  try {
    const url = make();
    if (typeof url !== 'object' || url === null) return url;
    return Object.entries(url).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? Object.entries(value) : value,
    ]);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { name, message, ...(error instanceof Error && 'code' in error && { code: error.code }) };
  }
}

function* urls(): Generator<string> {
  for (const protocol of PROTOCOLS)
    for (const slashes of SLASHES)
      for (const host of HOSTS) for (const end of ENDS) yield protocol + slashes + host + end;
}

test('parses each URL into the same parts as node', () => {
  let count = 0;
  for (const url of urls())
    for (const [query, slashes] of [
      [false, false],
      [true, true],
    ] as const) {
      count++;
      const own = shown(() => new Url().parse(url, query, slashes));
      const real = shown(() => node.parse(url, query, slashes));
      if (JSON.stringify(own) !== JSON.stringify(real)) expect(own, JSON.stringify(url)).toEqual(real);
    }
  expect(count).toBeGreaterThan(50_000);
});

const BASES = [
  '/',
  '/a/b/c',
  'a/b',
  'a',
  '.',
  '..',
  '//host/x',
  'http://host',
  'http://a:b@host:80/x/y/?q#h',
  'http://host/a/b/c/../d/.',
  'file:///a/b',
  'mailto:a@b',
  'mailto:a@b?x',
  'x:a/b/c',
  'x:/a/b',
  'x://host/a/b',
  'javascript:alert(1)',
  'ws://h//a//b',
];
const TARGETS = [
  ...BASES,
  '',
  '../..',
  './',
  '../../../../z',
  'x/./y/../z/..',
  '/..',
  '?q=2',
  '#h2',
  '?',
  '#',
  'http:',
  'http:x',
  'http:/x',
  'http:x//y',
  'https:x/y?z',
  'https://b',
  'https:',
  'https:///x//y',
  'https://user@',
  'x:c',
  'x:/c',
  'x:..',
  'mailto:c@d',
  'mailto:c',
  'file:x',
  'file://h/x',
  'y@z',
  '//a@h2/x',
  '//h2',
  '/a//b/',
  'javascript:x',
  'a b',
];

/** The types of node leave it out. */
const resolveObject: (from: string, to: string) => unknown = Reflect.get(node, 'resolveObject');

test('resolves each pair as node does', () => {
  for (const base of BASES)
    for (const target of TARGETS) {
      const why = `${base} ${target}`;
      const own = new Url().parse(base, false, true);
      expect(
        shown(() => own.resolveObject(target)),
        why,
      ).toEqual(shown(() => resolveObject(base, target)));
      expect(own.resolve(target), why).toBe(node.resolve(base, target));
    }
});

test.each([
  { protocol: 'http', host: 'a.b', pathname: 'x?y#z', search: 'q=#1', hash: 'h' },
  { protocol: 'https:', hostname: '::1', port: 80, auth: 'a b:c/d@é' },
  { protocol: 'file', pathname: '/x' },
  { protocol: 'x', slashes: true, hostname: 'h', pathname: 'p' },
  { hostname: 'h', pathname: 'p', query: { a: [1, 'b c'], d: '' } },
  { query: { a: 1 }, search: '?own' },
  { auth: 'a', pathname: '/x' },
  { protocol: 'mailto', auth: "!'()*-._~:", host: 'h' },
  { hash: '#x', search: '?' },
  {},
])('formats %j as node does', (parts) => {
  expect(formatParts(parts as object)).toBe(node.format(parts as object));
});
