import { mkdtempSync, rmSync } from 'node:fs';
import * as disk from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalChange } from '../../src/protocol/journal.ts';
import { ROOT } from '../../src/base/places.ts';
import type { FileChange } from '../../src/protocol/workspace-values.ts';
import { shellAccess, toolAccess } from './access.ts';
import { AppFiles } from './app-files.ts';
import { copy } from './copy.ts';
import { FsError } from './errors.ts';
import { ChangeJournal } from './journal.ts';
import { load } from './load.ts';
import { directoryNode, fileNode, namesOf, nodeAt, walk, type DirectoryNode } from './nodes.ts';
import { Snapshots } from './snapshots.ts';
import { FileTree } from './tree.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function tree(options: Partial<ConstructorParameters<typeof FileTree>[0]> = {}): FileTree {
  return new FileTree({ quotaBytes: 1e9, now: () => 1, changed: () => {}, ...options });
}

const name = fc.constantFrom('a', 'b', 'c');
const path = fc.array(fc.oneof({ weight: 8, arbitrary: name }, { weight: 1, arbitrary: fc.constant('..') }), {
  minLength: 1,
  maxLength: 4,
});
const relative = path.map((parts) => parts.join('/'));

type Step =
  | {
      readonly op: 'write' | 'append' | 'mkdir' | 'mkdirs' | 'rm' | 'rmr' | 'read' | 'list';
      readonly path: string;
    }
  | { readonly op: 'mv' | 'ln' | 'hard'; readonly from: string; readonly to: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    op: fc.constantFrom('write', 'append', 'mkdir', 'mkdirs', 'rm', 'rmr', 'read', 'list'),
    path: relative,
  }),
  fc.record({ op: fc.constantFrom('mv', 'ln', 'hard'), from: relative, to: relative }),
);

function onTree(files: FileTree, at: Step): unknown {
  switch (at.op) {
    case 'write':
      return void files.write(shellAccess, at.path, bytes(at.path));
    case 'append':
      return void files.append(shellAccess, at.path, bytes('+'));
    case 'mkdir':
      return files.makeDirectory(shellAccess, at.path, false);
    case 'mkdirs':
      return files.makeDirectory(shellAccess, at.path, true);
    case 'rm':
      return files.remove(shellAccess, at.path, false);
    case 'rmr':
      return files.remove(shellAccess, at.path, true);
    case 'read':
      return new TextDecoder().decode(files.read(shellAccess, at.path));
    case 'list':
      return [...files.directoryAt(shellAccess, at.path).node.children.keys()].sort();
    case 'mv':
      return files.rename(shellAccess, at.from, at.to);
    case 'ln':
      return files.symlink(shellAccess, at.from, at.to);
    case 'hard':
      return files.link(shellAccess, at.from, at.to);
  }
}

function onDisk(folder: string, at: Step): unknown {
  const real = (relativePath: string) => `${folder}/${relativePath}`;
  switch (at.op) {
    case 'write':
      return disk.writeFileSync(real(at.path), at.path);
    case 'append':
      return disk.appendFileSync(real(at.path), '+');
    case 'mkdir':
      disk.mkdirSync(real(at.path));
      return 1;
    case 'mkdirs': {
      const first = disk.mkdirSync(real(at.path), { recursive: true });
      return first === undefined ? 0 : depthOf(real(at.path)) - depthOf(first) + 1;
    }
    case 'rm':
      return disk.lstatSync(real(at.path)).isDirectory()
        ? disk.rmdirSync(real(at.path))
        : disk.unlinkSync(real(at.path));
    case 'rmr':
      return disk.rmSync(real(at.path), { recursive: true });
    case 'read':
      return disk.readFileSync(real(at.path), 'utf8');
    case 'list':
      return disk.readdirSync(real(at.path)).sort();
    case 'mv':
      return disk.renameSync(real(at.from), real(at.to));
    case 'ln':
      return disk.symlinkSync(at.from, real(at.to));
    case 'hard':
      return disk.linkSync(real(at.from), real(at.to));
  }
}

