import { deserialize } from '../builtins/v8/deserialize.ts';
import { serialize } from '../builtins/v8/serialize.ts';

const notBuffer = () => false;
const PLAIN = new Set(
  [
    'Object',
    'Array',
    'Date',
    'RegExp',
    'Map',
    'Set',
    'String',
    'Number',
    'Boolean',
    'ArrayBuffer',
    'Error',
  ].map((name) => `[object ${name}]`),
);

/** Tells whether our own serializer writes the value as the platform would clone it. */
function isPlain(value: unknown, seen: Set<object>): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null || seen.has(value)) return true;
  seen.add(value);
  if (isUncloneable(value)) return false;
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer;
  if (!PLAIN.has(Object.prototype.toString.call(value)) || value instanceof Promise) return false;
  if (value instanceof Map)
    return [...value].every(([key, each]) => isPlain(key, seen) && isPlain(each, seen));
  if (value instanceof Set) return [...value].every((each) => isPlain(each, seen));
  if (value instanceof Error) return isPlain(value.cause, seen);
  return Object.values(value).every((each) => isPlain(each, seen));
}

/** Serializes a value. Undefined if only the platform can clone it or report why it cannot be cloned. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  try {
    return isPlain(value, new Set()) ? serialize(value, notBuffer) : undefined;
  } catch {
    return undefined;
  }
}

export const valueOf = (bytes: Uint8Array): unknown => deserialize(bytes, (own) => own);

const untransferable = new WeakSet();
const uncloneable = new WeakSet();

export const markAsUntransferable = (value: unknown): void => {
  if (typeof value === 'object' && value !== null) untransferable.add(value);
};
export const isMarkedAsUntransferable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && untransferable.has(value);
export const markAsUncloneable = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  uncloneable.add(value);
  // The browser's `structuredClone` does not know the mark, so ours takes its place.
  if (globalThis.structuredClone !== cloned) ({ structuredClone } = globalThis);
  Object.defineProperty(globalThis, 'structuredClone', {
    value: cloned,
    writable: true,
    configurable: true,
    enumerable: true,
  });
};

let structuredClone: typeof globalThis.structuredClone;

function cloned<Value>(value: Value, options?: StructuredSerializeOptions): Value {
  needCloneable(value);
  return structuredClone(value, options);
}
const isUncloneable = (value: object): boolean => uncloneable.has(value);

const dataCloneError = (message: string) => new DOMException(message, 'DataCloneError');

/** Throws if any part of the value is marked as uncloneable. */
export function needCloneable(value: unknown, seen = new Set<object>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value)) return;
  seen.add(value);
  if (isUncloneable(value)) throw dataCloneError('Cannot clone object of unsupported type.');
  if (value instanceof Map) for (const each of value) needCloneable(each, seen);
  else if (value instanceof Set) for (const each of value) needCloneable(each, seen);
  else for (const each of Object.values(value)) needCloneable(each, seen);
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/contains the source port/, 'Transfer list contains source port'],
  [/was not transferred/, 'Object that needs transfer was found in message but not listed in transferList'],
  [
    /is not (?:transferable|of type 'Transferable')|convert value to 'object'/,
    'Found invalid value in transferList.',
  ],
];

/** Rewrites the platform's error about an uncloneable value in node's words. */
export function inNodesWords(error: unknown): unknown {
  if (!(error instanceof DOMException) && !(error instanceof TypeError)) return error;
  const [, words] = WORDS.find(([pattern]) => pattern.test(error.message)) ?? [];
  const plain = error.message.replace(/^Failed to execute '\w+' on '\w+': /, '');
  if (error instanceof TypeError && words === undefined) return error;
  return dataCloneError(words ?? plain);
}

export function needTransferable(list: readonly unknown[]): void {
  if (list.some(isMarkedAsUntransferable))
    throw dataCloneError('Cannot transfer object of unsupported type.');
}
