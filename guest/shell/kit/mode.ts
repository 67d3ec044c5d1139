import type { FsStat } from '../shell-fs.ts';

/** The part of a stat that tells the kind of a file and its permissions. */
type Kind = Pick<FsStat, 'isDirectory' | 'isSymbolicLink'>;
type Rights = Kind & Pick<FsStat, 'mode'>;

/** The owner of every file, as the shell has only one user. */
export const OWNER = { user: 'user', group: 'user', id: 1000 } as const;

export function kindLetter(stat: Kind): 'd' | 'l' | '-' {
  return stat.isSymbolicLink ? 'l' : stat.isDirectory ? 'd' : '-';
}

/** The permission bits that chmod can set; links have all of them. */
export function bitsOf(stat: Rights): number {
  return stat.isSymbolicLink ? 0o777 : stat.mode & 0o7777;
}

/** `-rw-r--r--` */
export function modeText(stat: Rights): string {
  const bits = bitsOf(stat);
  const part = (shift: number, special: number, letter: string) => {
    const own = (bits >> shift) & 7;
    const runs = (own & 1) !== 0;
    const last = (bits & special) !== 0 ? (runs ? letter : letter.toUpperCase()) : runs ? 'x' : '-';
    return `${own & 4 ? 'r' : '-'}${own & 2 ? 'w' : '-'}${last}`;
  };
  return kindLetter(stat) + part(6, 0o4000, 's') + part(3, 0o2000, 's') + part(0, 0o1000, 't');
}

/** Applies an octal or symbolic mode to the bits in `before`; undefined where `mode` is neither. */
export function changedMode(mode: string, before: number, isDirectory: boolean): number | undefined {
  if (/^[0-7]{1,5}$/.test(mode)) return parseInt(mode, 8);
  let bits = before;
  for (const clause of mode.split(',')) {
    const found = /^([ugoa]*)((?:[-+=][rwxXst]*|[-+=][ugo])+)$/.exec(clause);
    if (!found) return undefined;
    const who = found[1] === '' || found[1]?.includes('a') ? 'ugo' : (found[1] ?? '');
    for (const [, sign = '', letters = ''] of (found[2] ?? '').matchAll(/([-+=])([rwxXstugo]*)/g)) {
      const mask = bitsFor(who, letters, bits, isDirectory);
      if (sign === '+') bits |= mask;
      else if (sign === '-') bits &= ~mask;
      else bits = (bits & ~bitsFor(who, 'rwx', bits, isDirectory)) | mask;
    }
  }
  return bits;
}

function bitsFor(who: string, letters: string, bits: number, isDirectory: boolean): number {
  let mask = 0;
  for (const person of who) {
    const shift = person === 'u' ? 6 : person === 'g' ? 3 : 0;
    for (const letter of letters) {
      if (letter === 'r') mask |= 4 << shift;
      else if (letter === 'w') mask |= 2 << shift;
      else if (letter === 'x') mask |= 1 << shift;
      else if (letter === 'X' && (isDirectory || (bits & 0o111) !== 0)) mask |= 1 << shift;
      else if (letter === 's') mask |= person === 'u' ? 0o4000 : person === 'g' ? 0o2000 : 0;
      else if (letter === 't') mask |= 0o1000;
      else if ('ugo'.includes(letter))
        mask |= ((bits >> (letter === 'u' ? 6 : letter === 'g' ? 3 : 0)) & 7) << shift;
    }
  }
  return mask;
}

/** Writes a size such as `1.5K`, rounded up, like `-h` of GNU tools. */
export function humanSize(bytes: number, base = 1024): string {
  if (bytes < base) return String(bytes);
  let [amount, unit] = [bytes, -1];
  while (amount >= base && unit < 5) [amount, unit] = [amount / base, unit + 1];
  let shown = amount < 10 ? Math.ceil(amount * 10) / 10 : Math.ceil(amount);
  if (shown >= base && unit < 5) [shown, unit] = [1, unit + 1];
  const letter = (base === 1000 ? 'kMGTPE' : 'KMGTPE').charAt(unit);
  return (shown < 10 ? shown.toFixed(1) : String(shown)) + letter;
}
