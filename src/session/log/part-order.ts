import type { StreamPart } from './parts.ts';

type Kind = 'text' | 'reasoning';
type Phase = 'open' | 'closed' | 'called';

/**
 * Makes any order of parts well-formed: every text and reasoning is start, deltas, end; every call's typed input is
 * start, deltas, end, call; an id that comes a second time gets a new name. Nothing that carries content is dropped.
 */
export class PartOrder {
  /** Maps (kind, provider id) to the id used in the log. */
  readonly #names = new Map<string, string>();
  /** Keyed by kind and the id used in the log. */
  readonly #phases = new Map<string, Phase>();

  /** The parts to append for `part`: none, the part itself, or the part with missing ones before it. */
  next(part: StreamPart): StreamPart[] {
    switch (part.type) {
      case 'text-start':
        return this.#start('text', part.id, (id) => ({ ...part, id }));
      case 'reasoning-start':
        return this.#start('reasoning', part.id, (id) => ({ ...part, id }));
      case 'text-delta': {
        const { id, missing } = this.#openText('text', part.id);
        return [...missing, { ...part, id }];
      }
      case 'reasoning-delta': {
        const { id, missing } = this.#openText('reasoning', part.id);
        return [...missing, { ...part, id }];
      }
      case 'text-end':
        return this.#end('text', part.id, (id) => ({ ...part, id }));
      case 'reasoning-end':
        return this.#end('reasoning', part.id, (id) => ({ ...part, id }));
      case 'tool-input-start':
        return this.#start('call', part.callID, (callID) => ({ ...part, callID }));
      case 'tool-input-delta': {
        const { id: callID, missing } = this.#openInput(part.callID);
        return [...missing, { ...part, callID }];
      }
      case 'tool-input-end':
        return this.#end('call', part.callID, (callID) => ({ ...part, callID }));
      case 'tool-call':
        return this.#call(part);
      case 'finish':
        return [...this.close(), part];
      case 'start':
      case 'response':
      case 'file':
      case 'error':
      case 'other':
        return [part];
    }
  }

  /** Ends the open text and reasoning. Open call input stays open, because it never became a call. */
  close(): StreamPart[] {
    const ends: StreamPart[] = [];
    for (const [key, phase] of this.#phases) {
      const [kind, id] = splitKey(key);
      if (phase !== 'open' || kind === 'call') continue;
      this.#phases.set(key, 'closed');
      ends.push(kind === 'text' ? { type: 'text-end', id } : { type: 'reasoning-end', id });
    }
    return ends;
  }

  #start(kind: Kind | 'call', id: string, part: (name: string) => StreamPart): StreamPart[] {
    const phase = this.#phase(kind, id);
    if (phase === 'open') return [];
    const name = phase === undefined ? this.#name(kind, id) : this.#rename(kind, id);
    this.#phases.set(`${kind}/${name}`, 'open');
    return [part(name)];
  }

  #end(kind: Kind | 'call', id: string, part: (name: string) => StreamPart): StreamPart[] {
    if (this.#phase(kind, id) !== 'open') return [];
    const name = this.#name(kind, id);
    this.#phases.set(`${kind}/${name}`, 'closed');
    return [part(name)];
  }

  #openText(kind: Kind, id: string): { id: string; missing: StreamPart[] } {
    const missing = this.#start(kind, id, (name) =>
      kind === 'text' ? { type: 'text-start', id: name } : { type: 'reasoning-start', id: name },
    );
    return { id: this.#name(kind, id), missing };
  }

  #openInput(callID: string): { id: string; missing: StreamPart[] } {
    // Input that continues after its end still belongs to the same call, until the call itself arrives.
    if (this.#phase('call', callID) === 'closed') return { id: this.#name('call', callID), missing: [] };
    // The tool's name comes with the call, if it comes at all.
    const missing = this.#start('call', callID, (name) => ({
      type: 'tool-input-start',
      callID: name,
      tool: 'unknown',
    }));
    return { id: this.#name('call', callID), missing };
  }

  #call(part: Extract<StreamPart, { type: 'tool-call' }>): StreamPart[] {
    const before = this.#end('call', part.callID, (callID) => ({ type: 'tool-input-end', callID }));
    const repeated = this.#phase('call', part.callID) === 'called';
    const callID = repeated ? this.#rename('call', part.callID) : this.#name('call', part.callID);
    this.#phases.set(`call/${callID}`, 'called');
    return [...before, { ...part, callID }];
  }

  #phase(kind: Kind | 'call', id: string): Phase | undefined {
    return this.#phases.get(`${kind}/${this.#name(kind, id)}`);
  }

  #name(kind: Kind | 'call', id: string): string {
    return this.#names.get(`${kind}/${id}`) ?? id;
  }

  #rename(kind: Kind | 'call', id: string): string {
    let count = 2;
    while (this.#phases.has(`${kind}/${id}~${count}`)) count++;
    const name = `${id}~${count}`;
    this.#names.set(`${kind}/${id}`, name);
    return name;
  }
}

function splitKey(key: string): [kind: string, id: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}
