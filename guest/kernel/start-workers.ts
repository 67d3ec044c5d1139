import type { FromSearch, FromShell, ToSearch, ToShell, WorkerPeer } from '../shared/protocol.ts';
import type { FromNode, ToNode } from '../shared/wire.ts';

export interface StartWorkers {
  /** A node worker of this script. */
  node?(script: Blob): WorkerPeer<ToNode, FromNode>;
  shell(): WorkerPeer<ToShell, FromShell>;
  search(): WorkerPeer<ToSearch, FromSearch>;
}