const depthOf = (path: string) => normalize(path).split('/').length;

function outcome(run: () => unknown): unknown {
  try {
    return run() ?? 'done';
  } catch {
    return 'refused';
  }
}

/** Lists a tree as `find` would, with the names and content of each file and the target of each link. */
function shape(files: FileTree): string[] {
  const root = nodeAt(files.top, ROOT);
  return root
    ? [...walk('', root)]
        .slice(1)
        .map(([each, node]) => {
          const more =
            node.type === 'file'
              ? `${namesOf(node)} ${new TextDecoder().decode(node.content ?? undefined)}`
              : node.type === 'symlink'
                ? node.target
                : '';
          return `${node.type} ${each.slice(1)} ${more}`;
        })
        .sort()
    : [];
}

function shapeOnDisk(folder: string, below = ''): string[] {
  return disk
    .readdirSync(join(folder, below), { withFileTypes: true })
    .flatMap((entry) => {
      const at = below ? `${below}/${entry.name}` : entry.name;
      if (entry.isSymbolicLink()) return [`symlink ${at} ${disk.readlinkSync(join(folder, at))}`];
      if (entry.isFile()) {
        const { nlink } = disk.statSync(join(folder, at));
        return [`file ${at} ${nlink} ${disk.readFileSync(join(folder, at), 'utf8')}`];
      }
      return [`directory ${at} `, ...shapeOnDisk(folder, at)];
    })
    .sort();
}

test('behaves like the operating system, step by step', () => {
  const base = mkdtempSync(join(tmpdir(), 'vitrine-tree-'));
  let run = 0;
  try {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        // Deep enough that no `..` in a link reaches the folders around it.
        const folder = join(base, String(run++), 'p', 'q', 'r', 's', 't');
        disk.mkdirSync(folder, { recursive: true });
        const files = tree();
        const inside = steps.filter((each) => !climbs(each));
        for (const each of inside)
          expect(
            outcome(() => onTree(files, each)),
            JSON.stringify(each),
          ).toEqual(outcome(() => onDisk(folder, each)));
        expect(shape(files)).toEqual(shapeOnDisk(folder));
      }),
      { numRuns: 150 },
    );
  } finally {
    rmSync(base, { recursive: true });
  }
});

test('whoever changes which paths there are, of which type and with which target, it is told', () => {
  const paths = (files: FileTree) =>
    JSON.stringify(
      [...walk('', files.top)].map(([at, node]) => [at, node.type, 'target' in node && node.target]),
    );
  const ways: ((files: FileTree) => void)[] = [
    (files) => files.write(shellAccess, 'a/b/c', bytes('x'), { parents: true }),
    (files) => files.plant('/home/.opencode/x/y', fileNode(bytes('x'), 1)),
    (files) => files.mount('/usr/lib/z', directoryNode(1)),
    (files) => files.uproot('/home/project/a'),
    (files) => files.replaceRoot(directoryNode(1)),
  ];
  fc.assert(
    fc.property(
      fc.array(fc.oneof(step, fc.constantFrom(...ways)), { minLength: 1, maxLength: 25 }),
      (steps) => {
        let told = 0;
        const files = tree({ namesChanged: () => told++ });
        for (const each of steps) {
          const before = { paths: paths(files), told };
          outcome(() => (typeof each === 'function' ? each(files) : onTree(files, each)));
          if (paths(files) !== before.paths) expect(told).toBeGreaterThan(before.told);
        }
        const before = told;
        files.append(shellAccess, '/tmp/more', bytes('x'));
        expect(told).toBe(before + 1);
        files.append(shellAccess, '/tmp/more', bytes('x'));
        expect(told).toBe(before + 1);
      },
    ),
  );
});

/** Steps that could leave the folder: what lies outside differs between the two systems. */
function climbs(each: Step): boolean {
  return ('path' in each ? [each.path] : [each.from, each.to]).some((one) => one.includes('..'));
}

