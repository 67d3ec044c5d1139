import { dateText, relativeText } from '../kit/dates.ts';
import { Fatal } from '../kit/fatal.ts';
import { bodyOf, firstParagraph, linesOf, subjectOf } from '../kit/message.ts';
import type { Commit } from '../kit/objects.ts';
import { codeOf, type Painter } from '../kit/paint.ts';
import type { Person } from '../kit/person.ts';
import type { Decorations } from './decorations.ts';

export interface Pretty {
  readonly format: string;
  readonly date: string;
  readonly zone: string;
  readonly idLength: number;
  readonly isAbbreviated: boolean;
  readonly decorations: Decorations | undefined;
  readonly painter: Painter;
  readonly showsParents: boolean;
  /** The mark of `--left-right` and the like in front of the id. */
  readonly mark?: (commit: Commit) => string;
  /** The entry of the reference log, which `-g` shows. */
  readonly reflog?: { readonly selector: string; readonly message: string; readonly who: Person } | undefined;
}

/** Formats that put an empty line between commits, and an own line for the id. */
export const BLOCKS = new Set(['short', 'medium', 'full', 'fuller', 'raw', 'email']);

export function isUserFormat(format: string): boolean {
  return format.startsWith('format:') || format.startsWith('tformat:') || format.includes('%');
}

/** Whether lines end between commits, rather than after each. */
export function separates(format: string): boolean {
  return BLOCKS.has(format) || format.startsWith('format:');
}

/** A format that shows nothing of a commit, for its changes alone. */
export function isEmptyFormat(format: string): boolean {
  return /^t?format:$/.test(format);
}

export function checkedFormat(format: string): string {
  if (isUserFormat(format) || BLOCKS.has(format) || format === 'oneline' || format === 'reference')
    return format;
  throw new Fatal(`invalid --pretty format: ${format}`);
}

/** The text of a commit, without a line end after its last line. */
export function prettyCommit(commit: Commit, pretty: Pretty): string {
  const { format, painter } = pretty;
  if (isUserFormat(format)) return expand(format.replace(/^t?format:/, ''), commit, pretty);
  if (format === 'reference')
    return expand('%C(auto)%h (%s, %as)', commit, { ...pretty, decorations: undefined });
  const id = (oid: string) => (pretty.isAbbreviated ? oid.slice(0, pretty.idLength) : oid);
  const parents = pretty.showsParents ? commit.parents.map((oid) => ` ${id(oid)}`).join('') : '';
  const sign = pretty.mark?.(commit) ?? '';
  const mark = sign === '' ? '' : `${sign} `;
  const decoration = pretty.decorations?.text(commit.oid, painter) ?? '';
  if (format === 'oneline') {
    const entry = pretty.reflog
      ? ` ${pretty.reflog.selector}: ${pretty.reflog.message}`
      : ` ${subjectOf(commit.message)}`;
    return `${painter.paint('yellow', `${mark}${id(commit.oid)}${parents}`)}${decoration}${entry}`;
  }
  if (format === 'email') return emailText(commit, pretty);
  return blockText(
    commit,
    pretty,
    `${painter.paint('yellow', `commit ${mark}${id(commit.oid)}${parents}`)}${decoration}`,
  );
}

