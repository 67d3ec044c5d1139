import { messageOf } from '../../../../base/message-of.ts';
import { showPictures } from './pictures.ts';
import type { ReadPicture } from './read-picture.ts';

/** How long formulas are set before the page may answer again, in milliseconds. */
const SLICE_MS = 8;
/** More formulas in one block stay as their source. */
const MOST = 300;

/**
 * Sets the formulas of a finished block and shows its pictures. What cannot be shown stays the text it is. The
 * returned function undoes what lasts.
 */
export function enrich(block: Element, read: ReadPicture | undefined): () => void {
  const over = new AbortController();
  void showFormulas(block, over.signal);
  if (read) void showPictures(block, read, over.signal);
  return () => over.abort();
}

async function showFormulas(block: Element, over: AbortSignal): Promise<void> {
  const found = [...block.querySelectorAll<HTMLElement>('code[data-math]')].slice(0, MOST);
  if (found.length === 0) return;
  const { drawsMath, setFormula } = await import('./set-formula.ts');
  if (!drawsMath) return;
  let start = performance.now();
  for (const code of found) {
    if (over.aborted) return;
    show(code, setFormula);
    if (performance.now() - start < SLICE_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    start = performance.now();
  }
}

function show(code: HTMLElement, set: (tex: string, display: boolean) => Element): void {
  const display = code.dataset.math === 'block';
  const holder = document.createElement('span');
  holder.className = display ? 'formula display' : 'formula';
  try {
    holder.append(set(code.textContent, display));
  } catch (error) {
    code.title = messageOf(error);
    return;
  }
  if (display) {
    // A region that scrolls must be reachable by keyboard.
    holder.tabIndex = 0;
    holder.setAttribute('role', 'group');
    holder.setAttribute('aria-label', code.textContent.slice(0, 200));
  }
  code.replaceWith(holder);
}
