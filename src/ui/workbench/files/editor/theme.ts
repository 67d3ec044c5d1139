import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags as t } from '@lezer/highlight';

/*
 * The editor lies in a shadow root, where the page's style sheets do not apply, but its custom properties do. So
 * the theme follows light, dark and high contrast without knowing of them.
 */

const frame = EditorView.theme({
  '&': { blockSize: '100%', background: 'var(--raise)', color: 'var(--ink)', fontSize: 'var(--t-code)' },
  '&.cm-focused': { outline: '2px solid var(--glass)', outlineOffset: '-2px' },
  // Code runs from left to right in every language of the page.
  '.cm-scroller': {
    direction: 'ltr',
    overflow: 'auto',
    fontFamily: 'var(--mono)',
    lineHeight: 'var(--code-line)',
    fontVariantLigatures: 'none',
  },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: 'var(--s2)' },
  '.cm-line': { paddingInline: 'var(--s1) var(--s2)' },
  '.cm-content ::selection': { background: 'color-mix(in oklab, var(--glass) 28%, transparent)' },
  '.cm-gutters': { background: 'var(--raise)', color: 'var(--ink3)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minInlineSize: '5ch', padding: '0', paddingInlineEnd: 'var(--s1)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--ink)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--glass-wash)', outline: '1px solid var(--glass)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--err-wash)', outline: '1px solid var(--err)' },
  '.cm-line.cm-changed': {
    paddingInlineStart: 'calc(var(--s1) - 2px)',
    borderInlineStart: '2px solid var(--glass)',
    background: 'var(--glass-wash)',
  },
  '.cm-specialChar': { color: 'var(--err-ink)' },
  '.cm-searchMatch': { background: 'var(--wait-wash)', outline: '1px solid var(--wait)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    background: 'color-mix(in oklab, var(--wait) 45%, transparent)',
  },
});

const panels = EditorView.theme({
  '.cm-panels': {
    flex: 'none',
    // Two lines of the text remain visible.
    maxBlockSize: 'calc(100% - 2 * var(--code-line))',
    overflow: 'auto',
    background: 'var(--pane)',
    color: 'var(--ink)',
    fontFamily: 'var(--font)',
  },
  '.cm-panels.cm-panels-top': { borderBlockEnd: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: 'var(--s1)',
    padding: 'var(--s1) var(--s2)',
    paddingInlineEnd: 'calc(var(--tap) + var(--s2))',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0' },
  '.cm-panel.cm-search label, .cm-panel.cm-gotoLine label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 'var(--s1)',
    minBlockSize: 'var(--tap)',
    fontSize: 'var(--t-xs)',
  },
  '.cm-textfield': {
    boxSizing: 'border-box',
    flex: '1 1 9rem',
    minInlineSize: '0',
    minBlockSize: 'var(--tap)',
    padding: '0 var(--s2)',
    border: '1px solid var(--line2)',
    borderRadius: 'var(--r1)',
    background: 'var(--raise)',
    color: 'inherit',
    font: 'inherit',
    fontSize: 'var(--t-sm)',
  },
  '.cm-button': {
    minBlockSize: 'var(--tap)',
    padding: '0 var(--s2)',
    border: '1px solid var(--line2)',
    borderRadius: 'var(--r1)',
    background: 'var(--raise)',
    color: 'inherit',
    font: 'inherit',
    fontSize: 'var(--t-xs)',
    cursor: 'pointer',
  },
  '.cm-button:hover, .cm-button:active': { background: 'var(--sunk)' },
  '.cm-panel.cm-search [name=close], .cm-panel.cm-gotoLine [name=close]': {
    insetBlockStart: 'var(--s1)',
    insetInlineEnd: 'var(--s1)',
    inlineSize: 'var(--tap)',
    blockSize: 'var(--tap)',
    color: 'var(--ink2)',
    cursor: 'pointer',
  },
  '.cm-panels :focus-visible': { outline: '2px solid var(--glass)', outlineOffset: '1px' },
});

/** The same kinds and colours as `hl-*` in the page's own styles. */
const kinds = {
  keyword: [t.keyword, t.operatorKeyword, t.modifier, t.self, t.null, t.bool, t.tagName, t.heading, t.atom],
  string: [t.string, t.special(t.string), t.regexp, t.attributeValue, t.inserted],
  constant: [t.number, t.color, t.unit, t.literal, t.constant(t.name), t.link, t.url],
  function: [t.function(t.name), t.className, t.typeName, t.propertyName, t.labelName],
  parameter: [t.attributeName, t.macroName, t.namespace],
  comment: [t.comment, t.meta, t.quote, t.deleted],
  punctuation: [t.punctuation, t.operator, t.separator, t.processingInstruction, t.contentSeparator],
};

const syntax = HighlightStyle.define([
  ...Object.entries(kinds).map(([kind, tag]) => ({ tag, color: `var(--hl-${kind})` })),
  { tag: t.strong, fontWeight: 'var(--w-bold)' },
  { tag: t.emphasis, fontStyle: 'italic' },
  { tag: t.strikethrough, textDecoration: 'line-through' },
]);

/** For the spans of the page's own highlighter. */
const spans = EditorView.theme({
  '.hl-keyword': { color: 'var(--hl-keyword)' },
  '.hl-string, .hl-string-expression': { color: 'var(--hl-string)' },
  '.hl-constant, .hl-link': { color: 'var(--hl-constant)' },
  '.hl-function': { color: 'var(--hl-function)' },
  '.hl-parameter': { color: 'var(--hl-parameter)' },
  '.hl-comment': { color: 'var(--hl-comment)', fontStyle: 'italic' },
  '.hl-punctuation': { color: 'var(--hl-punctuation)' },
});

export const theme: Extension = [frame, panels, spans, syntaxHighlighting(syntax)];
