const MOST_CHARACTERS = 800;

/** The last lines of what a command printed, none of them cut but one that is longer than all there is room for. */
export function endOfOutput(output: string, most = MOST_CHARACTERS): string {
  const text = output.trim();
  if (text.length <= most) return text;
  const end = text.slice(-most);
  // The piece may begin with a line of its own.
  const isWhole = text.at(-most - 1) === '\n';
  const from = isWhole ? 0 : end.indexOf('\n') + 1 || end.indexOf(' ') + 1;
  return `…\n${end.slice(from)}`;
}
