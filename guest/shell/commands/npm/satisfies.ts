/** Whether a version lies in a range as package.json words it. Ranges that name no versions (tags, URLs) hold any. */
export function satisfies(version: string, range: string): boolean {
  const at = parsed(version);
  if (!at) return false;
  if (
    !/^[\s\dxX*vV^~<>=|.\-+a-zA-Z]*$/.test(range) ||
    /^[a-zA-Z]+(?![\d.])|:/.test(range.replace(/^[vxX]/, ''))
  )
    return true;
  return range.split('||').some((part) => {
    const tests = comparators(part.trim());
    // A version that is not released yet lies only in a range that names its own.
    const named = at.pre === '' || tests.some(({ than }) => than.pre !== '' && sameNumbers(than, at));
    return named && tests.every(({ sign, than }) => holds(compare(at, than), sign));
  });
}

interface Version {
  readonly numbers: readonly [number, number, number];
  readonly pre: string;
}

interface Comparator {
  readonly sign: string;
  readonly than: Version;
}

function parsed(text: string): Version | undefined {
  const [, major, minor, patch, pre = ''] =
    /^v?(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+.*)?$/.exec(text.trim()) ?? [];
  return major === undefined ? undefined : { numbers: [Number(major), Number(minor), Number(patch)], pre };
}

const sameNumbers = (a: Version, b: Version) => a.numbers.every((number, at) => number === b.numbers[at]);

function compare(a: Version, b: Version): number {
  for (const [at, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.pre === b.pre) return 0;
  if (a.pre === '' || b.pre === '') return a.pre === '' ? 1 : -1;
  const [left, right] = [a.pre.split('.'), b.pre.split('.')];
  for (let at = 0; ; at++) {
    const [one, other] = [left[at], right[at]];
    if (one === other) continue;
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const numeric = [/^\d+$/.test(one), /^\d+$/.test(other)] as const;
    if (numeric[0] && numeric[1]) return Number(one) - Number(other);
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
    return one < other ? -1 : 1;
  }
}

function holds(order: number, sign: string): boolean {
  switch (sign) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return order === 0;
  }
}

/** `^1.2`, `~1.2.3`, `1.x`, `>=1 <3` and `1.2 - 2` as comparisons with whole versions. */
function comparators(range: string): Comparator[] {
  const [, from, to] = /^(\S+)\s+-\s+(\S+)$/.exec(range) ?? [];
  if (from !== undefined && to !== undefined) return [...between('>=', from), ...between('<=', to)];
  return range
    .replaceAll(/([<>=~^]+)\s+/g, '$1')
    .split(/\s+/)
    .flatMap((word) => {
      const [, sign = '', rest = ''] = /^([<>=~^]*)(.*)$/.exec(word) ?? [];
      return between(sign, rest);
    });
}

function between(sign: string, text: string): Comparator[] {
  const [, ...given] =
    /^[vV]?(\d+|[xX*])?(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([\w.-]+))?/.exec(text) ?? [];
  const parts = given
    .slice(0, 3)
    .map((part) => (part === undefined || /[xX*]/.test(part) ? undefined : Number(part)));
  const known = parts.includes(undefined) ? parts.indexOf(undefined) : 3;
  const [major = 0, minor = 0, patch = 0] = parts;
  const low: Version = { numbers: [major, minor, patch], pre: given[3] ?? '' };
  const upTo = (at: number): Version => {
    const numbers: [number, number, number] = [major, at > 0 ? minor : 0, at > 1 ? patch : 0];
    numbers[at] = (numbers[at] ?? 0) + 1;
    return { numbers, pre: '0' };
  };
  const inside = (at: number): Comparator[] => [
    { sign: '>=', than: low },
    { sign: '<', than: upTo(at) },
  ];
  if (known === 0)
    return sign === '<' || sign === '>' ? [{ sign: '<', than: { numbers: [0, 0, 0], pre: '0' } }] : [];
  switch (sign) {
    case '^':
      return inside(major > 0 || known === 1 ? 0 : minor > 0 || known === 2 ? 1 : 2);
    case '~':
    case '~>':
      return inside(known === 1 ? 0 : 1);
    case '>':
      return known < 3 ? [{ sign: '>=', than: { ...upTo(known - 1), pre: '' } }] : [{ sign, than: low }];
    case '<=':
      return known < 3 ? [{ sign: '<', than: upTo(known - 1) }] : [{ sign, than: low }];
    case '<':
    case '>=':
      return [{ sign, than: known < 3 && sign === '<' ? { ...low, pre: '0' } : low }];
    default:
      return known < 3 ? inside(known - 1) : [{ sign: '=', than: low }];
  }
}
