import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type KeyBinding,
} from '@codemirror/view';
import { changedLines } from './changed-lines.ts';
import { editorWords as words } from './editor-words.ts';
import { spanColours } from './span-colours.ts';
import { theme } from './theme.ts';

/** The id, in the shadow root, of the sentence that says how to leave. */
export const HINT_ID = 'leave';

/** The columns of a tab, as everywhere on the page. */
const TAB = 4;

/** Opens the lessons, on the whole page. */
const PAGE_KEY = 'Mod-Shift-l';

/** Until another key is pressed. CodeMirror's own two seconds are too short for some people. */
const NO_HURRY_MS = 3_600_000;

/** A press of Tab indents, so leaving by keyboard needs its own way: Escape, then Tab. */
const leave: KeyBinding = {
  key: 'Escape',
  run(view) {
    view.setTabFocusMode(NO_HURRY_MS);
    return true;
  },
};

const searchKeys = searchKeymap.filter(({ key }) => key !== PAGE_KEY);

/** Files that are dropped belong to the workspace, not into the text. */
const dropsAreFiles = EditorView.domEventHandlers({
  drop: (event) => event.dataTransfer?.types.includes('Files') ?? false,
});

export function extensions(path: () => string, indent: string): Extension {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    indentOnInput(),
    bracketMatching(),
    search({ top: true }),
    changedLines,
    spanColours,
    theme,
    dropsAreFiles,
    EditorState.tabSize.of(TAB),
    indentUnit.of(indent),
    // A lone carriage return stays what it is: a character, not the end of a line.
    EditorState.lineSeparator.of('\n'),
    EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, '\n')),
    EditorState.phrases.of(words.phrases),
    EditorView.contentAttributes.of(() => ({
      'aria-label': words.textOf(path()),
      // Content that can be edited has the focus without it, which axe does not know where the text scrolls.
      tabindex: '0',
      'aria-describedby': HINT_ID,
    })),
    keymap.of([...searchKeys, ...defaultKeymap, ...historyKeymap, indentWithTab, leave]),
  ];
}
