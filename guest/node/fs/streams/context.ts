import type { LoadBuiltin } from '../../builtins/builtin.ts';
import type { EventLoop } from '../../loop/loop.ts';
import type { StreamOpening } from './opening.ts';
import type { StreamSources } from './sources.ts';

/** The services that both classes of file streams use. */
export interface StreamContext {
  readonly load: LoadBuiltin;
  readonly loop: EventLoop;
  readonly sources: StreamSources;
  readonly opening: StreamOpening;
}

/** Returns the state that streams keep under a name of node's. */
export function stateOf(stream: object, name: string): { autoDestroy?: unknown } {
  return Object(Reflect.get(stream, name));
}
