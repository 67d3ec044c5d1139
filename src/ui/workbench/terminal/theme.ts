import type { ITheme } from '@xterm/xterm';

/** The page's colour tokens as terminal colours, as they currently are on `element`. */
export function themeFrom(element: Element): ITheme {
  const tokens = getComputedStyle(element);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  const ink = token('--ink');
  const theme: Record<string, string> = {
    background: token('--sunk'),
    foreground: ink,
    cursor: token('--glass'),
    cursorAccent: token('--sunk'),
    black: token('--ink'),
    red: token('--err'),
    green: token('--ok'),
    yellow: token('--wait'),
    blue: token('--run'),
    magenta: token('--err'),
    cyan: token('--glass'),
    white: token('--ink2'),
    brightBlack: token('--ink3'),
    brightRed: token('--err'),
    brightGreen: token('--ok'),
    brightYellow: token('--wait'),
    brightBlue: token('--run'),
    brightMagenta: token('--err'),
    brightCyan: token('--glass'),
    brightWhite: ink,
  };
  // Without the page's style sheet a token is empty, and xterm's own colour is better than none.
  return Object.fromEntries(Object.entries(theme).filter(([, value]) => value !== ''));
}

/** Calls back when the colours or sizes of the page change, through its own settings or the system's. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, {
    attributeFilter: ['data-theme', 'data-contrast', 'data-text-size', 'data-code-size', 'class', 'style'],
  });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    scheme.removeEventListener('change', listener);
  };
}
