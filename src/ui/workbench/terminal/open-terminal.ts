import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { CspStyles } from './csp-styles.ts';
import type { Screen } from './screen.ts';
import { onThemeChange, themeFrom } from './theme.ts';
import { TouchKeys } from './touch-keys.svelte.ts';
import { XtermScreen } from './xterm-screen.ts';

const SCROLLBACK_LINES = 5_000;

export interface OpenTerminal {
  readonly screen: Screen;
  onKeys(listener: (data: string) => void): void;
  /** Keys for who has none of them on a keyboard. */
  readonly touchKeys: TouchKeys;
  focus(): void;
  dispose(): void;
}

/**
 * Opens a terminal in `host`, which must already have its size. This module is loaded on first use, since
 * xterm is large.
 */
export function openTerminal(host: HTMLElement): OpenTerminal {
  const styles = new CspStyles();
  const fontSize = () => parseFloat(getComputedStyle(host).fontSize);
  const terminal = new Terminal({
    screenReaderMode: true,
    convertEol: true,
    cursorBlink: false,
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: fontSize(),
    lineHeight: 1.3,
    minimumContrastRatio: 4.5,
    scrollback: SCROLLBACK_LINES,
    theme: themeFrom(host),
    // The text of a link can misrepresent its address, so the person sees the address before it opens.
    linkHandler: { activate: (_event, address) => openAfterAsking(address) },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  styles.during(() => terminal.open(host));
  fit.fit();
  leaveWithEscape(terminal);
  // A host that is not on the page has neither a size nor colours; the terminal takes both when it is shown
  // again.
  const adapt = () => {
    if (host.clientWidth === 0 || host.clientHeight === 0) return;
    terminal.options.fontSize = fontSize();
    fit.fit();
    terminal.options.theme = themeFrom(host);
  };
  const resized = new ResizeObserver(adapt);
  resized.observe(host);
  const unlisten = onThemeChange(adapt);
  const screen = new XtermScreen(terminal);
  const touchKeys = new TouchKeys(
    (data) => terminal.input(data),
    () => terminal.modes.applicationCursorKeysMode,
  );
  terminal.write('\x1b[?2004h');
  return {
    screen,
    touchKeys,
    onKeys: (listener) => void terminal.onData((data) => listener(touchKeys.typed(data))),
    focus: () => terminal.focus(),
    dispose() {
      unlisten();
      resized.disconnect();
      terminal.dispose();
      styles.dispose();
    },
  };
}

/** Tab completes a word, so Escape and then Tab leave the terminal by keyboard. */
function leaveWithEscape(terminal: Terminal): void {
  let leaving = false;
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true;
    if (event.key === 'Tab' && (leaving || event.shiftKey)) return false;
    // No shell has a use for it, and the page has: it leads to the message box.
    if (event.key === 'Escape' && event.shiftKey) return false;
    // For screen readers, xterm also lets keys have their default effect; Tab's would move the focus away.
    if (event.key === 'Tab') event.preventDefault();
    if (event.key !== 'Shift') leaving = event.key === 'Escape';
    return true;
  });
}

function openAfterAsking(address: string): void {
  if (/^https?:/i.test(address) && confirm(`Open this address in a new tab?\n\n${address}`)) {
    window.open(address, '_blank', 'noopener,noreferrer');
  }
}
