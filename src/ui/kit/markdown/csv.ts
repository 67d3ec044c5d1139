/** Writes rows as RFC 4180 has it: fields with commas, quotes or line ends are quoted. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const field = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
