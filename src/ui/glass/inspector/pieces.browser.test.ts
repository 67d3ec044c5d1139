import { expect, test } from 'vitest';
import '../../styles/index.css';
import './pieces.css';

const STATES = ['--glass', '--run', '--wait', '--ok', '--err', '--off'];

function backgroundOf(piece: Partial<{ kind: string; token: string }>): string {
  const mark = document.createElement('i');
  if (piece.kind) {
    mark.className = 'piece';
    mark.dataset.kind = piece.kind;
  }
  if (piece.token) mark.style.background = `var(${piece.token})`;
  document.body.append(mark);
  const { backgroundColor, backgroundImage } = getComputedStyle(mark);
  mark.remove();
  return backgroundImage === 'none' ? backgroundColor : backgroundImage;
}

test.each(['model', 'tool', 'waiting', 'retry', 'held'])('%s has the colour of no state', (kind) => {
  const shown = backgroundOf({ kind });
  expect(shown).toContain('oklch');
  for (const token of STATES) expect(shown).not.toContain(backgroundOf({ token }));
});
