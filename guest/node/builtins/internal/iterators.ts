import { customInspect } from './symbols.ts';
import { inspect } from './inspect.ts';

/** The remaining values of iterators that were inspected, which they return from then on. */
const left = new WeakMap<object, unknown[]>();

/**
 * The remaining values of an iterator of a `Map` or `Set`. Reading moves an iterator, so it is read to its
 * end and returns the same values afterwards. A loop that is already running over it ends, because it uses the iterator's
 * original `next`.
 */
function remaining(iterator: Iterator<unknown>): readonly unknown[] {
  const known = left.get(iterator);
  if (known) return known;
  const values: unknown[] = [];
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) values.push(step.value);
  left.set(iterator, values);
  Object.defineProperty(iterator, 'next', {
    value: function next() {
      return values.length > 0 ? { value: values.shift(), done: false } : { value: undefined, done: true };
    },
    configurable: true,
    writable: true,
  });
  return values;
}

/** An object that shows as that value does. */
const showing = (value: unknown) => (_depth: number, options: object) => inspect(value, options);

/** Shows values like a set, under another name. */
export function showRemaining(iterator: Iterator<unknown>, name: string, options: object): string {
  const values = remaining(iterator);
  if (values.length === 0) return `${name} {  }`;
  // Each value is wrapped, because a set would hold equal ones only once.
  const listed = inspect(new Set(values.map((value) => ({ [customInspect]: showing(value) }))), options);
  return listed.replace(/^Set\(\d+\) \{/, `${name} {`);
}

const ofPairs = new WeakSet();
const isPair = (value: unknown) => Array.isArray(value) && value.length === 2;

/** Iterators of maps and sets show what they have left. */
export function showIterators(): void {
  for (const empty of [new Map().keys(), new Set().keys()]) {
    const prototype = Object.getPrototypeOf(empty) as Iterator<unknown> & { [Symbol.toStringTag]: string };
    Object.defineProperty(prototype, customInspect, {
      value(this: Iterator<unknown>, depth: number, options: object): string {
        const tag = prototype[Symbol.toStringTag];
        if (this === prototype) return `Object [${tag}] {}`;
        if (depth < 0) return '[Object]';
        // Whether it gives pairs is seen by what it gives, and remembered: at its end there is none.
        const values = remaining(this);
        if (values.length > 0 && values.every(isPair)) ofPairs.add(this);
        return showRemaining(
          this,
          `[${ofPairs.has(this) ? tag.replace('Iterator', 'Entries') : tag}]`,
          options,
        );
      },
      configurable: true,
      writable: true,
    });
  }
}
