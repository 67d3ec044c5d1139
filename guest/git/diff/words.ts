import type { Painter } from '../kit/paint.ts';
import { diffLines } from './lines.ts';

/** How changed words are marked: in brackets, or by colour alone. */
export type WordStyle = 'plain' | 'color';

/** Shows the changes of a hunk word by word. */
export function wordLines(lines: readonly string[], style: WordStyle, painter: Painter): string[] {
  const result: string[] = [];
  let [old, now]: [string[], string[]] = [[], []];
  const flush = () => {
    if (old.length + now.length > 0) result.push(...changed(old.join('\n'), now.join('\n'), style, painter));
    [old, now] = [[], []];
  };
  for (const line of lines) {
    if (line.startsWith('-')) old.push(line.slice(1));
    else if (line.startsWith('+')) now.push(line.slice(1));
    else if (line.startsWith(' ')) {
      flush();
      result.push(line.slice(1));
    }
  }
  flush();
  return result;
}

interface Word {
  readonly text: string;
  /** Where the word begins and ends. */
  readonly start: number;
  readonly end: number;
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
}

function changed(before: string, after: string, style: WordStyle, painter: Painter): string[] {
  const [old, now] = [wordsIn(before), wordsIn(after)];
  const changes = diffLines(
    old.map(({ text }) => text),
    now.map(({ text }) => text),
  );
  let text = '';
  let at = 0;
  for (const { a, aLines, b, bLines } of changes) {
    const start = bLines > 0 ? (now[b]?.start ?? at) : (now[b - 1]?.end ?? 0);
    text += after.slice(at, start);
    at = start;
    if (aLines > 0)
      text += marked(
        before.slice(old[a]?.start, old[a + aLines - 1]?.end),
        ['[-', '-]'],
        'red',
        style,
        painter,
      );
    if (bLines === 0) continue;
    const end = now[b + bLines - 1]?.end ?? start;
    text += marked(after.slice(start, end), ['{+', '+}'], 'green', style, painter);
    at = end;
  }
  return (text + after.slice(at)).split('\n');
}

function marked(
  text: string,
  [open, close]: readonly [string, string],
  colour: string,
  style: WordStyle,
  painter: Painter,
): string {
  return text
    .split('\n')
    .map((line) =>
      line === '' ? '' : painter.paint(colour, style === 'color' ? line : `${open}${line}${close}`),
    )
    .join('\n');
}
