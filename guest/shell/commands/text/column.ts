import { allLines, eachInput, optionsOf, writing } from '../../kit/io.ts';
import { countOf, valueOf, type Options } from '../../kit/options.ts';

const TAB = 8;

export const column = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'ts:o:c:xN:R:Le',
    long: [
      ...['table=t', 'separator=s', 'output-separator=o', 'output-width=c', 'fillrows=x', 'table-columns=N'],
      ...['table-right=R', 'keep-empty-lines=L', 'table-noheadings'],
    ],
  });
  let lines: readonly string[] = [];
  const code = await eachInput(call, options.operands, async (source) => {
    lines = lines.concat((await allLines(source, out)).lines);
  });
  const kept = options.has.has('L') ? lines : lines.filter((line) => line.trim() !== '');
  const width = countOf(options, 'c') ?? call.terminal(1)?.columns ?? Number(call.env.get('COLUMNS') || 80);
  await out.write(options.has.has('t') ? table(kept, options) : filled(kept, width, options.has.has('x')));
  return code;
});

const widthOf = (text: string) => [...text].length;

function table(lines: readonly string[], options: Options): string {
  const separators = valueOf(options, 's');
  const cut = (line: string): string[] => {
    if (separators === undefined) return line.trim().split(/[ \t]+/);
    const cells: string[] = [''];
    for (const char of line) {
      if (separators.includes(char)) cells.push('');
      else cells.push((cells.pop() ?? '') + char);
    }
    return cells;
  };
  const rows = lines.map(cut);
  const names = valueOf(options, 'N')?.split(',');
  if (names && !options.has.has('table-noheadings')) rows.unshift(names);
  const count = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const right = new Set(
    (valueOf(options, 'R') ?? '')
      .split(',')
      .filter((name) => name !== '')
      .map((name) =>
        /^-?\d+$/.test(name)
          ? Number(name) < 0
            ? count + Number(name)
            : Number(name) - 1
          : (names?.indexOf(name) ?? -1),
      ),
  );
  const between = valueOf(options, 'o') ?? '  ';
  return rows
    .map((row) => {
      const cells = widths.map((width, at) => {
        const cell = row[at] ?? '';
        const space = ' '.repeat(width - widthOf(cell));
        return right.has(at) ? space + cell : at === count - 1 ? cell : cell + space;
      });
      return `${cells.join(between)}\n`;
    })
    .join('');
}

/** Arranges names in columns, separated by tabs. */
function filled(lines: readonly string[], width: number, byRows: boolean): string {
  const longest = Math.max(0, ...lines.map(widthOf));
  const step = (longest + TAB) & ~(TAB - 1);
  if (longest >= width) return lines.map((line) => `${line}\n`).join('');
  const columns = Math.max(1, Math.floor(width / step));
  const rows = Math.ceil(lines.length / columns);
  let text = '';
  for (let row = 0; row < rows; row++) {
    const own = byRows
      ? lines.slice(row * columns, (row + 1) * columns)
      : lines.filter((_line, at) => at % rows === row);
    for (const [at, line] of own.entries()) {
      text += line;
      if (at === own.length - 1) break;
      for (let reached = widthOf(line); reached < step; reached = (reached + TAB) & ~(TAB - 1)) text += '\t';
    }
    text += '\n';
  }
  return text;
}
