import { afterEach, beforeEach, expect, test } from 'vitest';
import { endPick, pick, point } from './pick.ts';
import { nameOf } from './roles.ts';

/** The fields of a form are members of it by their names, in place of those that every element has. */

const page = document.createElement('main');
beforeEach(() => document.body.prepend(page));
afterEach(() => page.remove());

test('a form is picked although its fields have the names of members', async () => {
  page.innerHTML =
    '<form id="order" aria-label="Order"><input name="attributes"><input name="labels"></form>';
  const picked = pick();
  point('next');
  expect(point('next')).toBe('form "Order"');
  endPick(true);
  expect(JSON.parse(await picked)).toMatchObject({
    ...{ selector: '#order', role: 'form', name: 'Order' },
    html: expect.stringContaining('<form id="order" aria-label="Order">'),
  });
});

test('a form with a field for labels has a name', () => {
  page.innerHTML = '<form title="Issue"><input name="labels"></form>';
  const [form] = page.getElementsByTagName('form');
  expect(form && nameOf(form, 'form')).toBe('Issue');
});

test('an element that cannot be described ends the pick with the reason', async () => {
  page.innerHTML = '<form aria-label="Order"><input name="getAttributeNames"></form>';
  const picked = pick();
  point('next');
  point('next');
  endPick(true);
  await expect(picked).rejects.toThrow('getAttributeNames');
});
