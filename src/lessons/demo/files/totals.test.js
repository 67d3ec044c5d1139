// Checks the totals against some that were worked out by hand.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { totals } from './totals.js';

const owed = totals(readFileSync('orders.csv', 'utf8'));
const totalOf = (customer) => (new Map(owed).get(customer) / 100).toFixed(2);

test('two amounts with cents', () => assert.equal(totalOf('cleo'), '258.04'));
test('whole euros', () => assert.equal(totalOf('ben'), '91.25'));
test('one digit of cents', () => assert.equal(totalOf('ada'), '28.40'));
test('most first', () =>
  assert.deepEqual(
    owed.map(([customer]) => customer),
    ['cleo', 'ben', 'ada'],
  ));
