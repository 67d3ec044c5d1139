const ESC = '\x1b';
export const RESET = `${ESC}[0m`;

export const bold = (text: string) => `${ESC}[1m${text}${RESET}`;
export const dim = (text: string) => `${ESC}[90m${text}${RESET}`;
export const red = (text: string) => `${ESC}[31m${text}${RESET}`;
export const green = (text: string) => `${ESC}[32m${text}${RESET}`;
export const cyan = (text: string) => `${ESC}[36m${text}${RESET}`;

/**
 * Resets the terminal after a program: leaves the alternate screen (with 47, since 1049 would also move the
 * cursor), turns mouse reports off, and restores cursor, colours and margins.
 */
export const AFTER_PROGRAM = `${ESC}[?47l${ESC}[?1000;1002;1003;1006l${ESC}[?1l${ESC}[!p${ESC}[?2004h`;

/** Matches colours, which may stay, any other escape sequence, and control characters. */
const CONTROL =
  /\x1b\[[\d;:]*m|\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|[^[\]PX^_]|$)|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * Removes everything that could move the cursor and so overwrite text around it. Colours and tabs stay. If a
 * program overwrote a line with carriage returns, only its last version is kept.
 */
export function harmless(text: string): string {
  return text
    .split('\n')
    .map(lastWriting)
    .join('\n')

    .replace(CONTROL, (found) => (/^\x1b\[[\d;:]*m$/.test(found) ? found : ''));
}

function lastWriting(row: string): string {
  const ended = row.replace(/\r+$/, '');
  return ended.slice(ended.lastIndexOf('\r') + 1);
}
