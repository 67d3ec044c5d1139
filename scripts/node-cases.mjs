// Reads the programs of test/fixtures/node/*.txt and makes their output comparable. The script that
// records real Node's answers uses this, and so do the suites that compare with them.

/** The folder of the cases in the workspace. Real Node's name has the same length, so lines break alike. */
export const HOME = '/home/project';

/**
 * Parses a file of cases: `== name`, then `$ command` (default: `node main.js` or `main.mjs`), then files,
 * each after `-- path`. A blank line before the next case belongs to neither case.
 */
export function parseCases(text) {
  return text
    .split(/^== /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...files] = part.split(/^-- /m);
      const [name = '', ...rest] = head.split('\n');
      const placed = Object.fromEntries(
        files.map((file) => {
          const end = file.indexOf('\n');
          return [file.slice(0, end).trim(), `${file.slice(end + 1).trimEnd()}\n`];
        }),
      );
      const given = rest.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
      const main = ['main.mjs', 'main.ts'].find((path) => path in placed) ?? 'main.js';
      return { name, command: given.length > 0 ? given.join('\n') : `node ${main}`, files: placed };
    });
}

/** Returns the folder of a case, relative to {@link HOME}. */
export function folderOf(area, name) {
  return `${area}/${name.replace(/[^A-Za-z0-9_]+/g, '-')}`;
}

/** Removes everything that differs between runs, and the runtime's internals. */
export function comparable(text) {
  return text
    .replace(/^ +at .*\(?node:internal.*\n/gm, '')
    .replace(/^ +at (node:|async node:).*\n/gm, '')
    .replace(/^ +at .*\(node:[^)]*\)\n/gm, '')
    .replace(/^node:[\w/]+:\d+\n.*\n +\^+\n\n?/gm, '')
    .replace(/^((?: +at |\S*Error\b).*) \{$/gm, '$1')
    .replace(/^ +\S.* \(node:[\w/.]+:\d+:\d+\)\n/gm, '')
    .replace(/^file:\/\/\/.*\/node:.*\n/gm, '')
    .replace(/^npm error A complete log .*\n/gm, '')
    .replace(/^Fetching npm .*\n/gm, '')
    .replace(/\(node:\d+\)/g, '(node:PID)')
    .replace(/(duration_ms:? )[\d.]+/g, '$1N')
    .replace(/\(\d+(\.\d+)?ms\)/g, '(N ms)');
}

/** Returns the assertions of one case: each line of its output, and its exit code. */
export function assertionsOf({ stdout, stderr }) {
  return (
    [stdout, stderr]
      .join('\n')
      .split('\n')
      .filter((line) => line.trim() !== '').length + 1
  );
}
