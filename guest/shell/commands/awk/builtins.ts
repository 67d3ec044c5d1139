import { Complaint } from '../../kit/complaint.ts';
import { eachMatch } from '../../kit/matches.ts';
import { strftime, type Moment } from '../../kit/strftime.ts';
import { SLOT, type AwkMachine } from './machine.ts';
import { compare, Field, numberOf, sprintf, type AwkArray, type Value } from './values.ts';

/** Built-in functions that take plain values only. */
export const PLAIN: Readonly<Record<string, (machine: AwkMachine, ...args: Value[]) => Value>> = {
  substr(machine, text, from, count) {
    const whole = machine.text(text);
    const chars = isWide(whole) ? [...whole] : undefined;
    const length = chars?.length ?? whole.length;
    // As in gawk, a start before the text counts as its first character.
    const first = Math.max(1, Math.round(numberOf(from))) - 1;
    const last = count === undefined ? length : Math.min(length, first + Math.round(numberOf(count)));
    if (!(last > first)) return '';
    return chars ? chars.slice(first, last).join('') : whole.slice(first, last);
  },
  index(machine, text, wanted) {
    return machine.text(text).indexOf(machine.text(wanted)) + 1;
  },
  sprintf(machine, format, ...args) {
    return sprintf(machine.text(format), args, machine.convert);
  },
  sin: (_machine, x) => Math.sin(numberOf(x)),
  cos: (_machine, x) => Math.cos(numberOf(x)),
  atan2: (_machine, y, x) => Math.atan2(numberOf(y), numberOf(x)),
  exp: (_machine, x) => Math.exp(numberOf(x)),
  log: (_machine, x) => Math.log(numberOf(x)),
  sqrt: (_machine, x) => Math.sqrt(numberOf(x)),
  int: (_machine, x) => Math.trunc(numberOf(x)),
  tolower: (machine, text) => machine.text(text).toLowerCase(),
  toupper: (machine, text) => machine.text(text).toUpperCase(),
  systime: () => Math.floor(Date.now() / 1000),
  and: (_machine, ...args) => bits(args, (a, b) => a & b),
  or: (_machine, ...args) => bits(args, (a, b) => a | b),
  xor: (_machine, ...args) => bits(args, (a, b) => a ^ b),
  lshift: (_machine, a, b) => bits([a, b], (x, y) => x << y),
  rshift: (_machine, a, b) => bits([a, b], (x, y) => x >> y),
  compl: (_machine, a) => Number(BigInt.asUintN(53, ~BigInt(Math.trunc(numberOf(a))))),
  strtonum(machine, text) {
    if (typeof text === 'number') return text;
    const written = machine.text(text).trim();
    const hex = /^([-+]?)0[xX]([0-9a-fA-F]+)/.exec(written);
    if (hex) return parseInt(hex[2] ?? '', 16) * (hex[1] === '-' ? -1 : 1);
    const octal = /^([-+]?)0([0-7]+)(?![\d.])/.exec(written);
    if (octal) return parseInt(octal[2] ?? '', 8) * (octal[1] === '-' ? -1 : 1);
    return numberOf(written);
  },
  strftime(machine, format, at, utc) {
    const seconds = at === undefined ? Date.now() / 1000 : numberOf(at);
    const zone = utc !== undefined && numberOf(utc) !== 0 ? 'UTC' : zoneOf(machine);
    return strftime(
      format === undefined ? '%a %b %e %H:%M:%S %Z %Y' : machine.text(format),
      moment(seconds),
      zone,
    );
  },
  mktime(machine, text) {
    const parts = machine.text(text).trim().split(/\s+/).map(Number);
    const [year = NaN, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
    if (parts.length < 6 || parts.some(Number.isNaN)) return -1;
    return Math.floor(Date.UTC(year, month - 1, day, hour, minute, second) / 1000);
  },
};

function zoneOf(machine: AwkMachine): string {
  const environment = machine.globals[SLOT.ENVIRON];
  const zone = environment instanceof Map ? environment.get('TZ') : undefined;
  return zone === undefined || zone instanceof Map ? '' : machine.text(zone);
}

function moment(seconds: number): Moment {
  return { seconds: Math.floor(seconds), nanoseconds: 0 };
}

function bits(args: readonly Value[], join: (a: bigint, b: bigint) => bigint): number {
  const [first = 0n, ...rest] = args.map((value) => BigInt(Math.trunc(numberOf(value))));
  return Number(rest.reduce(join, first));
}

function isWide(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}

/** The number of characters of a text, or of digits of a number as it is written. */
export function lengthOf(text: string): number {
  return isWide(text) ? [...text].length : text.length;
}

/** Replaces matches for sub and gsub, and counts them. */
export function replaceIn(text: string, regex: RegExp, replacement: string, all: boolean): [string, number] {
  const parts = partsOf(replacement);
  let result = '';
  let copied = 0;
  let count = 0;
  eachMatch(text, regex, (hit) => {
    count++;
    result += text.slice(copied, hit.index);
    for (const part of parts) result += part ?? hit[0];
    copied = hit.index + hit[0].length;
    return all;
  });
  return [result + text.slice(copied), count];
}

/** Splits a replacement into parts; undefined stands for the match. */
function partsOf(replacement: string): (string | undefined)[] {
  const parts: (string | undefined)[] = [];
  let text = '';
  for (let i = 0; i < replacement.length; i++) {
    const char = replacement.charAt(i);
    const next = replacement.charAt(i + 1);
    if (char === '\\' && (next === '&' || next === '\\')) {
      text += next;
      i++;
    } else if (char === '&') {
      parts.push(text, undefined);
      text = '';
    } else text += char;
  }
  parts.push(text);
  return parts;
}

export function gensub(text: string, regex: RegExp, replacement: string, which: string): string {
  const wanted = /^[gG]/.test(which) ? 0 : Math.max(1, Math.trunc(Number(which)) || 1);
  let result = '';
  let copied = 0;
  let count = 0;
  eachMatch(text, regex, (hit) => {
    if (++count < wanted) return true;
    result += text.slice(copied, hit.index);
    result += replacement.replace(/\\([\s\S])|&/g, (all, next?: string) => {
      if (next === undefined) return hit[0];
      if (/\d/.test(next)) return hit[Number(next)] ?? '';
      return next === '&' || next === '\\' ? next : all;
    });
    copied = hit.index + hit[0].length;
    return wanted === 0;
  });
  return result + text.slice(copied);
}

/** Implements match(): sets RSTART and RLENGTH, and the groups where an array is given. */
export function matchIn(machine: AwkMachine, text: string, regex: RegExp, groups?: AwkArray): number {
  regex.lastIndex = 0;
  const hit = regex.exec(text);
  const start = hit ? lengthOf(text.slice(0, hit.index)) + 1 : 0;
  machine.globals[SLOT.RSTART] = start;
  machine.globals[SLOT.RLENGTH] = hit ? lengthOf(hit[0]) : -1;
  if (!groups) return start;
  groups.clear();
  hit?.forEach((group: string | undefined, at) => {
    if (group === undefined) return;
    groups.set(String(at), new Field(group));
    const from = at === 0 ? hit.index : text.indexOf(group, hit.index);
    groups.set(`${at}${machine.known('SUBSEP')}start`, from + 1);
    groups.set(`${at}${machine.known('SUBSEP')}length`, group.length);
  });
  return start;
}

export function fill(array: AwkArray, values: Iterable<Value>): number {
  array.clear();
  let at = 0;
  for (const value of values) array.set(String(++at), value);
  return at;
}

type Entry = readonly [key: string, value: Value | AwkArray];

/** The order named by PROCINFO["sorted_in"], asort or asorti; undefined for an unknown name. */
export function orderOf(name: string): ((a: Entry, b: Entry) => number) | undefined {
  const found = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(name);
  if (!found) return undefined;
  const [, by, how, way] = found;
  const sign = way === 'desc' ? -1 : 1;
  const pick = (entry: Entry): Value => (by === 'ind' ? entry[0] : entry[1] instanceof Map ? '' : entry[1]);
  return (a, b) => {
    const [x, y] = [pick(a), pick(b)];
    const result =
      how === 'str'
        ? compare(String(plain(x)), String(plain(y)), '')
        : how === 'num'
          ? numberOf(x) - numberOf(y) || compare(String(plain(x)), String(plain(y)), '')
          : compare(x, y, '%.6g');
    return sign * result;
  };
}

function plain(value: Value): string | number {
  return value === undefined ? '' : typeof value === 'object' ? value.text : value;
}

/** Implements asort and asorti: writes the sorted values or indexes into `to`. */
export function sortInto(from: AwkArray, to: AwkArray, byIndex: boolean, how: string): number {
  const order = orderOf(how) ?? orderOf(byIndex ? '@ind_str_asc' : '@val_type_asc');
  const entries = [...from];
  if (order) entries.sort(order);
  return fill(
    to,
    entries.map(([key, value]) => (byIndex ? key : value instanceof Map ? '' : value)),
  );
}

export function fatal(message: string): Complaint {
  return new Complaint(`cmd. line:1: fatal: ${message}`);
}
