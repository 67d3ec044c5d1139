import { isolateHistory } from '@codemirror/commands';
import {
  Compartment,
  EditorSelection,
  EditorState,
  Transaction,
  type Extension,
  type StateEffect,
  type Text,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView, type Command } from '@codemirror/view';
import { openSearchPanel } from '@codemirror/search';
import type { Line } from '../../../kit/highlight.ts';
import { markChanged, type LineRange } from './changed-lines.ts';
import { editorWords as words } from './editor-words.ts';
import { extensions, HINT_ID } from './extensions.ts';
import { loaderOf } from './languages.ts';
import { setSpans } from './span-colours.ts';
import { editsBetween } from './text-changes.ts';
import { indentOf } from './text-format.ts';

export interface TextEditorOptions {
  readonly text: string;
  /** The path that people see, at any time. */
  readonly path: () => string;
  /** Colours for languages that the editor has no parser for. */
  readonly highlight: (text: string) => Promise<readonly Line[] | null>;
  /** Extensions that depend on the file's name, besides its language. */
  readonly services: () => Promise<Extension>;
  /** Called after each change of the text, the person's or another. */
  readonly onchange: () => void;
}

/** Colours are asked for when nothing was typed for this long, in milliseconds. */
const PAUSE_MS = 250;

/**
 * The text of one file with its selection and history. They stay while the file is open, also while another one
 * is shown and no view of this one exists.
 */
export class TextEditor {
  readonly #options: TextEditorOptions;
  readonly #language = new Compartment();
  readonly #services = new Compartment();
  #state: EditorState;
  #view: EditorView | null = null;
  #scroll: StateEffect<unknown> | undefined;
  /** Whether the next view gets the keyboard. */
  #focusing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TextEditorOptions) {
    this.#options = options;
    this.#state = EditorState.create({
      doc: options.text,
      extensions: [
        extensions(options.path, indentOf(options.text)),
        this.#language.of([]),
        this.#services.of([]),
        EditorView.updateListener.of(({ state, docChanged }) => {
          this.#state = state;
          if (docChanged) this.#changed();
        }),
      ],
    });
    this.renamed();
  }

  get document(): Text {
    return this.#state.doc;
  }

  get text(): string {
    return this.#state.doc.toString();
  }

  /** The text as CodeMirror holds it, for comparing it with {@link document}. */
  documentOf(text: string): Text {
    return this.#state.toText(text);
  }

  /** Shows the text in an element. Returns what takes it away again. */
  mount(host: HTMLElement): () => void {
    // In a shadow root CodeMirror uses constructed style sheets, which the page's policy allows.
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const hint = document.createElement('p');
    hint.id = HINT_ID;
    hint.hidden = true;
    hint.textContent = words.leave;
    root.replaceChildren(hint);
    const scrollTo = this.#scroll;
    const view = new EditorView({ state: this.#state, root, parent: root, ...(scrollTo && { scrollTo }) });
    this.#view = view;
    if (this.#focusing) this.focus();
    return () => {
      this.#scroll = view.scrollSnapshot();
      this.#state = view.state;
      if (this.#view === view) this.#view = null;
      view.destroy();
    };
  }

  /** Gives the text the keyboard, at once or as soon as it is shown. */
  focus(): void {
    this.#focusing = this.#view === null;
    this.#view?.focus();
  }

  /** Selects a part of a line, and scrolls there. The line is counted from 1; one behind the last means the last. */
  goTo(line: number, from = 0, to = from): void {
    const { doc } = this.#state;
    const { from: start, to: end } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const within = (column: number) => Math.min(start + column, end);
    const selection = EditorSelection.range(within(from), within(to));
    const effects = EditorView.scrollIntoView(selection, { y: 'center' });
    this.#scroll = effects;
    this.#dispatch({ selection, effects });
  }

  /** Runs a command of CodeMirror on the text that is shown. */
  run(command: Command): void {
    if (this.#view) command(this.#view);
  }

  find(): void {
    if (this.#view) openSearchPanel(this.#view);
  }

  /**
   * Takes a text that somebody else wrote, and marks its lines. What is the same stays as it is, with the
   * selection. Only if the person chose so, their undo brings the text before back.
   */
  take(text: string, changed: LineRange | null, chosen: boolean): void {
    this.#dispatch({
      changes: [...editsBetween(this.text, text)],
      effects: markChanged.of(changed),
      annotations: [Transaction.addToHistory.of(chosen), isolateHistory.of('full')],
    });
  }

  /** The cursor's offset. */
  get cursor(): number {
    return this.#state.selection.main.head;
  }

  /** Replaces what differs in one step that can be undone, with the cursor at an offset of the new text. */
  rewrite(text: string, cursor: number): void {
    this.#dispatch({
      changes: [...editsBetween(this.text, text)],
      ...(cursor >= 0 && { selection: { anchor: Math.min(cursor, text.length) } }),
      annotations: isolateHistory.of('full'),
    });
  }

  unmark(): void {
    this.#dispatch({ effects: markChanged.of(null) });
  }

  /** The file has another name now, and perhaps another language. */
  renamed(): void {
    const load = loaderOf(this.#options.path());
    // A language that cannot be fetched leaves the text without colours.
    void load?.().then(
      (language) => this.#dispatch({ effects: this.#language.reconfigure(language) }),
      () => undefined,
    );
    // The same holds for services: without them the text can be edited.
    void this.#options.services().then(
      (services) => this.#dispatch({ effects: this.#services.reconfigure(services) }),
      () => undefined,
    );
    if (!load) this.#dispatch({ effects: this.#language.reconfigure([]) });
    void this.#colour();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #dispatch(spec: TransactionSpec): void {
    if (this.#view) return this.#view.dispatch(spec);
    const before = this.#state.doc;
    this.#state = this.#state.update(spec).state;
    if (this.#state.doc !== before) this.#changed();
  }

  #changed(): void {
    this.#options.onchange();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#colour(), PAUSE_MS);
  }

  async #colour(): Promise<void> {
    if (loaderOf(this.#options.path())) return;
    const coloured = this.#state.doc;
    const lines = await this.#options.highlight(coloured.toString()).catch(() => null);
    if (lines && this.#state.doc === coloured) this.#dispatch({ effects: setSpans.of(lines) });
  }
}
