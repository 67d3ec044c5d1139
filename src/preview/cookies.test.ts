import { expect, test } from 'vitest';
import { CookieJar } from './cookies.ts';

test('cookies are given back where their path covers the address, the longest first', () => {
  const jar = new CookieJar();
  jar.set('a=1; Path=/', '/login');
  jar.set('b=2', '/shop/cart?x=/y/z');
  jar.set('c=3; path=/shop/admin; HttpOnly; Secure; SameSite=Strict', '/');
  expect(jar.header('/')).toBe('a=1');
  expect(jar.header('/shop')).toBe('b=2; a=1');
  expect(jar.header('/shopping')).toBe('a=1');
  expect(jar.header('/shop/admin/x?q')).toBe('c=3; b=2; a=1');
  expect(jar.header('/shop/admin', true)).toBe('b=2; a=1');
});

test('a cookie is replaced, and ends when it says so', () => {
  let now = 1000;
  const jar = new CookieJar(() => now);
  jar.set('a=1; Max-Age=10', '/');
  jar.set('a=2; Max-Age=10', '/');
  jar.set('b=1; Expires=Thu, 01 Jan 1970 00:00:05 GMT', '/');
  expect(jar.header('/')).toBe('a=2; b=1');
  now = 6000;
  expect(jar.header('/')).toBe('a=2');
  jar.set('a=; Max-Age=0', '/');
  expect(jar.header('/')).toBe('');
});

test('a script cannot make, change or see a cookie that is for the server only', () => {
  const jar = new CookieJar();
  expect(jar.set('s=1; HttpOnly', '/', true)).toBe(false);
  jar.set('s=1; HttpOnly', '/');
  expect(jar.set('s=2', '/', true)).toBe(false);
  expect([jar.header('/'), jar.header('/', true)]).toEqual(['s=1', '']);
});

test('what is no cookie, is for another site or is too long is left out', () => {
  const jar = new CookieJar();
  for (const text of ['', '=x', 'novalue', 'a=1; Domain=example.com', `a=${'x'.repeat(5000)}`])
    expect(jar.set(text, '/')).toBe(false);
  expect(jar.header('/')).toBe('');
  for (let index = 0; index < 400; index++) jar.set(`n${index}=1`, '/');
  expect(jar.header('/').split('; ')).toHaveLength(300);
});
