// The highlighter around this could also write HTML, and is two fifths larger.
import {
  codeToTokensBase,
  createCssVariablesTheme,
  createShikiPrimitiveAsync,
  getLastGrammarState,
  type GrammarState,
  type ShikiPrimitive,
} from 'shiki/core';
// This engine is plain JavaScript; the other one is WebAssembly, which the page's policy would have to allow.
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { languages } from './languages.ts';
import type { HighlightRequest, HighlightResponse, Line, SpanKind } from './protocol.ts';

const PREFIX = '--hl-';
const THEME = 'vitrine';
const highlighter = createShikiPrimitiveAsync({
  themes: [createCssVariablesTheme({ name: THEME, variablePrefix: PREFIX, fontStyle: false })],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

/** The number of lines in an answer: the page must never be held up by reading one. */
const PART_LINES = 200;

self.onmessage = async ({ data }: MessageEvent<HighlightRequest>) => {
  const post = (lines: readonly Line[] | null, last: boolean) =>
    self.postMessage({ id: data.id, lines, last } satisfies HighlightResponse);
  try {
    const core = await highlighter;
    if (await load(core, data.language)) for (const { lines, last } of parts(core, data)) post(lines, last);
    else post(null, true);
  } catch (error) {
    console.warn(`No colours for ${data.language}:`, error);
    post(null, true);
  }
};

function* parts(core: ShikiPrimitive, { code, language }: HighlightRequest) {
  const rows = code.split('\n');
  let state: GrammarState | undefined;
  for (let from = 0; from < rows.length; from += PART_LINES) {
    const tokens = codeToTokensBase(core, rows.slice(from, from + PART_LINES).join('\n'), {
      lang: language,
      theme: THEME,
      ...(state && { grammarState: state }),
      // Longer lines stay plain, since no grammar handles them quickly.
      tokenizeMaxLineLength: 2000,
      // A line that runs out of time keeps its last colour to its end. The first lines of a language also
      // compile its grammar, which takes a busy machine some hundred milliseconds, once.
      tokenizeTimeLimit: 5000,
    });
    state = getLastGrammarState(core, tokens);
    const lines = tokens.map((line) =>
      line.map(({ content, color }) => ({ text: content, kind: kindOf(color) })),
    );
    yield { lines, last: from + PART_LINES >= rows.length };
  }
}

async function load(core: ShikiPrimitive, language: string): Promise<boolean> {
  if (core.getLoadedLanguages().includes(language)) return true;
  const grammar = languages[language];
  if (!grammar) return false;
  await core.loadLanguage(grammar);
  return true;
}

const KINDS: readonly SpanKind[] = [
  'keyword',
  'string',
  'string-expression',
  'constant',
  'function',
  'parameter',
  'comment',
  'punctuation',
  'link',
];

function kindOf(color: string | undefined): SpanKind | null {
  const name = /^var\(--hl-token-([\w-]+)\)$/.exec(color ?? '')?.[1];
  return KINDS.find((kind) => kind === name) ?? null;
}
