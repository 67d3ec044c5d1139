import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AllowedHosts, hostsIn } from './hosts.ts';

const own = new URL('https://vitrine.example/app/');
const allowed = (lines: string, url: string, page = own) =>
  new AllowedHosts(hostsIn(lines, page), page).allows(new URL(url));

test('hosts are stored in the spelling of an address, each once', () => {
  const text =
    ' API.Example.com \n\n*.Example.org:8443\nbücher.example\nexample.com.\n10.0.0.1\n0x7f.1:81\r\napi.example.com\nnas:080';
  expect(hostsIn(text, own)).toEqual([
    'api.example.com',
    '*.example.org:8443',
    'xn--bcher-kva.example',
    'example.com',
    '10.0.0.1',
    '127.0.0.1:81',
    'nas:80',
  ]);
});

test.each([
  ['https://api.example.com/v1', 'only the host is named, which is api.example.com.'],
  ['https://user:pass@example.com', 'only the host is named, which is example.com.'],
  ['example.com/path', 'only the host is named, which is example.com.'],
  ['user@example.com', 'only the host is named, which is example.com.'],
  ['*', 'not the name of a host'],
  ['*.com', 'too many hosts'],
  ['*.10.0.0.1', 'nothing is below an address'],
  ['*.*.example.com', 'not the name of a host'],
  ['api.*.example.com', 'not the name of a host'],
  ['example.com; script-src *', 'not the name of a host'],
  ["example.com;script-src'unsafe-eval'", 'not the name of a host'],
  ['a.com b.com', 'not the name of a host'],
  ['a.com,b.com', 'not the name of a host'],
  ['example..com', 'not the name of a host'],
  ['1.2.3.4.5', 'not the name of a host'],
  ['example.com:', 'the port is a number'],
  ['example.com:0', 'the port is a number'],
  ['example.com:65536', 'the port is a number'],
  ['example.com:http', 'an IPv6 address'],
  ['[::1]:80', 'an IPv6 address'],
  ['::1', 'an IPv6 address'],
  ['localhost', 'the workspace itself'],
  ['127.1', 'the workspace itself'],
  ['*.localhost', 'too many hosts'],
  ['*.app.localhost:81', 'the workspace itself'],
  ['0:81', 'use localhost'],
  ['Vitrine.example.', 'Vitrine itself'],
  ['vitrine.example:443', 'Vitrine itself'],
])('%s is not a host: %s', (line, why) => {
  expect(() => hostsIn(`example.net\n${line}`, own)).toThrow(`Line 2, ${line}: `);
  expect(() => hostsIn(`example.net\n${line}`, own)).toThrow(why);
});

test('a pattern that covers the page itself is refused', () => {
  const page = new URL('https://me.github.io/vitrine/');
  expect(() => hostsIn('*.github.io', page)).toThrow('Vitrine itself');
  expect(hostsIn('*.github.io:8443', page)).toEqual(['*.github.io:8443']);
  const local = new URL('http://localhost:4173/');
  expect(() => hostsIn('127.0.0.1:4173', local)).toThrow('Vitrine itself');
  expect(hostsIn('127.0.0.1:4174', local)).toEqual(['127.0.0.1:4174']);
  const dotted = new URL('https://vitrine.example./');
  expect(() => hostsIn('vitrine.example', dotted)).toThrow('Vitrine itself');
  expect(() => hostsIn('*.example.org', new URL('https://a.example.org./'))).toThrow('Vitrine itself');
});

test.each([
  ['example.com', 'https://example.com/x', true],
  ['example.com', 'http://EXAMPLE.com/x', true],
  ['example.com', 'https://example.com./x', true],
  ['example.com', 'https://example.com../x', false],
  ['example.com', 'https://user:pass@example.com/', true],
  ['example.com', 'https://example.com@evil.com/', false],
  ['example.com', 'https://example.com:8443/', false],
  ['example.com', 'http://example.com:443/', false],
  ['example.com', 'https://www.example.com/', false],
  ['example.com', 'https://example.com.evil.com/', false],
  ['example.com', 'https://notexample.com/', false],
  ['example.com', 'ftp://example.com/', false],
  ['example.com', 'wss://example.com/', false],
  ['example.com:8443', 'https://example.com:8443/', true],
  ['example.com:8443', 'https://example.com/', false],
  ['example.com:443', 'https://example.com/', true],
  ['example.com:443', 'http://example.com/', false],
  ['*.example.com', 'https://a.b.example.com/', true],
  ['*.example.com', 'https://example.com/', false],
  ['*.example.com', 'https://badexample.com/', false],
  ['*.example.com', 'https://a.example.com.evil.com/', false],
  ['bücher.example', 'https://xn--bcher-kva.example/', true],
  ['bücher.example', 'https://BÜCHER.example/', true],
  ['example.com', 'https://ехample.com/', false],
  ['10.0.0.1', 'http://10.1/', true],
  ['10.0.0.1', 'http://10.0.0.2/', false],
  ['example.com', 'http://[::1]/', false],
  ['example.com', 'http://[::ffff:10.0.0.1]/', false],
  ['10.0.0.1', 'http://[::ffff:10.0.0.1]/', false],
  ['127.0.0.1:81', 'http://2130706433:81/', true],
  ['127.0.0.1:81', 'http://localhost:81/', false],
  ['', 'https://example.com/', false],
])('with %s, %s is allowed: %s', (lines, url, is) => {
  expect(allowed(lines, url)).toBe(is);
});

test('a stored line that is not a host, or names the page itself, allows nothing', () => {
  const hosts = new AllowedHosts(['*', 'vitrine.example', '*.example', 'a.com; connect-src *'], own);
  expect(hosts.sources).toBe("'none'");
  for (const url of ['https://vitrine.example/', 'https://a.com/', 'https://b.example/'])
    expect(hosts.allows(new URL(url))).toBe(false);
});

test('the hosts can be written as a content security policy', () => {
  expect(new AllowedHosts(['example.com', '*.example.org:8443'], own).sources).toBe(
    'https://example.com http://example.com https://*.example.org:8443 http://*.example.org:8443',
  );
});

test('any input gives only plain sources, and parsing them again gives the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a1.*:/@-_[] ;,\'"\\%ü\tA') }), (line) => {
      let hosts: string[];
      try {
        hosts = hostsIn(line, own);
      } catch {
        return;
      }
      expect(hostsIn(hosts.join('\n'), own)).toEqual(hosts);
      for (const source of new AllowedHosts(hosts, own).sources.split(' '))
        expect(source).toMatch(/^('none'|https?:\/\/(\*\.)?[a-z\d_.-]+(:\d+)?)$/);
    }),
    { numRuns: 2000 },
  );
});
