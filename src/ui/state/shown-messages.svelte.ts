/* eslint-disable svelte/prefer-svelte-reactivity -- the maps here are bookkeeping: what is shown is in the `$state` fields */
import type { Event } from '../../session/log/events.ts';
import { promptsOfSnapshots } from '../../session/log/newest-prompt.ts';
import { conversationOf } from '../../session/log/path.ts';
import type { SessionState } from '../../session/log/state.ts';
import { NO_VERSIONS, versionsOf, type Versions } from '../../session/log/versions.ts';
import type { SessionHandle } from '../app.ts';
import { groupMessages, MessageView, type MessageGroup } from './message-view.svelte.ts';

/** The number of messages that are shown at first, and that are read from storage at once. */
const PAGE = 40;
/** How many older messages are added at once: few, because they are drawn in one task while the reader scrolls. */
const STEP = 2;

/** The messages of a session's conversation, and the last of them that are on the screen. Older ones are added as they are asked for. */
export class ShownMessages {
  readonly #session: SessionHandle;
  readonly #views = new Map<string, MessageView>();
  readonly #dirty = new Set<string>();
  #orderChanged = true;
  #all = $state.raw<readonly MessageView[]>([]);
  #versions = $state.raw<Versions>(NO_VERSIONS);
  #oldestLoaded = $state.raw(true);
  #from = $state.raw(0);
  #grouped: readonly MessageGroup[] = [];
  readonly groups = $derived.by(() => {
    this.#grouped = groupMessages(this.#all.slice(this.#from), this.#grouped);
    return this.#grouped;
  });

  constructor(session: SessionHandle) {
    this.#session = session;
    this.#markNew();
    this.paint();
    this.#from = lastPageOf(this.#all);
  }

  /** Every message that is loaded, also those that are not on the screen yet. */
  get all(): readonly MessageView[] {
    return this.#all;
  }
  /** The prompts that stand in each other's place in different versions of the conversation, keyed by each of them. */
  get versions(): Versions {
    return this.#versions;
  }
  /** True if there are older messages that are not on the screen yet. */
  get hasOlder(): boolean {
    return this.#from > 0 || !this.#oldestLoaded;
  }

  /** Notes which messages these events changed. {@link paint} then shows it. */
  take(events: readonly Event[]): void {
    for (const event of events) {
      if ('messageID' in event) this.#dirty.add(event.messageID);
      if (event.type === 'prompt.accepted' || event.type === 'step.started') this.#orderChanged = true;
      if (event.type === 'restore.ended') this.#moved();
      // The prompt remembers the files from before it was worked on.
      if (event.type === 'snapshot.taken')
        for (const { id } of promptsOfSnapshots(this.#session.state)) this.#dirty.add(id);
    }
  }

  paint(): void {
    const { state } = this.#session;
    for (const id of this.#dirty) {
      const message = state.messages.get(id);
      if (!message) continue;
      const view = this.#views.get(id) ?? new MessageView(message);
      this.#views.set(id, view);
      view.show(state);
    }
    this.#dirty.clear();
    if (this.#orderChanged) this.#order(state);
    this.#oldestLoaded = this.#session.oldestLoaded;
  }

  /** Shows a few older messages, from memory first, then from the store. */
  async showOlder(): Promise<void> {
    const shown = this.#all.length;
    // A page of older messages may have only those of other versions of the conversation.
    while (this.#from === 0 && !this.#oldestLoaded && this.#all.length === shown) {
      await this.#session.loadOlder(PAGE);
      this.refresh();
    }
    this.#from = Math.max(0, this.#from - STEP);
  }

  /** Reads everything again, after older messages arrived or the session changed without an event. */
  refresh(): void {
    const first = this.#all[this.#from];
    this.#orderChanged = true;
    this.#markNew();
    this.paint();
    if (!first) return;
    // Older messages were added in front, so the screen keeps showing the same ones.
    const at = this.#all.indexOf(first);
    // The conversation may have gone on in another version since the last paint, which lacks the first one.
    this.#from = at >= 0 ? at : lastPageOf(this.#all);
  }

  /** The state is now that of another moment, so messages that it lacks are removed. {@link paint} shows the others. */
  replaced(): void {
    const { messages } = this.#session.state;
    for (const id of this.#views.keys()) if (!messages.has(id)) this.#views.delete(id);
    for (const id of messages.keys()) this.#dirty.add(id);
    const conversation = conversationOf(this.#session.state);
    if (this.#from >= conversation.length) this.#from = lastPageOf(conversation);
    this.#orderChanged = true;
  }

  /** The conversation goes on elsewhere, maybe after messages that were not on the screen yet. */
  #moved(): void {
    this.#markNew();
    this.#orderChanged = true;
    this.#from = lastPageOf(conversationOf(this.#session.state));
  }

  #markNew(): void {
    for (const id of this.#session.state.messages.keys()) if (!this.#views.has(id)) this.#dirty.add(id);
  }

  #order(state: SessionState): void {
    this.#orderChanged = false;
    if (state.branched) this.#all = conversationOf(state).flatMap(({ id }) => this.#views.get(id) ?? []);
    else this.#all = [...this.#views.values()].sort((a, b) => a.message.seq - b.message.seq);
    this.#versions = state.branched ? versionsOf(state) : NO_VERSIONS;
  }
}

/** Where the last page of these messages begins. */
function lastPageOf({ length }: { readonly length: number }): number {
  return Math.max(0, length - PAGE);
}
