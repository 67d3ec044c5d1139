import type { NodeHost } from './builtin.ts';
import { nodeError } from './internal/errors.ts';
import { inspect } from './internal/inspect.ts';
import { showIterators } from './internal/iterators.ts';
import { addStreamFrom } from './stream/from.ts';
import { adaptResponse, requestArguments } from './web-bodies.ts';
import { showWebClasses, shows } from './web-looks.ts';
import { adaptWords } from './wording.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Makes the platform's classes look like node's: how they print, what they throw, and that a process stays
 * alive while it waits for them. Must be called once, in a process of its own.
 */
export function adaptPlatform(host: NodeHost): void {
  adaptWords(host);
  adaptUrl();
  adaptRequest();
  adaptResponse();
  adaptInspection();
  showWebClasses();
  showIterators();
  addStreamFrom();
  const waited: readonly [name: string, methods: readonly string[]][] = [
    ['Blob', ['arrayBuffer', 'bytes', 'text']],
    ['Request', ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']],
    ['Response', ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']],
  ];
  for (const [name, methods] of waited) {
    const found: unknown = Reflect.get(globalThis, name);
    if (typeof found !== 'function') continue;
    for (const method of methods) holding(host, found.prototype as object, method);
  }
}

function holding(host: NodeHost, prototype: object, name: string): void {
  const original: unknown = Reflect.get(prototype, name);
  if (typeof original !== 'function') return;
  const method: Method = async function (...args) {
    const handle = host.handle();
    try {
      return await Reflect.apply(original, this, args);
    } catch (error) {
      throw inNodesWords(error);
    } finally {
      handle.release();
    }
  };
  define(prototype, name, Object.defineProperty(method, 'name', { value: name }));
}

/** Turns an error from reading a body into one with node's wording. */
function inNodesWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const said = error.message.replace(/^Failed to execute '\w+' on '\w+': /, '');
  if (said === error.message) return error;
  const isRead = /^body stream (?:already read|is locked)$/.test(said);
  const Class = error.constructor as new (message: string) => Error;
  return new Class(isRead ? 'Body is unusable: Body has already been read' : said);
}

function define(target: object, name: string | symbol, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

function adaptUrl(): void {
  const Platform = globalThis.URL;
  const parse = parserOf(Platform);
  const Adapted: typeof URL = new Proxy(Platform, {
    construct(target, args: unknown[], made): URL {
      if (args.length === 0) return Reflect.construct(target, args, made) as URL;
      const texts = textsOf(args);
      // Programs try whether something is a URL. An error of the browser and one of ours for each would take long.
      const url = parse(...texts);
      if (url && hasNodesHost(url))
        return made === Adapted ? url : (Reflect.construct(target, texts, made) as URL);
      const [input, base] = texts;
      throw nodeError('ERR_INVALID_URL', 'Invalid URL', TypeError, {
        input,
        ...(base !== undefined && { base }),
      });
    },
  });
  const parsed = (args: unknown[]): URL | null => {
    const url = parse(...textsOf(args));
    return url && hasNodesHost(url) ? url : null;
  };
  define(Platform, 'parse', (...args: unknown[]) => parsed(args));
  define(Platform, 'canParse', (...args: unknown[]) => parsed(args) !== null);
  const origin = Object.getOwnPropertyDescriptor(Platform.prototype, 'origin');
  Object.defineProperty(Platform.prototype, 'origin', {
    ...origin,
    get(this: URL) {
      return this.protocol === 'file:' ? 'null' : (origin?.get?.call(this) as unknown);
    },
  });
  define(Platform.prototype, 'constructor', Adapted);
  define(globalThis, 'URL', Adapted);
}

/** Parses without throwing. Browsers before 2024 have no function for that, so they parse twice. */
function parserOf(Platform: typeof URL): (input: string, base?: string) => URL | null {
  // The types say that it is always there.
  const parse: typeof Platform.parse | undefined = Platform.parse;
  if (parse) return parse.bind(Platform);
  const canParse = Platform.canParse.bind(Platform);
  return (...texts) => (canParse(...texts) ? new Platform(...texts) : null);
}

/** The address and what it is relative to. Throws for symbols. */
function textsOf([input, base]: unknown[]): [input: string, base?: string] {
  const text = (value: unknown) => `${value as string}`;
  return base === undefined ? [text(input)] : [text(input), text(base)];
}

/** The browser escapes characters that a host must not have. Node throws. */
function hasNodesHost({ protocol, hostname }: URL): boolean {
  return !hostname.includes('%') || !/^(?:https?|wss?|ftp):$/.test(protocol);
}

/** Makes `new Request` name an invalid URL in its error, and take what node takes as a body. */
function adaptRequest(): void {
  const Platform = globalThis.Request;
  const Adapted = new Proxy(Platform, {
    construct(target, args: unknown[], made) {
      const [input] = args;
      if (!(input instanceof Platform) && !URL.canParse(String(input)))
        try {
          new URL(String(input));
        } catch (cause) {
          throw new TypeError(`Failed to parse URL from ${String(input)}`, { cause });
        }
      return Reflect.construct(target, requestArguments(args), made);
    },
  });
  define(Platform.prototype, 'constructor', Adapted);
  define(globalThis, 'Request', Adapted);
}

interface ShowOptions {
  readonly breakLength?: number;
  readonly stylize?: unknown;
}

const parts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'searchParams',
  'hash',
];

function adaptInspection(): void {
  shows(URL.prototype, (url, options) => {
    const listed: Record<string, unknown> = Object.fromEntries(
      parts.map((part) => [part, Reflect.get(url, part)]),
    );
    return `${nameOf(url)} ${inspect(listed, options)}`;
  });
  shows(URLSearchParams.prototype, (params, options) => {
    const pairs = Array.from(
      params,
      ([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`,
    );
    if (pairs.length === 0) return `${nameOf(params)} {}`;
    const length = pairs.reduce((sum, pair) => sum + pair.length + 2, 0);
    return length <= ((options as ShowOptions).breakLength ?? 80)
      ? `${nameOf(params)} { ${pairs.join(', ')} }`
      : `${nameOf(params)} {\n  ${pairs.join(',\n  ')}\n}`;
  });
  shows(
    AbortSignal.prototype,
    (signal, options) => `AbortSignal ${inspect({ aborted: signal.aborted }, options)}`,
  );
  shows(
    AbortController.prototype,
    (abort, options) => `AbortController ${inspect({ signal: abort.signal }, options)}`,
  );
  shows(TextEncoder.prototype, ({ encoding }, options) => inspect({ encoding }, options));
  shows(Headers.prototype, (headers, options) => `Headers ${inspect(Object.fromEntries(headers), options)}`);
  shows(Blob.prototype, ({ size, type }, options) => `Blob ${inspect({ size, type }, options)}`);
  shows(
    File.prototype,
    ({ size, type, name, lastModified }, options) =>
      `File ${inspect({ size, type, name, lastModified }, options)}`,
  );
  showGenerators();
  const buffers = [ArrayBuffer.prototype, DataView.prototype];
  if (typeof SharedArrayBuffer !== 'undefined') buffers.push(SharedArrayBuffer.prototype as never);
  for (const prototype of buffers)
    shows<ArrayBuffer | DataView>(prototype, (buffer, options) =>
      inspect(buffer, { ...options, customInspect: false }).replace(
        /(^|[{,\n]\s*)((?:byteLength|byteOffset|buffer)): /g,
        '$1[$2]: ',
      ),
    );
}

/** Lets `inspect` recognize generator methods, which it cannot tell by how their text begins. */
function showGenerators(): void {
  const plain = [function* () {}, async function* () {}].map(
    (each) => Object.getPrototypeOf(each) as { readonly [Symbol.toStringTag]: string },
  );
  for (const prototype of plain)
    shows(prototype, (it, options) => {
      const text = inspect(it, { ...options, customInspect: false });
      const kind = prototype[Symbol.toStringTag];
      return text.replace(
        /^((?:\x1b\[\d+m)?\[)(?:Async)?(?:Generator)?Function(.*?\])(?: (?:Async)?GeneratorFunction)?/,
        `$1${kind}$2`,
      );
    });
}

const nameOf = (value: object) => value.constructor.name;