test('no tool can touch anything outside the root, whatever links a shell has made', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.array(step, { maxLength: 15 }), (shell, tool) => {
      const files = tree();
      files.write(shellAccess, '/tmp/outside', bytes('secret'));
      outcome(() => files.symlink(shellAccess, '/tmp', 'a'));
      outcome(() => files.symlink(shellAccess, '../../tmp/outside', 'b'));
      for (const each of shell) outcome(() => onTree(files, each));
      const around = () =>
        [...walk('', files.top)]
          .filter(([each]) => !each.startsWith(ROOT))
          .map(([each, node]) => [each, node.type]);
      const outside = () => new TextDecoder().decode(files.read(shellAccess, '/tmp/outside'));
      const before = [...around(), outside()];
      for (const each of tool) {
        const paths = 'path' in each ? [each.path] : [each.from, each.to];
        for (const one of paths) {
          outcome(() => files.write(toolAccess, one, bytes('x'), { parents: true }));
          outcome(() => files.makeDirectory(toolAccess, one, true));
          outcome(() => files.rename(toolAccess, one, paths[0] ?? ''));
          outcome(() => files.remove(toolAccess, one, true));
          expect(outcome(() => new TextDecoder().decode(files.read(toolAccess, one)))).not.toBe(outside());
        }
      }
      expect([...around(), outside()]).toEqual(before);
    }),
  );
});

test('replaying the batches of the journal makes the same tree', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 40 }), (steps) => {
      const changes: JournalChange[] = [];
      const files = tree({ changed: (each, change) => journal.note(each, change) });
      const journal: ChangeJournal = new ChangeJournal(files.top, (batch) => changes.push(...batch));
      for (const [each, flushed] of steps) {
        outcome(() => onTree(files, each));
        if (flushed) journal.flush();
      }
      journal.flush();
      const again = tree();
      load(again, { packs: [], tail: changes });
      expect(shape(again)).toEqual(shape(files));
    }),
  );
});

test('the counted size and number match the files', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const files = tree();
      const empty = files.used;
      for (const each of steps) outcome(() => onTree(files, each));
      outcome(() => copy(files, shellAccess, 'a', 'copy', true));
      for (const child of [...rootOf(files).children.keys()]) files.remove(shellAccess, child, true);
      // A step may have gone up into HOME.
      const { children } = files.directoryAt(shellAccess, '..').node;
      for (const child of [...children.keys()])
        if (child !== 'project') files.remove(shellAccess, `../${child}`, true);
      expect(files.used).toBe(empty);
    }),
  );
});

function rootOf(files: FileTree): DirectoryNode {
  return files.directoryAt(shellAccess, ROOT).node;
}

test('a full tree refuses content that does not fit, and takes content that does', () => {
  const files = tree({ quotaBytes: 20_000 });
  expect(() => files.write(shellAccess, 'big', new Uint8Array(20_000))).toThrow(FsError);
  files.write(shellAccess, 'small', new Uint8Array(10_000));
  expect(() => files.append(shellAccess, 'small', new Uint8Array(10_000))).toThrow('ENOSPC');
  expect(() => files.write(shellAccess, '/tmp/big', new Uint8Array(10_000))).toThrow('ENOSPC');
  files.write(shellAccess, 'small', new Uint8Array(1));
  files.write(shellAccess, '/tmp/big', new Uint8Array(10_000));
  expect(() => {
    for (let n = 0; ; n++) files.write(shellAccess, `empty${n}`, new Uint8Array());
  }).toThrow('ENOSPC');
});

