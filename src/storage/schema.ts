import type { DBSchema } from 'idb';
import type { Hash } from '../base/hash.ts';
import type { Json } from '../base/json.ts';
import type { SavedRule } from '../permissions/types.ts';
import type { Event } from '../session/events.ts';
import type { MessageRecord, SessionRecord, StoredOutput } from '../session/store.ts';
import type { WorkspaceRecord } from '../workspace/registry.ts';
import type { Layer } from './layers.ts';

export const DB_VERSION = 2;

/** Keys are listed beside their stores; all are in line except where a key is given as `out of line`. */
export interface VitrineSchema extends DBSchema {
  sessions: { key: string; value: SessionRow; indexes: { workspace: string } };
  /** Key `[sessionID, firstSeq]`. */
  events: { key: [string, number]; value: EventBatch };
  /** Key `[sessionID, seq]`. */
  messages: { key: [string, number]; value: MessageRecord };
  /** Content apart from its owners, so that another owner never rewrites it. */
  blobs: { key: Hash; value: BlobRow };
  /** Key `[hash, owner]`: a blob is kept while a row names it. */
  owners: { key: [Hash, string]; value: OwnerRow; indexes: { owner: string } };
  /** Key `[sessionID, messageID, callID]`. */
  outputs: { key: [string, string, string]; value: StoredOutput; indexes: { time: number } };
  rules: { key: string; value: SavedRule; indexes: { workspace: string } };
  workspaces: { key: string; value: WorkspaceRecord };
  /** Key out of line, counted up: the order in which layers lie over one another. */
  files: { key: number; value: LayerRow; indexes: { workspace: string } };
  /** Key out of line: the setting's name. */
  settings: { key: string; value: Json };
  /** Key `[sessionID, seq]` of the message; the title is at {@link TITLE_SEQ}. */
  search: { key: [string, number]; value: SearchRow; indexes: { words: string } };
}

/** `nextSeq` is where the log ends: `state` may lag behind it. */
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
