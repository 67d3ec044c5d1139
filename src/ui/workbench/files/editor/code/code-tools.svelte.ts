import type { Extension, Text } from '@codemirror/state';
import { ROOT } from '../../../../../base/places.ts';
import { isInside } from '../../../../../protocol/paths.ts';
import { faultOf } from '../../../../../base/fault.ts';
import { type Method, type OpenLanguage, type Requests } from '../../../../../language/language.ts';
import { nameOf } from '../../paths.ts';
import type { CodeHost } from './code-host.ts';
import { codeWords as words } from './code-words.ts';
import { positionOf } from './places.ts';
import { Renaming } from './renaming.svelte.ts';

export interface CodeFile {
  /** The absolute path, at any time. */
  readonly path: () => string;
  readonly document: () => Text;
  readonly cursor: () => number;
  /** Whether the file was deleted, so that no service knows it. */
  readonly gone: () => boolean;
  /** Gives the text the keyboard. */
  readonly focus: () => void;
}

type About<M extends Method> = Omit<Requests[M]['params'], 'path' | 'unsaved' | 'position'>;

/** Asks the language service about the text of one open file. */
export class CodeTools {
  readonly host: CodeHost;
  readonly #file: CodeFile;
  #open: Promise<OpenLanguage> | null = null;
  #problems = $state.raw(0);
  #message = $state.raw<string | null>(null);
  /** Whether the message says that the service could not answer, which holds until it answers. */
  #failed = false;
  #renaming = $state.raw<Renaming | null>(null);

  constructor(host: CodeHost, file: CodeFile) {
    this.host = host;
    this.#file = file;
  }

  get document(): Text {
    return this.#file.document();
  }
  get problems(): number {
    return this.#problems;
  }
  set problems(count: number) {
    this.#problems = count;
  }
  get message(): string | null {
    return this.#message;
  }
  get renaming(): Renaming | null {
    return this.#renaming;
  }

  say(text: string | null): void {
    this.#failed = false;
    this.#message = text;
  }

  /** The extension for the editor, which is fetched with the first file of code. */
  async extension(): Promise<Extension> {
    const { codeExtension } = await import('./code-extension.ts');
    return codeExtension(this);
  }

  /** Asks about the text as it is in the editor. */
  async ask<M extends 'diagnostic'>(method: M, signal?: AbortSignal): Promise<Requests[M]['result']> {
    return this.#request(method, { path: this.#file.path(), unsaved: this.document.toString() }, signal);
  }

  /** Asks about a place of the text as it is in the editor. */
  async askAt<M extends 'hover' | 'definition' | 'completion' | 'completionDetail'>(
    method: M,
    offset: number,
    more: About<M>,
    signal?: AbortSignal,
  ): Promise<Requests[M]['result']> {
    const { document } = this;
    const position = positionOf(document, offset);
    const params = { path: this.#file.path(), unsaved: document.toString(), position, ...more };
    return this.#request(method, params, signal);
  }

  /** Shows where the name at an offset is defined. */
  async define(offset = this.#file.cursor()): Promise<void> {
    this.say(null);
    try {
      const [first] = await this.askAt('definition', offset, {});
      if (!first) this.say(words.noDefinition);
      else if (!isInside(first.path, ROOT)) this.say(words.builtIn(nameOf(first.path)));
      else this.host.goTo(first.path, first.range.start);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Asks for a new name for the name at the cursor. */
  rename(): void {
    this.say(null);
    const { path, document, cursor, focus } = this.#file;
    const name = nameAt(document(), cursor());
    if (name === null) return this.say(words.noName);
    this.#renaming = new Renaming({
      ...{ host: this.host, path: path(), name, position: positionOf(document(), cursor()) },
      language: () => this.#language(),
      onend: (said) => {
        this.#renaming = null;
        if (said) this.say(said);
        focus();
      },
    });
  }

  fail(error: unknown): void {
    const fault = faultOf(error);
    if (fault.code === 'stopped' || this.#file.gone()) return;
    this.#message = words.unavailable(fault.what);
    this.#failed = true;
  }

  /** The file was deleted, which may have made the service fail before that was known here. */
  vanished(): void {
    this.#forgetFailure();
  }

  async #request<M extends Method>(
    method: M,
    params: Requests[M]['params'],
    signal?: AbortSignal,
  ): Promise<Requests[M]['result']> {
    const language = await this.#language();
    const answer = await language.request(method, params, signal);
    this.#forgetFailure();
    return answer;
  }

  #forgetFailure(): void {
    if (this.#failed) this.say(null);
  }

  #language(): Promise<OpenLanguage> {
    const opening = (this.#open ??= this.host.language().then((language) => language.open([])));
    // The next request tries again.
    opening.catch(() => (this.#open = null));
    return opening;
  }
}

/** The name around an offset. */
function nameAt(document: Text, offset: number): string | null {
  const { from, text } = document.lineAt(offset);
  for (const { index, 0: name } of text.matchAll(/[\p{L}\p{Nl}$_#][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}$_]*/gu))
    if (from + index <= offset && offset <= from + index + name.length) return name;
  return null;
}
