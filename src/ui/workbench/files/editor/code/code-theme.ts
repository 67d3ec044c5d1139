import { EditorView } from '@codemirror/view';

const wavy = (colour: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy var(${colour})`,
  textUnderlineOffset: '3px',
});

/** Problems, completions and descriptions in the page's colours. */
export const codeTheme = EditorView.theme({
  '.cm-lintRange-error': wavy('--err'),
  '.cm-lintRange-warning': wavy('--wait'),
  '.cm-lintRange-info, .cm-lintRange-hint': {
    backgroundImage: 'none',
    textDecoration: 'underline dotted var(--ink3)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-active': { background: 'var(--err-wash)' },
  '.cm-gutter-lint': { inlineSize: '16px' },
  '.cm-tooltip': {
    boxSizing: 'border-box',
    maxInlineSize: 'min(36rem, 90vw)',
    border: '1px solid var(--line2)',
    borderRadius: 'var(--r1)',
    background: 'var(--pane)',
    color: 'var(--ink)',
    fontFamily: 'var(--font)',
    fontSize: 'var(--t-sm)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxInlineSize: '90vw',
    minInlineSize: 'min(14rem, 60vw)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--glass-wash)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { fontWeight: 'var(--w-bold)', textDecoration: 'none' },
  '.cm-completionInfo': { overflow: 'auto', maxBlockSize: '16rem' },
  '.cm-described': {
    padding: 'var(--s1) var(--s2)',
    overflow: 'auto',
    maxBlockSize: '16rem',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-described code': { fontFamily: 'var(--mono)' },
  '.cm-described p': { margin: 'var(--s1) 0 0', color: 'var(--ink2)' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', borderInlineStartWidth: '4px' },
  '.cm-diagnostic-error': { borderInlineStartColor: 'var(--err)' },
  '.cm-diagnostic-warning': { borderInlineStartColor: 'var(--wait)' },
  '.cm-diagnosticSource': { fontSize: 'var(--t-xs)', opacity: '1', color: 'var(--ink2)' },
  '.cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]': {
    background: 'var(--glass-wash)',
    color: 'var(--ink)',
  },
  '.cm-panel.cm-panel-lint button': {
    inlineSize: 'var(--tap)',
    blockSize: 'var(--tap)',
    color: 'var(--ink2)',
    cursor: 'pointer',
  },
});
