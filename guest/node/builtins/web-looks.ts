import { inspect } from './internal/inspect.ts';
import { showRemaining } from './internal/iterators.ts';
import { customInspect } from './internal/symbols.ts';

const nameOf = (value: object) => value.constructor.name;

/** Sets how `inspect` prints a class. `text` is not called for the prototype or for values too deep. */
export function shows<Value extends object>(
  prototype: Value,
  text: (value: Value, options: object) => string,
): void {
  Object.defineProperty(prototype, customInspect, {
    value: function (this: Value, depth: unknown, options: object) {
      if (typeof depth === 'number' && depth < 0) return `[${nameOf(this)}]`;
      if (this === prototype) return `Object [${nameOf(this)}] {}`;
      return text(this, options);
    },
    writable: true,
    configurable: true,
  });
}

/** Makes `inspect` show these members, after the name of the class. */
function showsMembers<Value extends object>(
  prototype: Value,
  names: readonly (keyof Value & string)[],
): void {
  shows(prototype, (value, options) => {
    const listed = Object.fromEntries(names.map((name) => [name, value[name]]));
    return `${nameOf(value)} ${inspect(listed, options)}`;
  });
}

/** Tells whether a stream has bytes, by trying to get a reader for them. */
function supportsBytes(stream: ReadableStream): boolean {
  if (stream.locked) return false;
  try {
    stream.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/** Makes `inspect` show the content of web classes as node does. */
export function showWebClasses(): void {
  // Only the engine knows whether a stream has ended, so its state is left out.
  shows(
    ReadableStream.prototype,
    (stream, options) =>
      `ReadableStream ${inspect({ locked: stream.locked, supportsBYOB: supportsBytes(stream) }, options)}`,
  );
  showsMembers(WritableStream.prototype, ['locked']);
  showsMembers(TransformStream.prototype, ['readable', 'writable']);
  showsMembers(CountQueuingStrategy.prototype, ['highWaterMark']);
  showsMembers(ByteLengthQueuingStrategy.prototype, ['highWaterMark']);
  shows(
    TextDecoder.prototype,
    ({ encoding, fatal, ignoreBOM }, options) =>
      `TextDecoder ${inspect({ encoding, fatal, ignoreBOM }, options)}`,
  );
  showsMembers(Event.prototype, ['type', 'defaultPrevented', 'cancelable', 'timeStamp']);
  showsMembers(Response.prototype, [
    'status',
    'statusText',
    'headers',
    'body',
    'bodyUsed',
    'ok',
    'redirected',
    'type',
    'url',
  ]);
  shows(FormData.prototype, (form, options) => {
    const listed: Record<string, unknown> = {};
    for (const name of new Set(form.keys())) {
      const values = form.getAll(name);
      listed[name] = values.length > 1 ? values : values[0];
    }
    return `FormData ${inspect(listed, options)}`;
  });
  shows(Request.prototype, (request, options) => {
    const { method, url, headers, mode, credentials, cache, redirect, integrity, keepalive, signal } =
      request;
    const { destination, referrer, referrerPolicy } = request;
    return `Request ${inspect(
      {
        method,
        url,
        headers,
        destination,
        referrer,
        referrerPolicy,
        mode,
        credentials,
        cache,
        redirect,
        integrity,
        keepalive,
        isReloadNavigation: false,
        isHistoryNavigation: false,
        signal,
      },
      options,
    )}`;
  });
  shows(Object.getPrototypeOf(new URLSearchParams().keys()) as Iterator<unknown>, (iterator, options) =>
    showRemaining(iterator, 'URLSearchParams Iterator', options),
  );
}
