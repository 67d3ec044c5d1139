import { describe, expect, test } from 'vitest';
import { ROOT, exec } from '../workspace.ts';
import { bytesOf, fresh, put, type Fixture } from './fixture.ts';

const limits = { limit: 100, timeoutMs: 10_000 };

export function searchContract(make: () => Promise<Fixture>): void {
  describe('search', () => {
    test('glob finds files, hidden ones too, newest first, none in .git', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'src/a.ts': '', 'src/deep/b.ts': '', '.hidden/c.ts': '', 'd.js': '' });
      await exec(
        workspace,
        'touch -d "2020-01-01" src/a.ts; mkdir -p .git; echo > .git/x.ts; ln -s src link',
      );
      const { paths, truncated, hidden, timedOut } = await workspace.search.glob({
        pattern: '**/*.ts',
        ...limits,
      });
      expect(paths).toHaveLength(3);
      expect(paths.at(-1)).toBe(`${ROOT}/src/a.ts`);
      expect(new Set(paths)).toEqual(
        new Set([`${ROOT}/src/a.ts`, `${ROOT}/src/deep/b.ts`, `${ROOT}/.hidden/c.ts`]),
      );
      expect({ truncated, hidden, timedOut }).toEqual({ truncated: false, hidden: 0, timedOut: false });
      const below = await workspace.search.glob({ pattern: '*.{ts,js}', path: 'src', ...limits, limit: 1 });
      expect(below.paths).toHaveLength(1);
      expect(below.truncated).toBe(true);
    });

    test('what is ignored is left out where that is asked for, the same for paths and lines', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, {
        '.gitignore': 'dist/\n*.log\n!keep.log\n',
        'a.ts': 'hit',
        'b.log': 'hit',
        'keep.log': 'hit',
        'dist/a.ts': 'hit',
        'src/.ignore': 'made.ts\n',
        'src/made.ts': 'hit',
        'src/a.ts': 'hit',
      });
      await exec(
        workspace,
        'mkdir -p node_modules/p .git/info; echo hit > node_modules/p/i.ts; echo secret.ts > .git/info/exclude; echo hit > secret.ts',
      );
      const search = async (more: { path?: string; pattern?: string }, skipIgnored = true) => {
        const query = { ...limits, ...(more.path && { path: more.path }), skipIgnored };
        const globbed = await workspace.search.glob({ ...query, pattern: more.pattern ?? '**' });
        const grepped = await workspace.search.grep({
          ...query,
          pattern: 'hit',
          ...(more.pattern && { include: more.pattern }),
        });
        const paths = globbed.paths.map((path) => path.slice(ROOT.length + 1)).sort();
        const lines = grepped.matches.map(({ path }) => path.slice(ROOT.length + 1)).sort();
        const held = new Set(['.gitignore', 'src/.ignore', '.git/info/exclude']);
        expect(paths.filter((path) => !held.has(path))).toEqual(lines);
        expect(globbed.ignored).toBe(grepped.ignored);
        return { paths: lines, ignored: globbed.ignored };
      };
      expect(await search({})).toEqual({ paths: ['a.ts', 'keep.log', 'src/a.ts'], ignored: true });
      expect(await search({ path: 'dist' })).toEqual({ paths: ['dist/a.ts'], ignored: false });
      expect(await search({ path: 'node_modules' })).toEqual({
        paths: ['node_modules/p/i.ts'],
        ignored: false,
      });
      expect((await search({ pattern: 'dist/*.ts' })).paths).toEqual(['dist/a.ts']);
      expect((await search({ pattern: '**/b.log' })).paths).toEqual(['b.log']);
      expect((await search({ pattern: '*.log' })).paths).toEqual(['keep.log']);
      expect((await search({}, false)).paths).toEqual(expect.arrayContaining(['b.log', 'dist/a.ts']));
      await put(workspace, { '.gitignore': '' });
      expect((await search({})).paths).toEqual(expect.arrayContaining(['b.log', 'dist/a.ts']));
    });

    test('glob finds names with line breaks in them', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'a\nb.txt': '', 'c\nd/e': '' });
      const globbed = async (pattern: string) =>
        new Set((await workspace.search.glob({ pattern, ...limits })).paths);
      expect(await globbed('**')).toEqual(new Set([`${ROOT}/a\nb.txt`, `${ROOT}/c\nd/e`]));
      expect(await globbed('*.txt')).toEqual(new Set([`${ROOT}/a\nb.txt`]));
      expect(await globbed('c*/**')).toEqual(new Set([`${ROOT}/c\nd/e`]));
    });

    test('grep finds lines by number, in what was written a moment ago', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'a.txt': 'one\ntwo\r\nthree two\n', 'b/c.md': 'two\n\n', empty: '' });
      const { matches } = await workspace.search.grep({ pattern: 'two$', ...limits });
      expect(matches).toEqual([
        { path: `${ROOT}/a.txt`, line: 2, text: 'two' },
        { path: `${ROOT}/a.txt`, line: 3, text: 'three two' },
        { path: `${ROOT}/b/c.md`, line: 1, text: 'two' },
      ]);
      await put(workspace, { 'a.txt': 'nothing\n' });
      await workspace.files.rename('b', 'moved');
      const again = await workspace.search.grep({ pattern: 'two', ...limits });
      expect(again.matches.map(({ path }) => path)).toEqual([`${ROOT}/moved/c.md`]);
      await workspace.files.remove('moved', { recursive: true });
      expect((await workspace.search.grep({ pattern: 'two', ...limits })).matches).toEqual([]);
    });

    test('texts that are handed in are searched in place of the files, under the names they come with', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'a.txt': 'two' });
      const texts = [{ path: '~/kept/one.txt', text: 'one\ntwo\n' }];
      const { matches } = await workspace.search.grep({ pattern: 'two', texts, ...limits });
      expect(matches).toEqual([{ path: '~/kept/one.txt', line: 2, text: 'two' }]);
      expect(workspace.status.state).toBe('ready');
    });

    test('a line matches or does not as if it stood alone', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { f: 'a\nb a\n  \nab\na' });
      const lines = async (pattern: string) =>
        (await workspace.search.grep({ pattern, ...limits })).matches.map(({ line }) => line);
      expect(await lines('a\\s+b')).toEqual([]);
      expect(await lines('^\\s*$')).toEqual([3]);
      expect(await lines('a(?!b)')).toEqual([1, 2, 5]);
      expect(await lines('(?<=b )a')).toEqual([2]);
      expect(await lines('[^x]$')).toEqual([1, 2, 3, 4, 5]);
      expect(await lines('')).toEqual([1, 2, 3, 4, 5]);
    });

    test('ignoring case, by name, in one folder, cut at the limit', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'x/a.ts': 'Hit\nhit\nHIT', 'x/a.md': 'hit', 'y/a.ts': 'hit' });
      const grep = workspace.search.grep;
      const found = await grep({ pattern: 'hit', ignoreCase: true, include: '*.ts', path: 'x', ...limits });
      expect(found.matches.map(({ line }) => line)).toEqual([1, 2, 3]);
      const cut = await grep({ pattern: 'hit', ignoreCase: true, ...limits, limit: 2 });
      expect(cut).toMatchObject({ truncated: true, timedOut: false });
      expect(cut.matches).toHaveLength(2);
      const exact = await grep({ pattern: 'hit', path: 'x', include: '*.ts', ...limits, limit: 1 });
      expect(exact.truncated).toBe(false);
    });

    test('what visibility hides is counted and never shown', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { '.env': 'KEY=1', 'sub/.env': 'KEY=2', '.env.example': 'KEY=', other: 'KEY=3' });
      const visibility = [
        { pattern: '*.env', visible: false },
        { pattern: '*.env.*', visible: false },
        { pattern: '*.env.example', visible: true },
      ];
      const grepped = await workspace.search.grep({ pattern: 'KEY', visibility, ...limits });
      expect(grepped.matches.map(({ path }) => path)).toEqual([`${ROOT}/.env.example`, `${ROOT}/other`]);
      expect(grepped.hidden).toBe(2);
      const globbed = await workspace.search.glob({ pattern: '**/.env*', visibility, ...limits });
      expect(globbed).toMatchObject({ paths: [`${ROOT}/.env.example`], hidden: 2 });
    });

    test('the count of what visibility hides tells nothing of what it holds or is called', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { '.env': 'KEY=1', 'sub/.env': 'KEY=2', other: 'x' });
      const query = { visibility: [{ pattern: '*.env', visible: false }], ...limits };
      const hidden = await Promise.all([
        ...['^KEY=1', '^KEY=9'].map((pattern) => workspace.search.grep({ pattern, ...query })),
        ...['.e*', '.x*'].map((include) => workspace.search.grep({ pattern: 'KEY', include, ...query })),
        ...['**/.e*', '**/.x*'].map((pattern) => workspace.search.glob({ pattern, ...query })),
      ]);
      expect(hidden.map((each) => each.hidden)).toEqual([2, 2, 2, 2, 2, 2]);
      const below = await workspace.search.grep({ pattern: 'x', path: 'sub', ...query });
      expect(below.hidden).toBe(1);
    });

    test('binary files are left out, long lines are cut, UTF-8 is read', async () => {
      const { workspace } = await fresh(make);
      await workspace.files.write('binary', Uint8Array.of(104, 105, 116, 0, 1, 2));
      await workspace.files.write('long', bytesOf(`hit${'x'.repeat(5000)}`));
      await workspace.files.write('utf8', bytesOf('é hit 🦄'));
      const { matches } = await workspace.search.grep({ pattern: 'hit', ...limits });
      expect(matches.map(({ text }) => text.length)).toEqual([2000, 8]);
      expect(
        (await workspace.search.grep({ pattern: '\\p{Emoji_Presentation}', ...limits })).matches,
      ).toHaveLength(1);
    });

    test('a bad pattern, a missing folder and one outside are errors', async () => {
      const { workspace } = await fresh(make);
      await expect(workspace.search.grep({ pattern: '(', ...limits })).rejects.toMatchObject({
        code: 'EINVAL',
      });
      await expect(workspace.search.grep({ pattern: 'x', path: 'no', ...limits })).rejects.toMatchObject({
        code: 'ENOENT',
      });
      await expect(workspace.search.glob({ pattern: '*', path: '..', ...limits })).rejects.toMatchObject({
        code: 'EACCES',
      });
    });

    test('an expression that never ends is ended, with what was found before', async ({ skip }) => {
      const { workspace, terminable } = await fresh(make);
      if (!terminable) skip();
      await put(workspace, { 'a.txt': 'aab\n', 'b.txt': `${'a'.repeat(60)}!\n`, 'c.txt': 'aab' });
      // The first search starts what searches, which is not what is timed.
      await workspace.search.grep({ pattern: 'b', ...limits });
      const started = performance.now();
      const bomb = workspace.search.grep({ pattern: '^(a+)+b$', limit: 10, timeoutMs: 300 });
      const behind = workspace.search.grep({ pattern: 'aab', ...limits });
      expect(await bomb).toMatchObject({ timedOut: true });
      expect(performance.now() - started).toBeLessThan(1300);
      expect((await behind).matches).toHaveLength(2);
      await expect(
        workspace.search.grep({ pattern: '^(a+)+b$', ...limits, signal: AbortSignal.timeout(50) }),
      ).rejects.toMatchObject({ code: 'ECANCELED' });
      expect((await workspace.search.grep({ pattern: 'aab', ...limits })).matches).toHaveLength(2);
    });
  });
}
