import type { LoadBuiltin } from '../builtin.ts';
import type { CoverageSummary, CoveredFile } from './harness.ts';

interface Look {
  readonly pad: string;
  readonly symbol: string;
  /** Of the terminal, where it is one. */
  readonly columns: number | undefined;
  readonly colors?: {
    readonly blue: string;
    readonly green: string;
    readonly yellow: string;
    readonly red: string;
    readonly plain: string;
  };
}

interface Folder {
  readonly inner: Map<string, Folder>;
  file?: CoveredFile;
}

const percents = ({
  coveredLinePercent,
  coveredBranchPercent,
  coveredFunctionPercent,
}: CoveredFile | CoverageSummary['totals']) => [
  coveredLinePercent,
  coveredBranchPercent,
  coveredFunctionPercent,
];

const TITLES = ['line %', 'branch %', 'funcs %'];
const WIDTHS = TITLES.map((title) => title.length);
const SEPARATOR = ' | ';

/** `3-5 9` */
export function uncoveredLines(file: CoveredFile): string {
  const ranges: number[][] = [];
  for (const { line, count } of file.lines) {
    if (count > 0) continue;
    const last = ranges.at(-1);
    if (last && (last[1] ?? last[0] ?? 0) === line - 1) last[1] = line;
    else ranges.push([line]);
  }
  return ranges.map((range) => range.join('-')).join(' ');
}

/** The table of what tests have run. */
export function coverageReport(summary: CoverageSummary, { pad, symbol, columns, colors }: Look): string {
  const top: Folder = { inner: new Map() };
  let depth = 1;
  let longest = 0;
  for (const file of summary.files) {
    const below = file.path.startsWith(`${summary.workingDirectory}/`)
      ? file.path.slice(summary.workingDirectory.length + 1)
      : file.path;
    const parts = below.split('/');
    let at = top;
    for (const part of parts) {
      const next = at.inner.get(part) ?? { inner: new Map() };
      at.inner.set(part, next);
      at = next;
      longest = Math.max(longest, part.length);
    }
    at.file = file;
    depth = Math.max(depth, parts.length);
  }

  const prefix = `${pad}${symbol}`;
  const available = (columns ?? Infinity) - prefix.length;
  let nameWidth = Math.max(longest + depth - 1 + (colors ? 2 : 0), 'all files'.length);
  if (columns !== undefined && nameWidth > columns / 2) nameWidth = Math.floor(columns / 2);
  const valuesWidth = WIDTHS.reduce((sum, width) => sum + width + SEPARATOR.length, 0);
  const wanted = Math.max(
    ...summary.files.map((file) => uncoveredLines(file).length),
    'uncovered lines'.length,
  );
  let width = nameWidth + 2 + valuesWidth + wanted + 2;
  let linesWidth = Infinity;
  if (width > available) {
    nameWidth = Math.min(available * 0.5, nameWidth);
    linesWidth = Math.max(available - valuesWidth - (nameWidth + 2) - 2, 1);
    width = available;
  }
  const rule = `${prefix}${'-'.repeat(width)}\n`;
  const tint = (text: string, share: number | undefined) => {
    if (!colors || share === undefined) return text;
    const color = share > 90 ? colors.green : share > 50 ? colors.yellow : colors.red;
    return `${color}${text}${colors.blue}`;
  };
  const row = (
    name: string,
    at: number,
    cells: readonly (string | number)[],
    rest: string,
    share?: number,
  ) => {
    const room = nameWidth - at;
    const cut = name.length > room ? `\u2026${name.slice(name.length - room + 1)}` : name.padEnd(room);
    const values = cells.map((cell, column) => {
      const text = typeof cell === 'number' ? cell.toFixed(2) : cell;
      return tint(text.padStart(WIDTHS[column] ?? 0), typeof cell === 'number' ? cell : undefined);
    });
    const tail = rest.length > linesWidth ? `${rest.slice(0, linesWidth - 1)}\u2026` : rest;
    return `${prefix}${' '.repeat(at)}${[tint(cut, share), values.join(SEPARATOR), tail].join(SEPARATOR)}\n`;
  };
  const rows = ({ inner }: Folder, at: number): string =>
    [...inner]
      .map(([name, folder]) => {
        const { file } = folder;
        if (!file) return row(name, at, ['', '', ''], '') + rows(folder, at + 1);
        const shares = percents(file);
        const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
        return row(name, at, shares, uncoveredLines(file), mean);
      })
      .join('');
  return [
    `${colors?.blue ?? ''}${prefix}start of coverage report\n`,
    rule,
    row('file', 0, TITLES, 'uncovered lines'),
    rule,
    rows(top, 0),
    rule,
    row('all files', 0, percents(summary.totals), ''),
    rule,
    `${prefix}end of coverage report\n`,
    colors?.plain ?? '',
  ].join('');
}

/** In the format of lcov. */
export function lcovOf(load: LoadBuiltin, summary: CoverageSummary): string {
  const path = load('path');
  return summary.files
    .map((file) => {
      const names = file.functions.map(({ name }, at) => name || `anonymous_${at}`);
      return [
        'TN:',
        `SF:${path.relative(summary.workingDirectory, file.path)}`,
        ...file.functions.map(({ line }, at) => `FN:${line},${names[at]}`),
        ...file.functions.map(({ count }, at) => `FNDA:${count},${names[at]}`),
        `FNF:${file.totalFunctionCount}`,
        `FNH:${file.coveredFunctionCount}`,
        ...file.branches.map(({ line, count }, at) => `BRDA:${line},${at},0,${count}`),
        `BRF:${file.totalBranchCount}`,
        `BRH:${file.coveredBranchCount}`,
        ...[...file.lines]
          .sort((one, other) => one.line - other.line)
          .map(({ line, count }) => `DA:${line},${count}`),
        `LH:${file.coveredLineCount}`,
        `LF:${file.totalLineCount}`,
        'end_of_record\n',
      ].join('\n');
    })
    .join('')
    .replace(/^(?=.)/, '');
}
