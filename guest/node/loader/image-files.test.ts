import { expect, test } from 'vitest';
import { joinImage } from '../../../src/protocol/images.ts';
import { ImageFiles } from './image-files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function program() {
  const joined = joinImage([
    { path: 'bin/tool.js', isExecutable: true, content: bytes('require("../lib")') },
    { path: 'lib/a/index.js', isExecutable: false, content: bytes('exports.é = 1') },
    { path: 'lib/empty.js', isExecutable: false, content: bytes('') },
  ]);
  const memory = new SharedArrayBuffer(joined.byteLength);
  new Uint8Array(memory).set(joined);
  return new ImageFiles({ at: '/usr/lib/tool', memory });
}

test('files and folders of a program are found and read in shared memory', () => {
  const files = program();
  expect(files.look('/usr/lib/tool/bin/tool.js')).toBe('file');
  expect(files.look('/usr/lib/tool/lib')).toBe('directory');
  expect(files.look('/usr/lib/tool/lib/a')).toBe('directory');
  expect(files.look('/usr/lib/tool/lib/a.js')).toBeUndefined();
  expect(files.look('/usr/lib/tool/lib/a/index.js/package.json')).toBeUndefined();
  expect(files.read('/usr/lib/tool/lib/a/index.js')).toBe('exports.é = 1');
  expect(files.read('/usr/lib/tool/lib/empty.js')).toBe('');
  expect(files.read('/usr/lib/tool/lib')).toBeUndefined();
  expect(files.read('/usr/lib/tool/lib/b.js')).toBeUndefined();
});

test('only plain paths below the folder of a program belong to it', () => {
  const files = program();
  expect(files.holds('/usr/lib/tool/lib/b.js')).toBe(true);
  expect(files.holds('/usr/lib/tool')).toBe(false);
  expect(files.holds('/usr/lib/tools/a.js')).toBe(false);
  expect(files.holds('/usr/lib/tool/../other/a.js')).toBe(false);
  expect(files.holds('/usr/lib/tool/lib//a.js')).toBe(false);
  expect(files.holds('/usr/lib/tool/lib/')).toBe(false);
});