function blockText(commit: Commit, pretty: Pretty, first: string): string {
  const { format, isAbbreviated, idLength, reflog } = pretty;
  const lines = [first];
  if (reflog)
    lines.push(
      `Reflog: ${reflog.selector} (${reflog.who.name} <${reflog.who.email}>)`,
      `Reflog message: ${reflog.message}`,
    );
  const who = ({ name, email }: Person) => `${name} <${email}>`;
  const when = (person: Person) => dateText(person, pretty.date, pretty.zone);
  if (format === 'raw') {
    const raw = ({ time, zone, ...person }: Person) => `${who({ time, zone, ...person })} ${time} ${zone}`;
    lines.push(`tree ${commit.tree}`, ...commit.parents.map((oid) => `parent ${oid}`));
    lines.push(`author ${raw(commit.author)}`, `committer ${raw(commit.committer)}`);
  } else {
    if (commit.parents.length > 1)
      lines.push(
        `Merge: ${commit.parents.map((oid) => oid.slice(0, isAbbreviated || idLength < 40 ? idLength : 7)).join(' ')}`,
      );
    const pad = format === 'fuller' ? '    ' : '';
    lines.push(`Author: ${pad}${who(commit.author)}`);
    if (format === 'medium') lines.push(`Date:   ${when(commit.author)}`);
    if (format === 'fuller') lines.push(`AuthorDate: ${when(commit.author)}`);
    if (format === 'full' || format === 'fuller') lines.push(`Commit: ${pad}${who(commit.committer)}`);
    if (format === 'fuller') lines.push(`CommitDate: ${when(commit.committer)}`);
  }
  const text = format === 'short' ? firstParagraph(commit.message) : linesOf(commit.message);
  const shown = text.map((line) => `    ${format === 'raw' ? line : untabbed(line)}`);
  if (shown.length > 0) lines.push('', ...shown);
  return lines.join('\n');
}

/** Tabs count to the next multiple of eight columns of the message. */
function untabbed(line: string): string {
  let text = '';
  for (const part of line.split(/(\t)/))
    text += part === '\t' ? ' '.repeat(8 - ([...text].length % 8)) : part;
  return text;
}

function emailText(commit: Commit, { zone }: Pretty): string {
  const { author, message, oid } = commit;
  const body = linesOf(bodyOf(message)).join('\n');
  return `From ${oid} Mon Sep 17 00:00:00 2001\nFrom: ${author.name} <${author.email}>\nDate: ${dateText(author, 'rfc', zone)}\n${`Subject: [PATCH] ${subjectOf(message)}`.trimEnd()}\n${body === '' ? '' : `\n${body}`}`;
}

const TOKEN =
  /%(?:C\([^)]*\)|C(?:red|green|blue|reset)|[<>]\(\d+(?:,(?:trunc|ltrunc|mtrunc))?\)|><\(\d+\)|w\([^)]*\)|\([a-z]+[^)]*\)|x[0-9a-fA-F]{2}|[ac][nNeElLdDrtiIshH]|G[?SKFPT]|g[dDnNeEs]|[+\- ]?[A-Za-z%])/g;

