export { EventEmitter } from '../internal/emitter.ts';
