import RealEmitter, { errorMonitor as realMonitor } from 'node:events';
import { describe, expect, it } from 'vitest';
import { EventEmitter } from './emitter.ts';

interface Statics {
  once(target: object, name: string, options?: { signal?: AbortSignal }): Promise<unknown[]>;
  on(target: object, name: string, options?: object): AsyncIterableIterator<unknown[]>;
  getEventListeners(target: object, name: string): unknown[];
  listenerCount(target: object, name: string): number;
}

function statics(emitterClass: unknown): Statics {
  return emitterClass as Statics;
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    return { name, message, code };
  }
}

const real: unknown = RealEmitter;

/** The same tests hold for ours and for the one of this Node. */
describe.each([
  ['our emitter', EventEmitter, Reflect.get(EventEmitter, 'errorMonitor') as symbol],
  ["this Node's emitter", real as typeof EventEmitter, realMonitor],
])('%s', (_name, Emitter, errorMonitor) => {
  it('calls listeners in order, with the emitter as this and all arguments', () => {
    const emitter = new Emitter();
    const calls: unknown[] = [];
    emitter.on('a', function (...args) {
      calls.push(['second', this === emitter, args]);
    });
    emitter.prependListener('a', () => calls.push('first'));
    expect([emitter.emit('a', 1, 2, 3, 4), emitter.emit('b')]).toEqual([true, false]);
    expect(calls).toEqual(['first', ['second', true, [1, 2, 3, 4]]]);
  });

  it('calls a listener of once only once, even if it emits again', () => {
    const emitter = new Emitter();
    let count = 0;
    emitter.once('a', () => {
      count++;
      emitter.emit('a');
    });
    emitter.emit('a');
    expect([count, emitter.listenerCount('a')]).toEqual([1, 0]);
  });

  it('calls those that were there when it emitted', () => {
    const emitter = new Emitter();
    const calls: string[] = [];
    const last = () => calls.push('last');
    emitter.on('a', () => {
      calls.push('first');
      emitter.off('a', last);
      emitter.on('a', () => calls.push('new'));
    });
    emitter.on('a', last);
    emitter.emit('a');
    expect(calls).toEqual(['first', 'last']);
  });

  it('removes the listener that was added last', () => {
    const emitter = new Emitter();
    const twice = () => {};
    const other = () => {};
    emitter.on('a', twice).on('a', other).on('a', twice);
    emitter.removeListener('a', twice);
    expect(emitter.listeners('a')).toEqual([twice, other]);
  });

  it('reports listeners that come and go', () => {
    const emitter = new Emitter();
    const events: unknown[] = [];
    const listener = () => {};
    emitter.on('newListener', (name, each) => events.push(['new', name, each === listener]));
    emitter.on('removeListener', (name, each) => events.push(['gone', name, each === listener]));
    emitter.once('a', listener);
    emitter.off('a', listener);
    emitter.on('b', listener).removeAllListeners('b');
    expect(events).toEqual([
      ['new', 'removeListener', false],
      ['new', 'a', true],
      ['gone', 'a', true],
      ['new', 'b', true],
      ['gone', 'b', true],
    ]);
  });

  it('lists names, listeners and wrappers', () => {
    const emitter = new Emitter();
    const symbol = Symbol('s');
    const listener = () => {};
    emitter.on('a', listener).once(symbol, listener);
    expect(emitter.eventNames()).toEqual(['a', symbol]);
    expect(emitter.listeners(symbol)).toEqual([listener]);
    expect(emitter.rawListeners(symbol)[0]).not.toBe(listener);
    expect(emitter.listenerCount('a', listener)).toBe(1);
    expect(statics(Emitter).listenerCount(emitter, 'a')).toBe(1);
    expect(statics(Emitter).getEventListeners(emitter, 'a')).toEqual([listener]);
    emitter.removeAllListeners();
    expect(emitter.eventNames()).toEqual([]);
  });

  it('throws an error that nobody hears, after its monitors', () => {
    const emitter = new Emitter();
    const monitored: unknown[] = [];
    const error = new Error('unheard');
    emitter.on(errorMonitor, (each) => monitored.push(each));
    expect(() => emitter.emit('error', error)).toThrow(error);
    expect(monitored).toEqual([error]);
    expect(errorOf(() => emitter.emit('error', { a: 1 }))).toEqual({
      name: 'Error',
      message: 'Unhandled error. ({ a: 1 })',
      code: 'ERR_UNHANDLED_ERROR',
    });
  });

  it('refuses what is no listener and no limit', () => {
    const emitter = new Emitter();
    expect(errorOf(() => emitter.on('a', 'x' as never))).toEqual({
      name: 'TypeError',
      message: `The "listener" argument must be of type function. Received type string ('x')`,
      code: 'ERR_INVALID_ARG_TYPE',
    });
    expect(errorOf(() => emitter.setMaxListeners(-1))).toMatchObject({
      name: 'RangeError',
      code: 'ERR_OUT_OF_RANGE',
    });
    expect(emitter.setMaxListeners(3).getMaxListeners()).toBe(3);
  });

  it('is a base for classes and for functions that call it', () => {
    const base: unknown = Emitter;
    function Old(this: object) {
      Reflect.apply(base as () => void, this, []);
    }
    Object.setPrototypeOf(Old.prototype as object, Emitter.prototype);
    const old = Reflect.construct(Old, []) as InstanceType<typeof Emitter>;
    let count = 0;
    old.on('a', () => count++).emit('a');
    class Own extends Emitter {}
    expect([count, old instanceof Emitter, new Own() instanceof Emitter]).toEqual([1, true, true]);
  });

  it('passes rejections of listeners to the error event', async () => {
    const emitter = new Emitter({ captureRejections: true });
    const error = new Error('rejected');
    emitter.on('a', async () => {
      throw error;
    });
    const heard = new Promise((resolve) => emitter.on('error', resolve));
    emitter.emit('a');
    expect(await heard).toBe(error);
  });

  it('waits for one event, an error or the signal', async () => {
    const emitter = new Emitter();
    const { once } = statics(Emitter);
    const first = once(emitter, 'a');
    emitter.emit('a', 1, 2);
    expect(await first).toEqual([1, 2]);
    const failed = once(emitter, 'a');
    emitter.emit('error', new Error('failed'));
    await expect(failed).rejects.toThrow('failed');
    const control = new AbortController();
    const aborted = once(emitter, 'a', { signal: control.signal });
    control.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError', code: 'ABORT_ERR' });
    expect(emitter.eventNames()).toEqual([]);
  });

  it('iterates over events that came before they were read', async () => {
    const emitter = new Emitter();
    const events = statics(Emitter).on(emitter, 'a');
    emitter.emit('a', 1);
    emitter.emit('a', 2);
    expect([(await events.next()).value, (await events.next()).value]).toEqual([[1], [2]]);
    const waiting = events.next();
    emitter.emit('error', new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    expect(await events.next()).toMatchObject({ done: true });
    expect(emitter.eventNames()).toEqual([]);
  });
});
