/**
 * Whether a shell would wait for more lines: an open quote, a line that ends in a backslash, a here-document without
 * its end. Only a convenience for the prompt, so nested quoting inside `$(…)` is not followed: a wrong guess is
 * mended by one more Enter or Ctrl-C.
 */
export function isComplete(command: string): boolean {
  let quote: "'" | '"' | undefined;
  let heredocs: { word: string; tabs: boolean }[] = [];
  const rows = command.split('\n');
  for (let at = 0; at < rows.length; at += 1) {
    const open = heredocs[0];
    const row = rows[at] ?? '';
    if (open && !quote) {
      if ((open.tabs ? row.replace(/^\t+/, '') : row) === open.word) heredocs = heredocs.slice(1);
      continue;
    }
    const scanned = scanRow(row, quote);
    quote = scanned.quote;
    heredocs = scanned.heredocs;
    if (scanned.continues && at === rows.length - 1) return false;
  }
  return !quote && heredocs.length === 0;
}

const HEREDOC = /^<<(-?)[ \t]*(['"]?)([\w.-]+)\2/;

function scanRow(row: string, open: "'" | '"' | undefined) {
  const heredocs: { word: string; tabs: boolean }[] = [];
  let quote = open;
  let at = 0;
  while (at < row.length) {
    const char = row[at];
    if (char === '\\' && quote !== "'") {
      if (at === row.length - 1) return { quote, heredocs, continues: true };
      at += 2;
      continue;
    }
    if (quote) {
      if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") {
      quote = char;
    } else if (char === '#' && (at === 0 || /[\s;&|(]/.test(row[at - 1] ?? ''))) {
      break;
    } else if (row.startsWith('<<<', at)) {
      at += 2;
    } else if (char === '<') {
      const heredoc = HEREDOC.exec(row.slice(at));
      if (heredoc) {
        heredocs.push({ word: heredoc[3] ?? '', tabs: heredoc[1] === '-' });
        at += heredoc[0].length - 1;
      }
    }
    at += 1;
  }
  return { quote, heredocs, continues: false };
}
