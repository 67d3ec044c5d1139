import { StateEffect, StateField, type EditorState, type Range } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';

/** Lines from 0, end exclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Marks these lines instead of those that were marked; null marks none. */
export const markChanged = StateEffect.define<LineRange | null>();

const mark = Decoration.line({ class: 'cm-changed' });

/** The lines that the agent changed last. They keep their mark while the person types above them. */
export const changedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, transaction) {
    let now = marked.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(markChanged)) now = marksOf(transaction.state, effect.value);
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function marksOf(state: EditorState, range: LineRange | null): DecorationSet {
  const marks: Range<Decoration>[] = [];
  for (let at = range?.from ?? 0; range && at < Math.min(range.to, state.doc.lines); at++)
    marks.push(mark.range(state.doc.line(at + 1).from));
  return Decoration.set(marks);
}
