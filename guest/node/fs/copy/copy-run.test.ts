import realFs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FsCore } from '../core.ts';
import { cp, cpSync } from '../cp.ts';
import type { CpOptions } from './options.ts';

const KINDS = { isDirectory: 'directory', isSymbolicLink: 'symlink', isFile: 'file' } as const;

/** The operations that copying needs, on the files of this machine. */
const core = {
  absolute: (file: string) => path.resolve(file),
  lookAt(file: string) {
    const stat = realFs.statSync(file, { throwIfNoEntry: false });
    const [, type] = Object.entries(KINDS).find(([is]) => stat?.[is as keyof typeof KINDS]()) ?? [];
    return stat && { inode: stat.ino, type };
  },
  stat: realFs.statSync,
  lstat: realFs.lstatSync,
  readdir: realFs.readdirSync,
  readlink: realFs.readlinkSync,
  mkdir: realFs.mkdirSync,
  unlink: realFs.unlinkSync,
  symlink: realFs.symlinkSync,
  copyFile: realFs.copyFileSync,
  utimes: realFs.utimesSync,
} as object as FsCore;

type Files = Readonly<Record<string, string>>;
/** Names that end with a slash are folders, and contents that begin with an arrow are symlinks. */
const START: Files = {
  'a.txt': 'a',
  'b.txt': 'b',
  'folder/one.txt': '1',
  'folder/below/two.txt': '2',
  'folder/link': '->one.txt',
  'other/one.txt': 'older',
  'empty/': '',
  link: '->a.txt',
  outer: '->folder',
  inner: '->folder/below',
};

let tops: string[];
beforeEach(() => {
  tops = ['ours', 'real'].map(() => realFs.mkdtempSync(path.join(os.tmpdir(), 'cp-')));
  for (const top of tops)
    for (const [name, contents] of Object.entries(START)) {
      const file = path.join(top, name);
      realFs.mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
      if (contents.startsWith('->')) realFs.symlinkSync(contents.slice(2), file);
      else if (!name.endsWith('/')) realFs.writeFileSync(file, contents);
    }
});
afterEach(() => {
  for (const top of tops) realFs.rmSync(top, { recursive: true });
});

/** Returns what a folder holds, with `TOP` for its own path. */
function filesIn(top: string): Files {
  const found: Record<string, string> = {};
  for (const entry of realFs.readdirSync(top, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(top, file);
    if (entry.isSymbolicLink()) found[name] = `->${realFs.readlinkSync(file).replaceAll(top, 'TOP')}`;
    else found[name] = entry.isFile() ? realFs.readFileSync(file, 'utf8') : '/';
  }
  return found;
}

type Copy = (from: string, to: string, options: CpOptions | undefined) => unknown;

async function outcomeOf(copy: Copy, top: string, args: readonly [string, string, CpOptions?]) {
  const [from, to, options] = args;
  let failed: unknown;
  try {
    await copy(path.join(top, from), path.join(top, to), options);
  } catch (error) {
    const { name, message, code, syscall, errno, path: at } = error as NodeJS.ErrnoException;
    failed = JSON.parse(JSON.stringify({ name, message, code, syscall, errno, at }).replaceAll(top, 'TOP'));
  }
  return { failed, files: filesIn(top) };
}

const ROWS: readonly (readonly [what: string, ...args: [string, string, CpOptions?]])[] = [
  ['a file', 'a.txt', 'new.txt'],
  ['a file into folders that do not exist', 'a.txt', 'x/y/new.txt'],
  ['a file over another', 'a.txt', 'b.txt'],
  ['a file that may stay', 'a.txt', 'b.txt', { force: false }],
  ['a file that must not be there', 'a.txt', 'b.txt', { force: false, errorOnExist: true }],
  ['a folder', 'folder', 'copy', { recursive: true }],
  ['a folder into another', 'folder', 'other', { recursive: true }],
  ['a folder with its symlinks as they are', 'folder', 'copy', { recursive: true, verbatimSymlinks: true }],
  ['what symlinks lead to', 'folder', 'copy', { recursive: true, dereference: true }],
  ['an empty folder', 'empty', 'copy', { recursive: true }],
  ['some files', 'folder', 'copy', { recursive: true, filter: (source) => !source.endsWith('two.txt') }],
  ['a symlink', 'link', 'new'],
  ['a symlink over another', 'link', 'outer'],
  ['a folder without saying so', 'folder', 'copy'],
  ['a folder over a file', 'folder', 'a.txt', { recursive: true }],
  ['a file over a folder', 'a.txt', 'folder'],
  ['a file onto itself', 'a.txt', 'a.txt'],
  ['a folder into itself', 'folder', 'folder/below/copy', { recursive: true }],
  ['a folder into itself by another name', 'folder', 'outer/copy', { recursive: true }],
  ['a symlink over one that leads below', 'outer', 'inner'],
  ['a symlink over one that leads above', 'inner', 'outer'],
];

const CASES = ROWS.map(([what, ...args]) => ({ what, args }));

describe('compared with the fs of this Node', () => {
  it.each(CASES)('copies $what', async ({ args }) => {
    const [mine = '', real = ''] = tops;
    const wanted = await outcomeOf(realFs.promises.cp as Copy, real, args);
    expect(await outcomeOf((from, to, options) => cp(core, from, to, options), mine, args)).toEqual(wanted);
  });
});

it.each(CASES)('makes the same of $what at once as step by step', async ({ args }) => {
  const [first = '', second = ''] = tops;
  const atOnce = await outcomeOf((from, to, options) => cpSync(core, from, to, options), first, args);
  const inSteps = await outcomeOf((from, to, options) => cp(core, from, to, options), second, args);
  expect(atOnce.files).toEqual(inSteps.files);
  expect(Object(atOnce.failed)).toEqual(
    inSteps.failed === undefined ? {} : expect.objectContaining({ code: Object(inSteps.failed).code }),
  );
});
