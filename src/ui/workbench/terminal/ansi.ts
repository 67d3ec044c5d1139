const ESC = '\x1b';
export const RESET = `${ESC}[0m`;

export const bold = (text: string) => `${ESC}[1m${text}${RESET}`;
export const dim = (text: string) => `${ESC}[90m${text}${RESET}`;
export const red = (text: string) => `${ESC}[31m${text}${RESET}`;
export const green = (text: string) => `${ESC}[32m${text}${RESET}`;
export const cyan = (text: string) => `${ESC}[36m${text}${RESET}`;

/** After a program: out of the alternate screen (47: 1049 would move the cursor too), mouse reports off, then cursor,
 * colours and margins as they were. */
export const AFTER_PROGRAM = `${ESC}[?47l${ESC}[?1000;1002;1003;1006l${ESC}[?1l${ESC}[!p${ESC}[?2004h`;

/** Colours, which may stay, or any other escape sequence, or a control character. */
const CONTROL =
  /\x1b\[[\d;:]*m|\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|[^[\]PX^_]|$)|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * Text in which nothing can move the cursor, so that it cannot overwrite what stands around it. Colours and tabs stay.
 * Of a line that a program overwrote with carriage returns the last writing is kept.
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
