// The programs of test/fixtures/node/*.txt, and how what they print is made comparable. Shared by the script that records
// real Node's answers and by the suites that compare with them.

/** Where the cases lie in the workspace; a real one's folder has a name of the same length, so that lines break alike. */
export const HOME = '/home/project';

/**
 * A file of cases: `== name`, then `$ command` (default: `node main.js` or `main.mjs`), then its files, each after
 * `-- path`. A blank line before the next case belongs to none.
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

/** A folder below {@link HOME} for a case. */
export function folderOf(area, name) {
  return `${area}/${name.replace(/[^A-Za-z0-9_]+/g, '-')}`;
}

/** Without what differs from one run to the next, and without the insides of the runtime. */
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
    .replace(/\(node:\d+\)/g, '(node:PID)')
    .replace(/(duration_ms:? )[\d.]+/g, '$1N')
    .replace(/\(\d+(\.\d+)?ms\)/g, '(N ms)');
}

/** Assertions of one case: what it prints, line by line, and its exit code. */
export function assertionsOf({ stdout, stderr }) {
  return (
    [stdout, stderr]
      .join('\n')
      .split('\n')
      .filter((line) => line.trim() !== '').length + 1
  );
}
