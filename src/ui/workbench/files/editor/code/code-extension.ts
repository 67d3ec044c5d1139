import { autocompletion } from '@codemirror/autocomplete';
import { Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { isMac } from '../../../../commands.ts';
import { codeTheme } from './code-theme.ts';
import type { CodeTools } from './code-tools.svelte.ts';
import { completionSource } from './completion-source.ts';
import { hover } from './hover.ts';
import { problems } from './problems.ts';

/** The editor's extensions that ask the language service. */
export function codeExtension(tools: CodeTools): Extension {
  return [
    codeTheme,
    autocompletion({ override: [completionSource(tools)] }),
    // Before the key that leaves the text.
    Prec.high(hover(tools)),
    Prec.high(problems(tools)),
    Prec.high(
      keymap.of([
        { key: 'F12', preventDefault: true, run: () => (void tools.define(), true) },
        { key: 'F2', preventDefault: true, run: () => (tools.rename(), true) },
      ]),
    ),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (event.button !== 0 || !(isMac ? event.metaKey : event.ctrlKey)) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (offset === null) return false;
        event.preventDefault();
        void tools.define(offset);
        return true;
      },
    }),
  ];
}
