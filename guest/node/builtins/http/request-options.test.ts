import http from 'node:http';
import { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  checkRequest,
  headerPairs,
  hostHeader,
  mergeArguments,
  needTimeout,
  type RequestOptions,
} from './request-options.ts';

const usual = { protocol: 'http:' };

/** A request of the machine's own node over a connection that swallows all that is written. */
function native(options: object): http.ClientRequest {
  const socket = () => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const request = http.request({ ...options, createConnection: socket as never });
  request.on('error', () => undefined);
  return request;
}

/** The code and the message of the error, or the method, path and Host header of the request. */
function outcome(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return error instanceof Error && { code: Reflect.get(error, 'code') as unknown, message: error.message };
  }
}

test.each<[string, object]>([
  ['nothing', {}],
  ['a method in lower case', { method: 'post' }],
  ['a method that is no token', { method: 'GE T' }],
  ['a method that is a number', { method: 7 }],
  ['a path with a space', { path: '/a b' }],
  ['another protocol', { protocol: 'https:' }],
  ['a host that is a number', { host: 7 }],
  ['a hostname before a host', { hostname: 'a.test', host: 'b.test' }],
  ['an own port', { host: 'a.test', port: 8080 }],
  ['the default port', { host: 'a.test', port: 80 }],
  ['a default port of its own', { host: 'a.test', port: 81, defaultPort: 81 }],
  ['an IPv6 address', { host: '::1', port: 8080 }],
  ['an IPv6 address in brackets', { host: '[::1]' }],
  ['insecureHTTPParser as text', { insecureHTTPParser: 'yes' }],
])('%s is taken as by node', (_what, options) => {
  const ours = outcome(() => {
    const {
      method,
      path,
      host,
      options: full,
      defaultPort,
    } = checkRequest(options as RequestOptions, undefined, usual);
    return { method, path, host: hostHeader(host, full.port, defaultPort) };
  });
  const theirs = outcome(() => {
    const request = native(options);
    const found = { method: request.method, path: request.path, host: request.getHeader('host') };
    request.destroy();
    return found;
  });
  expect(ours).toEqual(theirs);
});

describe('the arguments of request()', () => {
  const url = 'http://a.test:81/x?y=1';
  const callback = () => undefined;

  test('a URL, options and a callback are merged, and options come before the URL', () => {
    const merged = mergeArguments([url, { method: 'PUT', port: 82 }, callback], urlToHttpOptions);
    expect(merged.options).toMatchObject({ hostname: 'a.test', port: 82, path: '/x?y=1', method: 'PUT' });
    expect(merged.callback).toBe(callback);
  });

  test('a callback may come second', () => {
    expect(mergeArguments([new URL(url), callback], urlToHttpOptions).callback).toBe(callback);
    expect(mergeArguments([{ path: '/' }], urlToHttpOptions)).toEqual({
      options: { path: '/' },
      callback: undefined,
    });
  });

  test('anything else is refused', () => {
    expect(() => mergeArguments([7], urlToHttpOptions)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }),
    );
  });
});

test('headers of an array are pairs, or names and values in turn', () => {
  expect(headerPairs([['a', '1'], ['b', 2]])).toEqual([['a', '1'], ['b', '2']]); // prettier-ignore
  expect(headerPairs(['a', 1, 'b', ['2', '3'], 'Cookie', ['x=1', 'y=2']])).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['b', '3'],
    ['Cookie', 'x=1; y=2'],
  ]);
});

test('a timeout is a number of milliseconds that a timer takes', () => {
  expect(needTimeout(0)).toBe(0);
  expect(needTimeout(1e12)).toBe(2 ** 31 - 1);
  expect(() => needTimeout('5')).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }));
  expect(() => needTimeout(-1)).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_RANGE' }));
});
