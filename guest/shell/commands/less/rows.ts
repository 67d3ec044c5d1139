/** The settings for turning lines into rows of the screen. */
export interface RowStyle {
  readonly columns: number;
  /** Shows colours instead of the escape sequences that encode them. */
  readonly colours: boolean;
  /** Cuts long lines at the edge instead of wrapping them. */
  readonly chops: boolean;
  /** The number of hidden columns at the left, where lines are cut. */
  readonly shift: number;
  readonly found: RegExp | undefined;
}

const COLOUR = /^\x1b\[[\d;:]*m/;
const INVERSE = '\x1b[7m';
const NOT_INVERSE = '\x1b[27m';
const PLAIN = '\x1b[m';

/** The searchable text of a line, without colour sequences where colours are shown. */
export function plainText(line: string, colours: boolean): string {
  return colours ? line.replace(/\x1b\[[\d;:]*m/g, '') : line;
}

/** Turns one line into rows that fit the screen, each with its own colours. There is at least one row. */
export function rowsOf(line: string, style: RowStyle): string[] {
  const { columns, colours, chops, shift } = style;
  const marks = matchesIn(plainText(line, colours), style.found);
  const rows: string[] = [];
  let colour = '';
  let row = '';
  let width = 0;
  let at = 0;
  let column = 0;
  const wrap = () => {
    rows.push(row + PLAIN);
    row = colour;
    width = 0;
  };
  for (let index = 0; index < line.length;) {
    const [escape] = (colours && COLOUR.exec(line.slice(index))) || [];
    if (escape !== undefined) {
      colour = /^\x1b\[0*m$/.test(escape) ? '' : colour + escape;
      row += escape;
      index += escape.length;
      continue;
    }
    const char = String.fromCodePoint(line.codePointAt(index) ?? 0);
    const shown = char === '\t' ? ' '.repeat(8 - (column % 8)) : visible(char);
    const cells = char === '\t' ? shown.length : shown === char ? widthOf(char) : shown.length;
    const isFound = marks.has(at);
    index += char.length;
    at += char.length;
    column += cells;
    if (chops && column - cells < shift) continue;
    if (width + cells > columns) {
      if (chops) break;
      wrap();
    }
    const isOdd = shown !== char && char !== '\t';
    row += isFound || isOdd ? INVERSE + shown + NOT_INVERSE : shown;
    width += cells;
  }
  rows.push(row + (row === '' ? '' : PLAIN));
  return rows;
}

function matchesIn(text: string, found: RegExp | undefined): ReadonlySet<number> {
  const marks = new Set<number>();
  if (!found) return marks;
  found.lastIndex = 0;
  for (const match of text.matchAll(found))
    for (let at = match.index; at < match.index + match[0].length; at++) marks.add(at);
  return marks;
}

/** Shows control characters as `^X`, and bytes that are not text as `<XX>`. */
function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code === 0x1b) return 'ESC';
  if (code < 32) return `^${String.fromCharCode(code + 64)}`;
  if (code === 127) return '^?';
  if (code >= 0xdc80 && code <= 0xdcff) return `<${(code - 0xdc00).toString(16).toUpperCase()}>`;
  return code >= 0x80 && code < 0xa0 ? `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>` : char;
}

const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

function widthOf(char: string): number {
  if (/^[\p{Mn}\p{Me}\u200b-\u200d\ufe0f]$/u.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}
