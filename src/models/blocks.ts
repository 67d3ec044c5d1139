import type { JsonObject } from '../base/json.ts';
import type { StreamPart } from '../session/log/parts.ts';
import { defined } from './plain.ts';

type Kind = 'text' | 'reasoning';
interface Metadata {
  readonly providerMetadata?: JsonObject;
}
interface Block {
  readonly kind: Kind;
  readonly id: string;
  /** The newest metadata of a text delta: signatures arrive there and must be sent back with the text. */
  last?: JsonObject;
}

/**
 * The text and reasoning blocks of one message. Servers reopen an id after a pause, or while it is still open, or
 * never open it: here each opening becomes a separate block with a unique id, and every block gets closed.
 */
export class Blocks {
  readonly #used = new Set<string>();
  readonly #open = new Map<string, Block>();

  start(kind: Kind, raw: string, metadata: Metadata): readonly StreamPart[] {
    const before = this.end(kind, raw, {});
    const id = this.#add(kind, raw).id;
    return [...before, { type: `${kind}-start`, id, ...metadata }];
  }

  text(raw: string, text: string, metadata: Metadata): readonly StreamPart[] {
    const [block, opened] = this.#current('text', raw);
    if (metadata.providerMetadata) block.last = metadata.providerMetadata;
    return [...opened, { type: 'text-delta', id: block.id, text }];
  }

  reasoning(raw: string, text: string, metadata: Metadata): readonly StreamPart[] {
    const [block, opened] = this.#current('reasoning', raw);
    return [...opened, { type: 'reasoning-delta', id: block.id, text, ...metadata }];
  }

  /** Returns no parts for a block that is not open. */
  end(kind: Kind, raw: string, metadata: Metadata): readonly StreamPart[] {
    const block = this.#open.get(kind + raw);
    if (!block) return [];
    this.#open.delete(kind + raw);
    const providerMetadata = metadata.providerMetadata ?? block.last;
    return [{ type: `${kind}-end`, id: block.id, ...defined({ providerMetadata }) }];
  }

  endAll(): readonly StreamPart[] {
    return [...this.#open].flatMap(([key, { kind }]) => this.end(kind, key.slice(kind.length), {}));
  }

  #current(kind: Kind, raw: string): [Block, readonly StreamPart[]] {
    const known = this.#open.get(kind + raw);
    if (known) return [known, []];
    const block = this.#add(kind, raw);
    return [block, [{ type: `${kind}-start`, id: block.id }]];
  }

  #add(kind: Kind, raw: string): Block {
    let id = raw || kind;
    for (let n = 2; this.#used.has(id); n++) id = `${raw || kind}_${n}`;
    this.#used.add(id);
    const block: Block = { kind, id };
    this.#open.set(kind + raw, block);
    return block;
  }
}
