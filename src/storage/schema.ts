import type { DBSchema } from 'idb';
import type { Hash } from '../base/hash.ts';
import type { Json } from '../base/json.ts';
import type { SavedRule } from '../permissions/types.ts';
import type { Event } from '../session/log/events.ts';
import type { MessageRecord, SessionRecord, StoredOutput } from '../session/log/store.ts';
import type { WorkspaceRecord } from '../workspace/registry.ts';
import type { Layer } from './layers.ts';

export const DB_VERSION = 3;

/** The key of each store is given in its comment; keys are in line unless marked `out of line`. */
export interface VitrineSchema extends DBSchema {
  sessions: { key: string; value: SessionRow; indexes: { workspace: string } };
  /** Key `[sessionID, firstSeq]`. */
  events: { key: [string, number]; value: EventBatch };
  /** Key `[sessionID, seq]`. */
  messages: { key: [string, number]; value: MessageRecord };
  /** The content is stored apart from its owners, so that a new owner never rewrites it. */
  blobs: { key: Hash; value: BlobRow };
  /** Key `[hash, owner]`: a blob is kept as long as a row names it. */
  owners: { key: [Hash, string]; value: OwnerRow; indexes: { owner: string } };
  /** Key `[sessionID, messageID, callID]`. */
  outputs: { key: [string, string, string]; value: StoredOutput; indexes: { time: number } };
  rules: { key: string; value: SavedRule; indexes: { workspace: string } };
  workspaces: { key: string; value: WorkspaceRecord };
  /** Key out of line, counting up: later layers lie on top of earlier ones. */
  files: { key: number; value: LayerRow; indexes: { workspace: string } };
  /** Key out of line: the name of the setting. */
  settings: { key: string; value: Json };
  /** Key `[sessionID, seq]` of the message; the title is at {@link TITLE_SEQ}. */
  search: { key: [string, number]; value: SearchRow; indexes: { words: string } };
}

/** `nextSeq` is the end of the log; `state` may be older. */
export type SessionRow = SessionRecord & { readonly nextSeq: number };

export interface EventBatch {
  readonly sessionID: string;
  readonly firstSeq: number;
  readonly events: readonly Event[];
}

export interface BlobRow {
  readonly hash: Hash;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface OwnerRow {
  readonly hash: Hash;
  readonly owner: string;
}

export type LayerRow = Layer & { readonly workspaceID: string };

export const TITLE_SEQ = -1;

export interface SearchRow {
  readonly sessionID: string;
  readonly seq: number;
  readonly words: readonly string[];
}
