import { formatNumber } from '../../languages/numbers.ts';
import { conversationWords } from '../conversation-words.ts';
import type { Piece } from './folded-text.ts';

/** What the mark of a folded part shows: `⏎ × 200` for line ends, `␣ × 500` for other blanks. */
export function markOf(piece: Exclude<Piece, { kind: 'text' }>): string {
  if (piece.kind === 'middle') return `⋯ ${conversationWords.foldedText(piece.lines, piece.characters)}`;
  const marks = [
    ['⏎', piece.breaks],
    ['␣', piece.blanks],
  ] as const;
  return marks
    .filter(([, times]) => times > 0)
    .map(([mark, times]) => `${mark} × ${formatNumber(times)}`)
    .join(' ');
}
