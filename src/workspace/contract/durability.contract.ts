import { describe, expect, test } from 'vitest';
import { ROOT, exec } from '../workspace.ts';
import { MemorySink, fresh, put, textAt, type Fixture } from './fixture.ts';

export function durabilityContract(make: () => Promise<Fixture>): void {
  describe('durability', () => {
    test('what is durable is there after a reload, with modes, times and symlinks', async () => {
      const { workspace, reopen } = await fresh(make);
      await put(workspace, { 'a/b.txt': 'kept', 'a/gone.txt': '', 'old/x': '1' });
      await exec(
        workspace,
        'chmod +x a/b.txt; ln -s b.txt a/link; rm a/gone.txt; mv old new; mkdir empty; rm -r new; mkdir new; echo 2 > new/y; touch -d "2020-02-02T00:00:00Z" a/b.txt; echo t > /tmp/t',
      );
      const before = await workspace.files.stat('a/b.txt');
      await workspace.durable();
      const again = await reopen();
      expect(await textAt(again, 'a/b.txt')).toBe('kept');
      expect(await again.files.stat('a/b.txt')).toEqual(before);
      expect(before?.mode).toBe(0o755);
      expect((await exec(again, 'cat a/link; cat /tmp/t')).output).toMatch(/^kept.*no such file/is);
      const entries = await again.snapshot(new MemorySink());
      expect(
        entries.map(({ path, ...entry }) => ('target' in entry ? `${path} → ${entry.target}` : path)),
      ).toEqual(['a', 'a/b.txt', 'a/link → b.txt', 'empty', 'new', 'new/y']);
      await again.close();
    });

    test('a snapshot restores to the same, whatever happened since', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'src/a.ts': 'one', 'src/b.ts': 'one', 'c.sh': '#!', 'deep/er/x': '' });
      await exec(workspace, 'chmod 755 c.sh; ln -s src/a.ts link; mkdir empty');
      const sink = new MemorySink();
      const taken = await workspace.snapshot(sink);
      expect(sink.contents.size).toBe(3);
      await exec(
        workspace,
        'rm -r src link; echo new > src; echo 2 > c.sh; chmod 644 c.sh; mkdir -p link/x; rm -r empty deep',
      );
      await workspace.restore(taken, sink.get);
      expect(await workspace.snapshot(sink)).toEqual(taken);
      expect(await textAt(workspace, 'link')).toBe('one');
      const grepped = await workspace.search.grep({ pattern: 'one', limit: 10, timeoutMs: 5000 });
      expect(grepped.matches.map(({ path }) => path)).toEqual([`${ROOT}/src/a.ts`, `${ROOT}/src/b.ts`]);
    });

    test('snapshots that follow each other are the same as those of a workspace that is opened anew', async () => {
      const { workspace, reopen } = await fresh(make);
      await put(workspace, { 'src/a.ts': 'one', 'src/b.ts': 'one', 'dist/x.js': 'x', 'deep/er/x': '' });
      const sink = new MemorySink();
      const ways = [{ skipIgnored: true }, {}];
      const lists = async (of: typeof workspace) => {
        const taken = [];
        for (const way of ways) taken.push(await of.snapshot(sink, way));
        return taken;
      };
      let taken = await lists(workspace);
      for (const change of [
        'echo two > src/a.ts; mv src/b.ts src/c.ts',
        'echo dist/ > .gitignore',
        'rm -r deep; echo file > deep; chmod +x src/a.ts; ln -s src link',
        'rm -r dist; echo file > dist; rm link; mkdir link',
        'rm .gitignore; rm dist; mkdir dist; echo y > dist/y.js',
        'true',
      ]) {
        await exec(workspace, change);
        taken = await lists(workspace);
      }
      await workspace.durable();
      const again = await reopen();
      expect(await lists(again)).toEqual(taken);
      await again.close();
    });

    test('a snapshot outlives what it was taken of', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'src/a.ts': 'one', 'ü 🦄': 'two', 'run.sh': '#!' });
      await workspace.files.write(
        'all.bin',
        Uint8Array.from({ length: 256 }, (_, index) => index),
      );
      await exec(
        workspace,
        'chmod 755 run.sh; ln -s src link; mkdir empty; touch -d "2020-02-02T00:00:00Z" src/a.ts',
      );
      const sink = new MemorySink();
      const taken = await workspace.snapshot(sink);
      await workspace.close();
      const { workspace: other } = await fresh(make);
      expect(await other.files.list('.')).toEqual([]);
      await other.restore(taken, sink.get);
      expect(await other.snapshot(sink)).toEqual(taken);
      expect(await textAt(other, 'link/a.ts')).toBe('one');
    });

    test('what is ignored is named and not kept on request, and stays where it is named', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { '.gitignore': 'dist/\n', 'src/a.ts': 'one', 'dist/a.js': 'made' });
      const sink = new MemorySink();
      const taken = await workspace.snapshot(sink, { skipIgnored: true });
      expect(taken.map(({ path, type }) => `${type} ${path}`)).toEqual([
        'file .gitignore',
        'ignored dist',
        'directory src',
        'file src/a.ts',
      ]);
      expect(sink.contents.size).toBe(2);
      await put(workspace, { 'src/a.ts': 'two', 'src/b.ts': 'new', 'dist/b.js': 'made later' });
      await workspace.restore(taken, sink.get);
      expect(await textAt(workspace, 'src/a.ts')).toBe('one');
      expect(await workspace.files.stat('src/b.ts')).toBeNull();
      expect(await textAt(workspace, 'dist/a.js')).toBe('made');
      expect(await textAt(workspace, 'dist/b.js')).toBe('made later');
      await exec(workspace, 'rm -r dist');
      await workspace.restore(taken, sink.get);
      expect(await workspace.files.stat('dist')).toBeNull();
    });

    test('a restored tree is durable, and a snapshot that cannot be had changes nothing', async () => {
      const { workspace, reopen } = await fresh(make);
      await put(workspace, { keep: 'me', 'folder/x': 'y' });
      const sink = new MemorySink();
      const taken = await workspace.snapshot(sink);
      await exec(workspace, 'rm -r folder; echo changed > keep; echo > extra');
      const broken = () => Promise.reject(new Error('lost'));
      await expect(workspace.restore(taken, broken)).rejects.toThrow('lost');
      expect(await textAt(workspace, 'keep')).toBe('changed\n');
      await workspace.restore(taken, sink.get);
      await workspace.durable();
      const again = await reopen();
      expect(await again.snapshot(sink)).toEqual(taken);
      await again.close();
    });
  });
}
