import { PlainSite } from './plain-site.ts';

/** A call site of which only a line of text is known: it has a name and a place, but neither the function nor its `this`. */
export class WrittenSite extends PlainSite {
  readonly #name: string;
  readonly #file: string;
  readonly #line: number;
  readonly #column: number;

  /** `name` is empty for a nameless function, and begins with `async ` for one that had waited. */
  constructor(name: string, file: string, line: number, column: number) {
    super();
    this.#name = name;
    this.#file = file;
    this.#line = line;
    this.#column = column;
  }

  getFileName() {
    return this.#file;
  }
  getScriptNameOrSourceURL() {
    return this.#file;
  }
  getLineNumber() {
    return this.#line;
  }
  getColumnNumber() {
    return this.#column;
  }
  getFunctionName() {
    return this.#name.replace(/^async /, '') || null;
  }
  getThis() {
    return undefined;
  }
  getTypeName() {
    return null;
  }
  getFunction() {
    return undefined;
  }
  getMethodName() {
    return null;
  }
  isToplevel() {
    return true;
  }
  isNative() {
    return false;
  }
  isConstructor() {
    return false;
  }
  isAsync() {
    return this.#name.startsWith('async ');
  }
  isPromiseAll() {
    return false;
  }
  toString() {
    const place = `${this.#file}:${this.#line}:${this.#column}`;
    return this.#name === '' ? place : `${this.#name} (${place})`;
  }
}
