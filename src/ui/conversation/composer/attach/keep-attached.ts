import { attachedIn, keepingFiles, type AttachedFile } from './attached.ts';

/** The files that the text of a message box attaches, by box. */
const attached = new WeakMap<HTMLTextAreaElement, readonly AttachedFile[]>();

/**
 * Keeps attached files in a message whose whole text is replaced by another: they are mentions in the text, but to
 * the person they stand beside it. Call it whenever the files change, after what it returned. It listens as long as
 * the box lasts, since what calls it is gone when the text loses its last mention. `onDropped` gets the files that
 * were cut out.
 */
export function keepAttached(
  box: HTMLTextAreaElement,
  files: readonly AttachedFile[],
  onDropped: (files: readonly AttachedFile[]) => void,
): () => void {
  const listens = attached.has(box);
  attached.set(box, files);
  if (!listens) listen(box, onDropped);
  return () => attached.set(box, []);
}

function listen(box: HTMLTextAreaElement, onDropped: (files: readonly AttachedFile[]) => void): void {
  let before: { whole: boolean; part: boolean; files: readonly AttachedFile[] } | null = null;

  box.addEventListener('beforeinput', ({ inputType, isComposing }) => {
    // While words are composed, each letter replaces the last ones: the text before the first letter counts.
    if (isComposing && before) return;
    const { value, selectionStart, selectionEnd } = box;
    const whole = value.slice(selectionStart, selectionEnd).trim() === value.trim();
    const undoes = inputType.startsWith('history');
    const part = selectionEnd > selectionStart;
    before = undoes ? null : { whole, part, files: attached.get(box) ?? [] };
  });

  const done = (): void => {
    if (!before) return;
    const { whole, part, files: had } = before;
    before = null;
    const named = new Set(attachedIn(box.value).map(({ path }) => path));
    const gone = had.filter(({ path }) => !named.has(path));
    if (gone.length === 0) return;
    if (!whole || box.value.trim() === '') {
      if (part) onDropped(gone);
      return;
    }
    const { value, selectionEnd } = box;
    const kept = keepingFiles(value, gone);
    box.setSelectionRange(value.length, value.length);
    // A command of the browser can be undone with Ctrl+Z. It fires the same events as typing.
    if (!document.execCommand('insertText', false, kept.slice(value.length))) box.value = kept;
    box.setSelectionRange(selectionEnd, selectionEnd);
  };
  // These run before the page takes the text over, so that it never sees one without the files.
  box.addEventListener('input', (event) => !(event as InputEvent).isComposing && done(), { capture: true });
  box.addEventListener('compositionend', () => {
    const { value } = box;
    done();
    if (box.value !== value) box.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
