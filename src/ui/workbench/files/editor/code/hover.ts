import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import type { CodeTools } from './code-tools.svelte.ts';
import { codeWords as words } from './code-words.ts';
import { describe } from './describe.ts';
import { offsetOf } from './places.ts';

const setTip = StateEffect.define<Tooltip | null>();

/** The description that was asked for by keyboard. It goes with the next edit or move. */
const tip = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTip)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

/** Signature and comment of the name under the mouse, or with Shift+F1 of the one at the cursor. */
export function hover(tools: CodeTools): Extension {
  return [
    tip,
    hoverTooltip(async (_view, offset) => (await tipAt(tools, offset))?.tooltip ?? null),
    keymap.of([
      {
        key: 'Shift-F1',
        run(view) {
          void showAt(tools, view);
          return true;
        },
      },
      {
        key: 'Escape',
        run(view) {
          if (!view.state.field(tip)) return false;
          view.dispatch({ effects: setTip.of(null) });
          return true;
        },
      },
    ]),
  ];
}

async function showAt(tools: CodeTools, view: EditorView): Promise<void> {
  const { doc, selection } = view.state;
  const found = await tipAt(tools, selection.main.head);
  if (view.state.doc !== doc || !view.dom.isConnected) return;
  view.dispatch({
    effects: [
      setTip.of(found?.tooltip ?? null),
      // A screen reader says the description that appears beside the cursor.
      EditorView.announce.of(found?.text ?? words.noHover),
    ],
  });
}

async function tipAt(tools: CodeTools, offset: number) {
  const found = await tools.askAt('hover', offset, {}).catch(() => null);
  if (!found) return null;
  const tooltip = (doc: EditorView['state']['doc']): Tooltip => ({
    pos: offsetOf(doc, found.range.start),
    end: offsetOf(doc, found.range.end),
    above: true,
    create: () => ({ dom: describe(found) }),
  });
  return { tooltip: tooltip(tools.document), text: [found.signature, found.documentation].join('\n') };
}
