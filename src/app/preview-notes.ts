import type { Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import { isProblem, type PreviewEvent } from '../preview/log.ts';
import type { PageEntry } from '../session/log/page-entry.ts';
import type { Session } from '../session/session.ts';

/** A session that this tab writes. */
export type NotingSession = Pick<Session, 'id' | 'state' | 'writable' | 'commanding' | 'onEvents' | 'note'>;

export interface PreviewNotesDeps {
  sessions(): readonly NotingSession[];
  /** The id of the session that the page shows. */
  shownID(): string | undefined;
  readonly timer: Timer;
}

/**
 * Notes in the logs of sessions what happens in the preview of their workspace: in that of the session which the person
 * sees, and in those that work. Successful requests are left out.
 */
export class PreviewNotes {
  readonly #deps: PreviewNotesDeps;
  readonly #notes = new WeakMap<NotingSession, SessionNotes>();

  constructor(deps: PreviewNotesDeps) {
    this.#deps = deps;
  }

  add(workspaceID: string, event: PreviewEvent): void {
    const problem = isProblem(event);
    if (event.kind === 'request' && !problem) return;
    const shownID = this.#deps.shownID();
    const entry = entryOf(event);
    for (const session of this.#deps.sessions()) {
      if (session.state.workspaceID !== workspaceID || !session.writable) continue;
      if (session.id === shownID || session.state.turn || session.commanding)
        this.#of(session).add(entry, problem);
    }
  }

  #of(session: NotingSession): SessionNotes {
    const notes = this.#notes.get(session) ?? new SessionNotes(session, this.#deps.timer);
    this.#notes.set(session, notes);
    return notes;
  }
}

/**
 * How many problems, and how many other entries, the log gets from one turn until the next. A page can do more than the log
 * of a session has room for.
 */
const MOST = 100;
/** Entries wait this long for others, which then make one event, in milliseconds. */
const SOON_MS = 250;
/** How long it takes to tell of what was left out, if nothing else is to be told, in milliseconds. */
const LATER_MS = 60_000;

class SessionNotes {
  readonly #session: NotingSession;
  readonly #timer: Timer;
  #entries: PageEntry[] = [];
  #leftOut = 0;
  #problems = 0;
  #others = 0;
  #due: { readonly ms: number; readonly cancel: Unlisten } | undefined;

  constructor(session: NotingSession, timer: Timer) {
    this.#session = session;
    this.#timer = timer;
    session.onEvents((events) => {
      if (events.some(({ type }) => type === 'turn.started')) this.#problems = this.#others = 0;
    });
  }

  add(entry: PageEntry, problem: boolean): void {
    const last = this.#entries.at(-1);
    if (last && isSame(last, entry)) {
      last.times = (last.times ?? 1) + 1;
      return;
    }
    if ((problem ? this.#problems : this.#others) < MOST) {
      if (problem) this.#problems++;
      else this.#others++;
      this.#entries.push({ ...entry });
      this.#tellAfter(SOON_MS);
    } else {
      this.#leftOut++;
      this.#tellAfter(LATER_MS);
    }
  }

  #tellAfter(ms: number): void {
    if (this.#due && this.#due.ms <= ms) return;
    this.#due?.cancel();
    this.#due = { ms, cancel: this.#timer.after(ms, () => this.#tell()) };
  }

  #tell(): void {
    const entries = this.#entries;
    const leftOut = this.#leftOut;
    this.#due = undefined;
    this.#entries = [];
    this.#leftOut = 0;
    // Another tab may have taken over the session meanwhile.
    if (!this.#session.writable) return;
    this.#session.note({ type: 'preview.noted', entries, ...(leftOut > 0 && { leftOut }) });
  }
}

const LONGEST_TEXT = 1_000;
const LONGEST_ADDRESS = 300;

/** The event as the log has it, with long texts cut. */
function entryOf(event: PreviewEvent): PageEntry {
  switch (event.kind) {
    case 'console': {
      const { kind, level, text, source } = event;
      return { kind, level, text: cut(text), source: cut(source, LONGEST_ADDRESS) };
    }
    case 'error': {
      const { kind, text, source, stack } = event;
      return { kind, text: cut(text), source: cut(source, LONGEST_ADDRESS), stack: cut(stack) };
    }
    case 'request': {
      const { kind, method, target, status, problem, ms } = event;
      return {
        ...{ kind, method, target: cut(target, LONGEST_ADDRESS), ms },
        ...(status !== undefined && { status }),
        ...(problem !== undefined && { problem: cut(problem) }),
      };
    }
    case 'blocked': {
      const { kind, url, directive } = event;
      return { kind, url: cut(url, LONGEST_ADDRESS), directive: cut(directive, LONGEST_ADDRESS) };
    }
    case 'page':
      return { kind: 'page', target: cut(event.target, LONGEST_ADDRESS) };
  }
}

function cut(text: string, most = LONGEST_TEXT): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function isSame({ times: _times, ...one }: PageEntry, other: PageEntry): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
