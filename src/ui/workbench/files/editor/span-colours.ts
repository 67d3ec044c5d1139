import { StateEffect, StateField, type Range } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import type { Line } from '../../../kit/highlight.ts';

/** Colours the text by the lines of the page's own highlighter, which must be those of the present text. */
export const setSpans = StateEffect.define<readonly Line[]>();

/** Colours for the languages that the editor has no parser for. They move with the text until the next ones come. */
export const spanColours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(colours, transaction) {
    let now = colours.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setSpans)) now = coloursOf(effect.value);
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function coloursOf(lines: readonly Line[]): DecorationSet {
  const colours: Range<Decoration>[] = [];
  let at = 0;
  for (const line of lines) {
    for (const { text, kind } of line) {
      if (kind && text) colours.push(Decoration.mark({ class: `hl-${kind}` }).range(at, at + text.length));
      at += text.length;
    }
    at += 1;
  }
  return Decoration.set(colours);
}
