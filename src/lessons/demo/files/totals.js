// Prints what each customer owes, in euros, most first: node totals.js orders.csv
import { readFileSync } from 'node:fs';

/** From lines of customer,item,amount to [customer, cents], most first. */
export function totals(csv) {
  const owed = new Map();
  for (const line of csv.trim().split('\n').slice(1)) {
    const [customer, , amount] = line.split(',');
    owed.set(customer, (owed.get(customer) ?? 0) + toCents(amount));
  }
  return [...owed].sort(([, a], [, b]) => b - a);
}

/** In whole cents: sums of euros would gather the errors of fractions. */
function toCents(amount) {
  const [euros, cents = '0'] = amount.split('.');
  return Number(euros) * 100 + Number(cents);
}

if (import.meta.filename === process.argv[1]) {
  for (const [customer, cents] of totals(readFileSync(process.argv[2], 'utf8')))
    console.log(customer, (cents / 100).toFixed(2));
}
