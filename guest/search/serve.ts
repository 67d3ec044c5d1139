import { messageOf } from '../../src/base/message-of.ts';
import type { FromSearch, Peer, ToSearch } from '../shared/protocol.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { Replica } from './replica.ts';

/** The search worker: keeps the replica and answers one search at a time. */
export function serveSearch(peer: Peer<FromSearch, ToSearch>): void {
  const replica = new Replica();
  peer.onMessage((message) => {
    switch (message.kind) {
      case 'put':
        for (const file of message.files) replica.put(file);
        return;
      case 'remove':
        for (const path of message.paths) replica.remove(path);
        return;
      default:
        answer(peer, replica, message);
    }
  });
}

function answer(
  peer: Peer<FromSearch, ToSearch>,
  replica: Replica,
  message: Extract<ToSearch, { id: number }>,
): void {
  const { id } = message;
  try {
    const result =
      message.kind === 'glob'
        ? glob(replica, message.query)
        : grep(replica, message.query, (partial) => peer.post({ kind: 'partial', id, result: partial }));
    peer.post({ kind: 'answer', id, result });
  } catch (error) {
    peer.post({ kind: 'failed', id, message: messageOf(error) });
  }
}
