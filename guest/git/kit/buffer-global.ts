import { Buffer } from 'buffer';

// isomorphic-git uses node's global `Buffer`, which a worker does not have.
if (Reflect.get(globalThis, 'Buffer') === undefined) Reflect.set(globalThis, 'Buffer', Buffer);