test('the number of files, folders and links is limited, and removing makes room', () => {
  const files = tree({ quotaFiles: 30 });
  const fill = () => {
    for (let n = 0; ; n++) files.write(shellAccess, `f${n}`, bytes('x'));
  };
  files.makeDirectory(shellAccess, 'folder/below', true);
  expect(fill).toThrow('ENOSPC: no space left on device (there may be 30 files and folders)');
  expect(() => files.symlink(shellAccess, 'f0', 'link')).toThrow('ENOSPC');
  expect(() => files.makeDirectory(shellAccess, 'more', false)).toThrow('ENOSPC');
  files.write(shellAccess, 'f0', bytes('other'));
  files.rename(shellAccess, 'f0', 'folder/f0');
  files.remove(shellAccess, 'folder', true);
  for (const name of ['a', 'b', 'c']) files.write(shellAccess, name, bytes(name));
  expect(() => files.write(shellAccess, 'd', bytes('d'))).toThrow('ENOSPC');
});

test('large changes go to the app in parts', () => {
  const sent: number[] = [];
  const files = tree({ changed: (each, change) => journal.note(each, change) });
  const journal: ChangeJournal = new ChangeJournal(files.top, (batch) => void sent.push(batch.length));
  for (let n = 0; n < 2500; n++) files.write(shellAccess, `f${n}`, bytes('x'));
  journal.flush();
  expect(sent).toEqual([1000, 1000, 500]);
});

test('a path of one million links ends', () => {
  const files = tree();
  files.symlink(shellAccess, 'b/b', 'a');
  files.symlink(shellAccess, 'a/a', 'b');
  expect(() => files.read(shellAccess, 'a')).toThrow('ELOOP');
});

test('changes are reported for every node that is created, and once for a removed tree', () => {
  const told: [string, FileChange['change']][] = [];
  const files = tree({ changed: (each, change) => told.push([each.slice(ROOT.length + 1), change]) });
  files.write(toolAccess, 'a/b/c', bytes('x'), { parents: true });
  files.rename(toolAccess, 'a', 'z');
  expect(told).toEqual([
    ['a', 'created'],
    ['a/b', 'created'],
    ['a/b/c', 'created'],
    ['a', 'removed'],
    ['z', 'created'],
    ['z/b', 'created'],
    ['z/b/c', 'created'],
  ]);
});

test('appending changes neither content that was read before nor copies', () => {
  const files = tree();
  const line = bytes('x'.repeat(5_000));
  const text = (at: string) => files.read(shellAccess, at);
  for (let n = 1; n <= 20; n++) {
    files.append(shellAccess, 'log', line);
    const read = text('log');
    expect(read.byteLength).toBe(n * 5_000);
    if (n === 10) {
      copy(files, shellAccess, 'log', 'copy', false);
      files.append(shellAccess, 'copy', bytes('copy'));
    }
  }
  expect(new TextDecoder().decode(text('copy').subarray(-6))).toBe('xxcopy');
  expect(text('log').every((byte) => byte === 120)).toBe(true);
  files.write(shellAccess, 'log', bytes('new'));
  files.append(shellAccess, 'log', bytes('er'));
  expect(new TextDecoder().decode(text('log'))).toBe('newer');
});

test('a write to either of two names of a file changes both, and is reported for both', () => {
  const told: string[] = [];
  const files = tree({ changed: (each, change) => told.push(`${change} ${each.slice(ROOT.length + 1)}`) });
  files.write(shellAccess, 'a', bytes('one'));
  files.link(shellAccess, 'a', 'b');
  told.length = 0;
  files.append(shellAccess, 'b', bytes(' two'));
  expect(told.sort()).toEqual(['modified a', 'modified b']);
  expect(new TextDecoder().decode(files.read(shellAccess, 'a'))).toBe('one two');
  files.rename(shellAccess, 'a', 'b');
  expect(shape(files)).toEqual(['file a 2 one two', 'file b 2 one two']);
  files.remove(shellAccess, 'a', false);
  expect(shape(files)).toEqual(['file b 1 one two']);
});

