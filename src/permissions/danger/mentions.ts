import type { Danger, DangerKind } from '../types.ts';
import { isLoopOverFiles } from './emptying.ts';

const NETWORK = String.raw`(?:curl|wget|fetch|aria2c|lynx|nc|ncat|netcat|socat|telnet|ftp|scp|rsync|/dev/(?:tcp|udp)/)`;
const RUNNER = String.raw`(?:(?:ba|da|z|k|c|tc|fi|a)?sh|busybox|eval|source|exec|python[\d.]*|system|popen|crontab|at|batch|make|perl|ruby|node|php|deno|bun|lua|osascript)`;
const DECODER = String.raw`(?:base64|base32|basenc|xxd|uudecode|openssl|rev|gunzip|zcat|gzip|fromCharCode|\batob)`;
/** The beginnings and ends of words in text without its quotes. */
const START = String.raw`(?<![\w.-])`;
const END = String.raw`(?![\w-])`;

const word = (pattern: string) => new RegExp(START + pattern + END);

const MENTIONS: readonly (readonly [DangerKind, (text: string) => boolean])[] = [
  ['remove', (text) => /(?<![\w-])rm(?![\w])[^\n]*\s(?:-\w*[rR]|--r|--no-p)/.test(text)],
  [
    'remove',
    (text) =>
      /(?<![\w-])find\b[^\n]*\s-delete\b|\brmtree\b|\b(?:rm|rmdir|remove|emptyDir)Sync\b|\brm_rf\b|\bremovedirs\b|\brm(?:dir)?\s*\([^\n]*recursive|\brimraf\b|--delete\b/.test(
        text,
      ),
  ],
  ['remove', (text) => /(?<![\w-])(?:mv|rsync|ln)\s[^\n]*\s?(?:\/|~|\.git)(?=\s|$)/.test(text)],
  [
    'remove',
    (text) =>
      /(?<![\w-])mv\s[^\n]*\s\/(?!home\/project)\S/.test(text) ||
      /(?<![\w-])truncate\s[^\n]*-(?:-size[ =]?|\w*s\s?)(?!\s*[+>])/.test(text) ||
      /(?<![\w-])sed\s[^\n]*-\w*i[^\n]*\s(?:\d*,?\$?\s*)?d\s/.test(text) ||
      /(?<![\w-])sed\s(?=[^\n]*-\w*i)[^\n]*-[a-z]*n[a-z]*\s(?![^\n]*p)/.test(text) ||
      // A sed script that we do not understand, applied in place to all files.
      /(?<![\w-])(?:sed|g?awk)\s(?=[^\n]*-\w*i)[^\n]*\s(?:\.\/)?\*(?=\s|$)/.test(text) ||
      /(?<![\w-])(?:perl|ruby)\s(?=[^\n]*-\w*i)(?=[^\n]*(?:-\w*n|\$_\s*=|\.\*))[^\n]*\s(?:\.\/)?\*(?=\s|$)/.test(
        text,
      ) ||
      /(?:-exec|\bxargs)\b[^\n]*\bsh\s+-\w*c\s[^\n]*(?<![>&2])>\|?\s*(?:\$\w|\{\})/.test(text) ||
      // A target known only at run time, unless it is next to what is moved.
      /(?<![\w-])mv\s(?![^\n;|&]*\$\{?(\w+)[^\n;|&]*\s"?\$\{?\1\b)[^\n;|&]*\s"?\$[\w{(]/.test(text) ||
      // Removes what a list names that is made when the command runs.
      /\b(?:xargs|parallel)\b[^\n|]*\s(?:rm|unlink)(?![\w-])/.test(text) ||
      /\s-(?:exec|ok)(?:dir)?\s[^\n]*(?<![\w-])(?:rm|unlink)\s[^\n]*(?:\$[\d@*{]|\{\})/.test(text) ||
      /(?<![\w-])(?:rm|unlink)\s(?:[^\n;|&]*\s)?["']?(?:\.\/)?(?:\$\(|`)/.test(text) ||
      (isLoopOverFiles(text) &&
        /(?<![\w-])(?:rm|unlink)\s(?:[^\n;|&]*\s)?["']?(?:\.\/)?\$[\w{@*]/.test(text)) ||
      /\b(?:xargs|parallel)\b[^\n|]*\stee\b(?!\s+-\w*a)/.test(text) ||
      /\b(?:xargs|parallel)\b[^\n|]*\s(?:cp|ln|install)\s[^\n|]*\/dev\/null/.test(text) ||
      /(?<![\w-])(?:cp|ln|install)\s[^\n;|&]*\/dev\/null["']?\s+["']?(?:\.\/)?(?:\*|\$|\{\})/.test(text) ||
      mentionsEmptyingLoop(text),
  ],
  ['fork-bomb', isForkBomb],
  ['network-to-shell', (text) => word(NETWORK).test(text) && word(RUNNER).test(text)],
  ['hidden-code', (text) => new RegExp(DECODER).test(text) && word(RUNNER).test(text)],
  [
    'disk',
    (text) => /(?<![\w-])(?:mkfs|mke2fs|mkswap|wipefs|blkdiscard|fdisk|sfdisk|parted|shred)\b/.test(text),
  ],
  ['disk', (text) => /(?<![\w-])dd\s[^\n]*\bof=/.test(text)],
  ['disk', (text) => />\|?\s*\/dev\/(?!null|zero|full|stdout|stderr|tty|fd\b)/.test(text)],
  ['permissions', (text) => /(?<![\w-])ch(?:mod|own|grp)\s[^\n]*(?:-\w*R|--recursive)/.test(text)],
  [
    'git-history',
    (text) =>
      /\bpush\b[^\n]*\s(?:-\w*[fd]|--(?:force|mirror|delete|prune)|\+\S|:\S)/.test(text) ||
      /\b(?:filter-branch|filter-repo|update-ref)\b|\breflog\s+(?:expire|delete)|\bgit\b[^\n]*\srebase\b|--amend\b|\bgc\s[^\n]*--prune/.test(
        text,
      ),
  ],
  [
    'git-discard',
    (text) =>
      /\bgit\b[^\n]*\srestore\s(?![^\n;|&]*\s?(?:--staged|-S)\b)/.test(text) ||
      /\bgit\b[^\n]*\scheckout\s(?:[^\n;|&]*\s)?--\s/.test(text),
  ],
  ['git-discard', (text) => /\breset\b[^\n]*--hard|\bgit\b[^\n]*\bclean\b[^\n]*\s-\w*f/.test(text)],
  ['git-files', (text) => /\bgit\b[^\n]*\s(?:-c\s|--config-env)/.test(text)],
  ['git-files', (text) => /\.git\/|\bhookspath\b|\balias\.[\w-]+[ =]\s*!/i.test(text)],
  [
    'system',
    (text) => /(?<![\w-])(?:shutdown|reboot|halt|poweroff)\b|(?<![\w-])kill\s+[^\n]*-1\b/.test(text),
  ],
];

/** The dangers that a text mentions, for text that cannot be parsed into commands. */
export function mentionedDangers(text: string): Danger[] {
  const forms = [text, unquoted(text)];
  const kinds = new Set(MENTIONS.flatMap(([kind, test]) => (forms.some((form) => test(form)) ? kind : [])));
  return [...kinds].map((kind) => ({ kind, text }));
}

/** Whether a loop over files truncates the file that its variable names. */
function mentionsEmptyingLoop(text: string): boolean {
  return (
    isLoopOverFiles(text) &&
    /(?<![>&2])>\|?\s*(?:\.\/)?\$\{?\w+\}?(?=[\s;]|$)/m.test(text.replaceAll('"', ''))
  );
}

/** The text without quotes and escapes, with escape sequences replaced by their characters. */
function unquoted(text: string): string {
  return text
    .replace(/\\x([0-9a-fA-F]{1,2})|\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{5,8})/g, (_, ...codes: unknown[]) =>
      character(parseInt(String(codes.slice(0, 3).find((code) => code !== undefined)), 16)),
    )
    .replace(/\\0?([0-7]{3})/g, (_, code: string) => character(parseInt(code, 8)))
    .replace(/\\\n/g, '')
    .replace(/\$?["'](?=\S)|["'\\]/g, '')
    .replace(/\$\{?IFS\}?(?:\$\d)?/g, ' ')
    .replace(/[ \t]+/g, ' ');
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Whether a function calls itself in a pipe or in the background, or an endless loop starts background jobs. */
export function isForkBomb(text: string): boolean {
  if (
    /\b(?:while\s+(?:true|:|1|\[\s*1\s*\])|for\s*\(\(\s*;\s*;\s*\)\))[^]*[^&]&(?![&>\d])[^]*\bdone\b/.test(
      text,
    )
  )
    return true;
  if (/\$\{?0\}?["']?\s*(?:\||&)\s*["']?\$\{?0/.test(text)) return true;
  for (const match of text.matchAll(
    /(?:\bfunction\s+([^\s(){};|&<>]+)(?:\s*\(\s*\))?|(?<![^\s(){};|&<>])([^\s(){};|&<>]+)\s*\(\s*\))\s*[{(]/g,
  )) {
    const name = match[1] ?? match[2] ?? '';
    const body = text.slice(match.index + match[0].length);
    const calls = body.split(/[\s(){};|&<>]+/).filter((piece) => piece === name).length;
    if (calls > 0 && /[|&]/.test(body)) return true;
  }
  return false;
}
