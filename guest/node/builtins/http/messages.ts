import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { makeIncoming } from './incoming.ts';
import { makeOutgoing } from './outgoing.ts';

export type Messages = ReturnType<typeof makeMessages>;

/** The messages of HTTP as streams of this process. */
export function makeMessages(host: NodeHost, load: LoadBuiltin) {
  return { IncomingMessage: makeIncoming(host, load), OutgoingMessage: makeOutgoing(host, load) };
}