/** Replaces the placeholders of a format. */
function expand(format: string, commit: Commit, pretty: Pretty): string {
  let result = '';
  let at = 0;
  let room: { readonly side: string; readonly width: number; readonly cuts: boolean } | undefined;
  let isAuto = false;
  for (const { 0: token, index } of format.matchAll(TOKEN)) {
    result += format.slice(at, index);
    at = index + token.length;
    const space = /^%(><|[<>])\((\d+)(,)?/.exec(token);
    if (space) {
      room = { side: space[1] ?? '<', width: Number(space[2]), cuts: space[3] !== undefined };
      continue;
    }
    if (token === '%C(auto)') isAuto = true;
    const value = valueOf(token, commit, pretty, isAuto);
    if (value === undefined) result += token;
    else {
      result = joined(result, token, room ? padded(value, room) : value);
      room = undefined;
    }
  }
  return result + format.slice(at);
}

/** `%+x` begins a line where there is something, `%-x` takes away the line ends before where there is nothing. */
function joined(before: string, token: string, value: string): string {
  const sign = token[1];
  if (sign === '+' && value !== '') return `${before}\n${value}`;
  if (sign === ' ' && value !== '') return `${before} ${value}`;
  if (sign === '-' && value === '') return before.replace(/\n+$/, '');
  return before + value;
}

function padded(
  value: string,
  { side, width, cuts }: { readonly side: string; readonly width: number; readonly cuts: boolean },
): string {
  const length = [...value].length;
  if (length > width) return cuts ? `${[...value].slice(0, Math.max(0, width - 2)).join('')}..` : value;
  const missing = width - length;
  if (side === '<') return value + ' '.repeat(missing);
  if (side === '>') return ' '.repeat(missing) + value;
  return ' '.repeat(Math.floor(missing / 2)) + value + ' '.repeat(Math.ceil(missing / 2));
}

function valueOf(token: string, commit: Commit, pretty: Pretty, isAuto: boolean): string | undefined {
  const { painter, decorations, reflog } = pretty;
  const name = token.slice(1).replace(/^[+\- ]/, '');
  if (name.startsWith('C')) return colourCode(name, painter);
  if (/^x/.test(name)) return String.fromCharCode(Number.parseInt(name.slice(1), 16));
  if (/^[ac][A-Za-z]/.test(name))
    return personPart(name.startsWith('a') ? commit.author : commit.committer, name.charAt(1), pretty);
  if (name.startsWith('(')) return longPart(name, commit, pretty);
  const short = (oid: string) => oid.slice(0, pretty.idLength < 40 ? pretty.idLength : 7);
  const inColour = (text: string) => (isAuto ? painter.paint('yellow', text) : text);
  switch (name) {
    case 'H':
      return inColour(commit.oid);
    case 'h':
      return inColour(short(commit.oid));
    case 'T':
      return commit.tree;
    case 't':
      return short(commit.tree);
    case 'P':
      return commit.parents.join(' ');
    case 'p':
      return commit.parents.map(short).join(' ');
    case 's':
      return subjectOf(commit.message);
    case 'f':
      return subjectOf(commit.message)
        .replace(/[^A-Za-z0-9._]+/g, '-')
        .replace(/\.+/g, '.')
        .replace(/^-|[-.]+$/g, '');
    case 'b':
      return bodyOf(commit.message);
    case 'B':
      return commit.message;
    case 'd':
      return decorations?.text(commit.oid, isAuto ? painter : undefined) ?? '';
    case 'D':
      return decorations?.inner(commit.oid) ?? '';
    case 'n':
      return '\n';
    case '%':
      return '%';
    case 'm':
      return pretty.mark?.(commit) || '>';
    case 'N':
    case 'e':
    case 'G?':
      return name === 'G?' ? 'N' : '';
    case 'gd':
    case 'gD':
      return reflog?.selector ?? '';
    case 'gs':
      return reflog?.message ?? '';
    case 'gn':
    case 'ge':
      return (name === 'gn' ? reflog?.who.name : reflog?.who.email) ?? '';
    default:
      return name.startsWith('w(') ? '' : undefined;
  }
}

function personPart(person: Person, letter: string, { date, zone }: Pretty): string | undefined {
  const when = (mode: string) => dateText(person, mode, zone);
  switch (letter) {
    case 'n':
    case 'N':
      return person.name;
    case 'e':
    case 'E':
      return person.email;
    case 'l':
    case 'L':
      return person.email.split('@')[0] ?? '';
    case 'd':
      return when(date);
    case 'D':
      return when('rfc');
    case 'r':
      return relativeText(person.time, Math.floor(Date.now() / 1000));
    case 't':
      return String(person.time);
    case 'i':
      return when('iso');
    case 'I':
      return when('iso-strict');
    case 's':
      return when('short');
    case 'h':
      return when('human');
    default:
      return undefined;
  }
}

function longPart(name: string, commit: Commit, { decorations }: Pretty): string | undefined {
  if (/^\(decorate/.test(name)) return decorations?.text(commit.oid, undefined) ?? '';
  if (!/^\(trailers/.test(name)) return undefined;
  const [, block = ''] = /(?:^|\n\n)((?:[A-Za-z][\w-]*: .*\n?)+)$/.exec(commit.message) ?? [];
  const key = /key=([\w-]+)/.exec(name)?.[1]?.toLowerCase();
  const lines = block
    .split('\n')
    .filter((line) => line !== '' && (key === undefined || line.toLowerCase().startsWith(`${key}:`)));
  const shown = name.includes('valueonly') ? lines.map((line) => line.replace(/^[^:]*: /, '')) : lines;
  return shown.map((line) => `${line}\n`).join('');
}

function colourCode(name: string, painter: Painter): string {
  const how = /^C\((?:always,|auto,)?([^)]*)\)$/.exec(name)?.[1] ?? name.slice(1);
  const isForced = name.startsWith('C(always');
  if (how === 'auto' || (!painter.isOn && !isForced)) return '';
  return codeOf(how);
}
