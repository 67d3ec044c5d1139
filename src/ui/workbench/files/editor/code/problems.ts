import {
  diagnosticCount,
  forEachDiagnostic,
  linter,
  lintGutter,
  nextDiagnostic,
  openLintPanel,
  previousDiagnostic,
  setDiagnosticsEffect,
  type Diagnostic as Shown,
} from '@codemirror/lint';
import { StateEffect, type Extension } from '@codemirror/state';
import { EditorView, keymap, ViewPlugin, type Command } from '@codemirror/view';
import type { Diagnostic } from '../../../../../language/language.ts';
import type { CodeTools } from './code-tools.svelte.ts';
import { offsetOf } from './places.ts';

/** How long nothing was typed, or no file changed, before problems are looked for, in milliseconds. */
const PAUSE_MS = 500;

const recheck = StateEffect.define<null>();

const SEVERITIES = { error: 'error', warning: 'warning', information: 'info', hint: 'hint' } as const;

export const listProblems: Command = openLintPanel;

/** The problems in the text as it is in the editor, found again whenever it or another file changes. */
export function problems(tools: CodeTools): Extension {
  return [
    linter(source(tools), {
      delay: PAUSE_MS,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(recheck))),
    }),
    lintGutter(),
    watcher(tools),
    EditorView.updateListener.of(({ state, docChanged, transactions }) => {
      const found = transactions.some(({ effects }) => effects.some((each) => each.is(setDiagnosticsEffect)));
      if (found || docChanged) tools.problems = diagnosticCount(state);
    }),
    // F8 belongs to the page, which goes on with it while stepping.
    keymap.of([
      { key: 'Mod-Shift-m', run: listProblems },
      { key: 'Alt-F8', run: saying(nextDiagnostic), shift: saying(previousDiagnostic) },
    ]),
  ];
}

function source(tools: CodeTools) {
  let asking: AbortController | null = null;
  return async (view: EditorView): Promise<readonly Shown[]> => {
    asking?.abort();
    asking = new AbortController();
    const { doc } = view.state;
    try {
      const found = await tools.ask('diagnostic', asking.signal);
      return found.map((each) => shownFor(each, doc));
    } catch (error) {
      tools.fail(error);
      return [];
    }
  };
}

function shownFor({ range, severity, message, code }: Diagnostic, doc: EditorView['state']['doc']): Shown {
  const from = offsetOf(doc, range.start);
  return {
    ...{ from, to: Math.max(from, offsetOf(doc, range.end)), message, source: code },
    severity: SEVERITIES[severity],
  };
}

/** Looks again when files of the workspace have changed, all of those that change together at once. */
function watcher(tools: CodeTools): Extension {
  return ViewPlugin.define((view) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unlisten = tools.host.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(() => view.dispatch({ effects: recheck.of(null) }), PAUSE_MS);
    });
    return {
      destroy() {
        clearTimeout(timer);
        unlisten();
      },
    };
  });
}

/** Moves to a problem and says it. */
function saying(move: Command): Command {
  return (view) => {
    const moved = move(view);
    const { from: at } = view.state.selection.main;
    forEachDiagnostic(view.state, ({ message }, from) => {
      if (from === at) view.dispatch({ effects: EditorView.announce.of(message) });
    });
    return moved;
  };
}
