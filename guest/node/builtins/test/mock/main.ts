import { MockTracker } from './mock.ts';

/** The mocks of `node:test`: a part of node that is fetched with its first use. */
const mock = { MockTracker };

export type Mock = typeof mock;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', mock);
