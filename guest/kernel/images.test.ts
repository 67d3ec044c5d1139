import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { filesOfImage, joinImage } from '../../src/protocol/images.ts';
import { shellAccess } from './access.ts';
import { Images } from './images.ts';
import { FileTree } from './tree.ts';

const facts = {
  name: 'tool',
  version: '1.0.0',
  bytes: 10,
  at: '/usr/lib/tool',
  bins: { tool: 'bin/tool.js' },
};
const packed = () => {
  const content = new TextEncoder().encode('the tool');
  const gzip = gzipSync(joinImage([{ path: 'bin/tool.js', isExecutable: true, content }]));
  return new Uint8Array(gzip).buffer;
};

function imagesIn() {
  const asked: string[] = [];
  const tree = new FileTree({ quotaBytes: 1e6, now: () => 0, changed: () => {} });
  const images = new Images(tree, [facts], (name) => asked.push(name));
  const read = (path: string) => new TextDecoder().decode(tree.read(shellAccess, path));
  return { asked, tree, images, read };
}

test('an image is fetched once, when a file of it is used, and counts towards no limit', async () => {
  const { asked, tree, images, read } = imagesIn();
  const { used } = tree;
  expect(images.refresh('/usr/lib/tool')).toBeUndefined();
  expect(images.refresh('/home/project/a')).toBeUndefined();
  expect(images.about('tool')).toEqual({ version: '1.0.0', bytes: 10, isHere: false });
  const both = Promise.all([images.refresh('/usr/bin/tool'), images.refresh('/usr/lib/tool/bin/tool.js')]);
  expect(asked).toEqual(['tool']);
  images.arrived('tool', packed());
  await both;
  expect(read('/usr/bin/tool')).toBe('the tool');
  expect(images.about('tool')?.isHere).toBe(true);
  expect(images.refresh('/usr/bin/tool')).toBeUndefined();
  expect(tree.used).toBe(used);
  expect(() => tree.write(shellAccess, '/usr/lib/tool/bin/tool.js', new Uint8Array())).toThrow('EACCES');
});

test('an image that could not be loaded is asked for again', async () => {
  const { asked, images, read } = imagesIn();
  const first = images.refresh('/usr/bin/tool');
  images.arrived('tool', undefined, 'the server cannot be reached');
  await expect(first).rejects.toThrow('the server cannot be reached');
  const second = images.refresh('/usr/bin/tool');
  expect(asked).toEqual(['tool', 'tool']);
  images.arrived('tool', packed());
  await second;
  expect(read('/usr/bin/tool')).toBe('the tool');
});

test('processes get the files of an image in shared memory, once it is here', async () => {
  const { images } = imagesIn();
  expect(images.shared).toEqual([]);
  const fetched = images.refresh('/usr/bin/tool');
  images.arrived('tool', packed());
  await fetched;
  const [shared] = images.shared;
  if (!shared) throw new Error('there is no shared image');
  expect(shared.at).toBe('/usr/lib/tool');
  const [file] = filesOfImage(new Uint8Array(shared.memory));
  expect(new TextDecoder().decode(file?.content.slice())).toBe('the tool');
  expect(images.shared[0]).toBe(shared);
});
