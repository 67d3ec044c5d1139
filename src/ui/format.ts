import type { ContextUse } from '../session/request/context.ts';
import type { Usage } from '../session/log/parts.ts';
import { formatDigits, formatFraction } from './languages/numbers.ts';
import { words } from './words.ts';

const { units } = words;

/** Whole seconds that are left: `9 s`, `1:05 min`. */
export function countdown(seconds: number): string {
  if (seconds < 60) return units.s(`${seconds}`);
  return units.min(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
}

/** `812 B`, `31 kB`, `1.4 MB`; 1 kB is 1,000 bytes. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 999_500) return `${Math.round(count / 1000)} kB`;
  if (count < 999_500_000) return `${formatFraction(count / 1e6, 1)} MB`;
  return `${formatFraction(count / 1e9, 1)} GB`;
}

/** A number of tokens for a narrow place: `1.2k`, `34k`, `1.1M`. */
export function count(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_500) return `${formatFraction(n / 1000, n < 9950 ? 1 : 0)}k`;
  return `${formatFraction(n / 1e6, 1)}M`;
}

/** US dollars: `$0.04`, `$1.20`, `$0.0031`; empty if there is no price. */
export function dollars(amount: number | null): string {
  if (amount === null) return '';
  if (amount === 0) return '$0';
  if (amount < 0.0001) return `<$${formatFraction(0.0001, 4)}`;
  return amount < 0.01 ? `$${formatDigits(amount, 2)}` : `$${formatFraction(amount, 2)}`;
}

/** The used share of the context, which can exceed 1; `null` if the limit is not known. */
export function shareOf({ used, limit }: ContextUse): number | null {
  return limit === undefined ? null : used / limit;
}

/** How full the context is, as a short label for a narrow place and as a long one. */
export function contextLabel(use: ContextUse): { readonly short: string; readonly long: string } {
  const used = count(Math.round(use.used));
  const share = shareOf(use);
  if (share === null || use.limit === undefined)
    return { short: used, long: `${words.context}: ${words.contextUsed(used)}` };
  return {
    short: `${Math.round(share * 100)}%`,
    long: `${words.context}: ${words.contextOf(used, count(use.limit))}`,
  };
}

interface Spent {
  readonly usage?: Usage;
  readonly cost?: number;
}

/** Adds up several steps; the cost is `null` if none of them has a price. */
export function totalUsage(steps: readonly Spent[]): { input: number; output: number; cost: number | null } {
  const total: { input: number; output: number; cost: number | null } = { input: 0, output: 0, cost: null };
  for (const { usage, cost } of steps) {
    total.input += usage?.inputTokens ?? 0;
    total.output += usage?.outputTokens ?? 0;
    if (cost !== undefined) total.cost = (total.cost ?? 0) + cost;
  }
  return total;
}
