import type { Completion as Shown, CompletionContext, CompletionSource } from '@codemirror/autocomplete';
import type { Completion } from '../../../../../language/language.ts';
import type { CodeTools } from './code-tools.svelte.ts';
import { describe } from './describe.ts';
import { offsetOf } from './places.ts';

/** Matches the characters that a name, or a path in an import, may consist of. */
const WORD = /[\p{L}\p{Nd}$_#]*$/u;
const NAME = /^[\p{L}\p{Nd}$_#]*$/u;
const STARTS = /[.'"/@<]$/;

/** CodeMirror's icons by the service's terms. */
const ICONS: Readonly<Record<string, string>> = {
  'local var': 'variable',
  'local function': 'function',
  alias: 'variable',
  let: 'variable',
  var: 'variable',
  const: 'constant',
  getter: 'property',
  setter: 'property',
  parameter: 'variable',
  module: 'namespace',
  script: 'text',
  directory: 'text',
  'external module name': 'namespace',
  keyword: 'keyword',
};

/** Completions of the language service, for the text as it is in the editor. */
export function completionSource(tools: CodeTools): CompletionSource {
  return async (context: CompletionContext) => {
    const word = context.matchBefore(WORD);
    const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    const started = (word?.text ?? '') !== '' || STARTS.test(before);
    if (!context.explicit && !started) return null;
    const stop = new AbortController();
    context.addEventListener('abort', () => stop.abort());
    try {
      const found = await tools.askAt('completion', context.pos, {}, stop.signal);
      if (found.length === 0) return null;
      const from = word?.from ?? context.pos;
      return { from, options: found.map((each) => shownFor(tools, each, from, context.pos)), validFor: NAME };
    } catch {
      // The words that are missing are no reason to interrupt typing.
      return null;
    }
  };
}

function shownFor(tools: CodeTools, each: Completion, from: number, at: number): Shown {
  const { label, kind, insert, range, order } = each;
  return {
    label,
    type: ICONS[kind] ?? kind,
    // Lower orders come first; they look like "11" and "16".
    boost: -Math.min(99, Number.parseInt(order, 10) || 0),
    info: async () => {
      const detail = await tools.askAt('completionDetail', at, { label }).catch(() => null);
      return detail ? describe(detail) : null;
    },
    apply(view, _shown, _from, to) {
      const start = range ? Math.min(offsetOf(view.state.doc, range.start), from) : from;
      const text = insert ?? label;
      view.dispatch({
        changes: { from: start, to, insert: text },
        selection: { anchor: start + text.length },
        userEvent: 'input.complete',
      });
    },
  };
}