test('a tool that writes to one path leaves other names of the file unchanged', () => {
  const files = tree();
  files.write(shellAccess, 'kept', bytes('x'));
  files.link(shellAccess, 'kept', 'open');
  new AppFiles(files).write('open', bytes('y'), {});
  expect(shape(files)).toEqual(['file kept 1 x', 'file open 1 y']);
});

test('a file that may not be changed gets no second name under which it may', () => {
  const files = tree();
  files.plant('/etc/kept', fileNode(bytes('x'), 0));
  expect(() => files.link(shellAccess, '/etc/kept', 'mine')).toThrow('EACCES');
});

test('restoring a snapshot keeps two names of a file together', async () => {
  const files = tree();
  files.write(shellAccess, 'a', bytes('one'));
  files.link(shellAccess, 'a', 'b');
  const snapshots = new Snapshots(files);
  const { changed: entries } = await snapshots.take(null);
  const contents = new Map(
    entries.flatMap((each) => (each.type === 'file' ? [[each.hash, bytes('one')] as const] : [])),
  );
  files.write(shellAccess, 'b', bytes('other'));
  expect(await snapshots.restore(entries, contents)).toEqual([]);
  expect(shape(files)).toEqual(['file a 2 one', 'file b 2 one']);
  files.append(shellAccess, 'a', bytes('!'));
  expect(shape(files)).toEqual(['file a 2 one!', 'file b 2 one!']);
});

test('folders and links that a restore makes anew have the time of the restore', async () => {
  const files = tree({ now: () => 5_000 });
  files.makeDirectory(shellAccess, 'folder/empty', true);
  files.symlink(shellAccess, 'folder', 'link');
  const snapshots = new Snapshots(files);
  const { changed: entries } = await snapshots.take(null);
  files.remove(shellAccess, 'folder', true);
  files.remove(shellAccess, 'link', false);
  expect(await snapshots.restore(entries, new Map())).toEqual([]);
  const times = ['folder', 'folder/empty', 'link'].map(
    (path) => nodeAt(files.top, `${ROOT}/${path}`)?.modified,
  );
  expect(times).toEqual([5_000, 5_000, 5_000]);
});

test('the folders of the app in HOME cannot be moved or removed with the folder around them', () => {
  const files = tree();
  files.plant('/home/.config/opencode', directoryNode(1));
  files.write(shellAccess, '/home/.npmrc', bytes('x'));
  files.makeDirectory(shellAccess, '/home/.config/tool', true);
  expect(() => files.remove(shellAccess, '/home/.config', true)).toThrow(FsError);
  expect(() => files.rename(shellAccess, '/home/.config', '/tmp/own')).toThrow(FsError);
  expect(() => files.remove(shellAccess, '/home/.config/opencode', true)).toThrow(FsError);
  files.remove(shellAccess, '/home/.config/tool', true);
});

test('a snapshot lists what differs from the one that the app has, else everything', async () => {
  const files = tree();
  const snapshots = new Snapshots(files);
  files.write(shellAccess, 'a.txt', bytes('one'));
  files.write(toolAccess, 'dir/b.txt', bytes('two'), { parents: true });
  const paths = (entries: readonly { readonly path: string }[]) => entries.map(({ path }) => path);
  const first = await snapshots.take(null);
  expect([first.whole, paths(first.changed)]).toEqual([true, ['a.txt', 'dir', 'dir/b.txt']]);
  files.write(shellAccess, 'a.txt', bytes('changed'));
  files.remove(shellAccess, 'dir/b.txt', false);
  const second = await snapshots.take(first.id);
  expect(second).toMatchObject({ whole: false, gone: ['dir/b.txt'] });
  expect(paths(second.changed)).toContain('a.txt');
  expect(paths(second.changed)).not.toContain('dir/b.txt');
  expect(await snapshots.take(second.id)).toMatchObject({ whole: false, changed: [], gone: [] });
  // Whoever has an older one, or one of another kernel, gets everything.
  for (const since of [first.id, (await new Snapshots(files).take(null)).id, null])
    expect((await snapshots.take(since)).whole).toBe(true);
});
