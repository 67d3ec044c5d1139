import type { Danger, DangerKind } from '../types.ts';

const NETWORK = String.raw`(?:curl|wget|fetch|aria2c|lynx|nc|ncat|netcat|socat|telnet|ftp|scp|rsync|/dev/(?:tcp|udp)/)`;
const RUNNER = String.raw`(?:(?:ba|da|z|k|c|tc|fi|a)?sh|busybox|eval|source|exec|python[\d.]*|system|popen|crontab|at|batch|make|perl|ruby|node|php|deno|bun|lua|osascript)`;
const DECODER = String.raw`(?:base64|base32|basenc|xxd|uudecode|openssl|rev|gunzip|zcat|gzip|fromCharCode|\batob)`;
/** Where a word begins or ends in text whose quotes are gone. */
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
  ['git-discard', (text) => /\breset\b[^\n]*--hard|\bgit\b[^\n]*\bclean\b[^\n]*\s-\w*f/.test(text)],
  ['git-files', (text) => /\bgit\b[^\n]*\s(?:-c\s|--config-env)/.test(text)],
  ['git-files', (text) => /\.git\/|\bhookspath\b|\balias\.[\w-]+[ =]\s*!/i.test(text)],
  [
    'system',
    (text) => /(?<![\w-])(?:shutdown|reboot|halt|poweroff)\b|(?<![\w-])kill\s+[^\n]*-1\b/.test(text),
  ],
];

/** What a text mentions that would be dangerous to run, for text that cannot be read as commands. */
export function mentioned(text: string): Danger[] {
  const forms = [text, bare(text)];
  const kinds = new Set(MENTIONS.flatMap(([kind, test]) => (forms.some((form) => test(form)) ? kind : [])));
  return [...kinds].map((kind) => ({ kind, text }));
}

/** Without quotes and escapes, and with the characters that escapes stand for. */
function bare(text: string): string {
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

/** A function that starts itself again, piped or in the background, or a loop that starts without end. */
export function isForkBomb(text: string): boolean {
  if (
    /\b(?:while\s+(?:true|:|1|\[\s*1\s*\])|for\s*\(\(\s*;\s*;\s*\)\))[^]*[^&]&(?![&>\d])[^]*\bdone\b/.test(
      text,
    )
  )
    return true;
  if (/\$\{?0\}?["']?\s*(?:\||&)\s*["']?\$\{?0/.test(text)) return true;
  for (const match of text.matchAll(
    /(?:\bfunction\s+([^\s(){};|&<>]+)(?:\s*\(\s*\))?|([^\s(){};|&<>]+)\s*\(\s*\))\s*[{(]/g,
  )) {
    const name = match[1] ?? match[2] ?? '';
    const body = text.slice(match.index + match[0].length);
    const calls = body.split(/[\s(){};|&<>]+/).filter((piece) => piece === name).length;
    if (calls > 0 && /[|&]/.test(body)) return true;
  }
  return false;
}
