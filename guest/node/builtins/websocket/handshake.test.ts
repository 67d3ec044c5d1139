import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { LoadBuiltin } from '../builtin.ts';
import { bytesOf, closeBytes, textOf } from './data.ts';
import { answerFault, headersOf, makeOffer, protocolsOf, urlOf } from './handshake.ts';

const load = ((name: string) => (name === 'crypto' ? { createHash } : {})) as LoadBuiltin;

/** The example of RFC 6455, section 1.3. */
const OFFER = { key: 'dGhlIHNhbXBsZSBub25jZQ==', protocols: ['chat'] };
const ACCEPT = { 'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=' };

test('an answer must have the hash of the key, no extensions, and a protocol that was offered', () => {
  expect(answerFault(load, { headers: ACCEPT }, OFFER)).toBeUndefined();
  expect(
    answerFault(load, { headers: { ...ACCEPT, 'sec-websocket-protocol': 'chat' } }, OFFER),
  ).toBeUndefined();
  expect(answerFault(load, { headers: {} }, OFFER)).toContain('Sec-WebSocket-Accept');
  expect(answerFault(load, { headers: { ...ACCEPT, 'sec-websocket-extensions': 'x' } }, OFFER)).toContain(
    'Extensions',
  );
  expect(answerFault(load, { headers: { ...ACCEPT, 'sec-websocket-protocol': 'other' } }, OFFER)).toContain(
    'Protocol',
  );
});

test('each offer has a key of its own of sixteen bytes, which its headers carry', () => {
  const [first, second] = [makeOffer(['a', 'b']), makeOffer([])];
  expect(atob(first.key)).toHaveLength(16);
  expect(first.key).not.toBe(second.key);
  const headers = headersOf('localhost:8080', first);
  expect(headers[headers.indexOf('sec-websocket-key') + 1]).toBe(first.key);
  expect(headers[headers.indexOf('sec-websocket-protocol') + 1]).toBe('a, b');
  expect(headersOf('localhost:8080', second)).not.toContain('sec-websocket-protocol');
});

test('addresses and protocols are checked as in browsers', () => {
  expect(urlOf('http://localhost:1/x').href).toBe('ws://localhost:1/x');
  for (const wrong of ['ftp://localhost', 'ws://localhost/#part', 'no address'])
    expect(() => urlOf(wrong)).toThrow(DOMException);
  expect(protocolsOf('chat')).toEqual(['chat']);
  for (const wrong of [['a', 'A'], ['with space'], ''])
    expect(() => protocolsOf(wrong)).toThrow(DOMException);
});

test('a close frame holds a code that programs may use, and a reason that fits', () => {
  expect([...closeBytes(1000, 'é')]).toEqual([0x03, 0xe8, 0xc3, 0xa9]);
  expect([...closeBytes(undefined, '')]).toEqual([]);
  for (const code of [999, 1001, 2999, 5000]) expect(() => closeBytes(code, '')).toThrow('invalid code');
  expect(() => closeBytes(1000, 'é'.repeat(62))).toThrow('received 124');
});

test('text is sent as text, views as their own bytes, and text that is no UTF-8 is refused', () => {
  expect(bytesOf('é')[1]).toEqual(Uint8Array.of(0xc3, 0xa9));
  expect(bytesOf(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))[1]).toEqual(Uint8Array.of(2, 3));
  expect(() => textOf(Uint8Array.of(0xff))).toThrow('invalid UTF-8');
});
