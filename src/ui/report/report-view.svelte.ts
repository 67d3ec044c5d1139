import { FaultError } from '../../base/fault.ts';
import { hashText } from '../../base/hash.ts';
import { maskSecrets } from '../../base/secrets.ts';
import type { Inspection } from '../../session/inspect/inspection.ts';
import { inspectRecorded, type RecordedLog } from '../../session/inspect/recorded.ts';
import type { ModelRef } from '../../session/log/events.ts';
import type { Shown } from '../context.ts';
import type { Player } from '../glass/recording/player.svelte.ts';
import { framePainter } from '../state/painter.ts';
import { SessionView } from '../state/session-view.svelte.ts';
import { reportWords } from './report-words.ts';

/** The recorded session that the page shows: that of the test, or of one of its sub-agents. */
export class ReportView implements Shown {
  readonly #painter = framePainter();
  #player = $state.raw<Player | null>(null);
  #session = $state.raw<SessionView | null>(null);

  get player(): Player | null {
    return this.#player;
  }

  get session(): SessionView | null {
    return this.#session;
  }

  play(player: Player): void {
    this.#player?.pause();
    this.#session?.close();
    const session = new SessionView(player.session, this.#painter);
    player.onJump = () => session.replaced();
    this.#session = session;
    this.#player = player;
  }
}

/** Opens the log of the recording that is shown. */
export function inspectShown(_id: string, recorded?: RecordedLog | null): Promise<Inspection> {
  if (!recorded) return Promise.reject(new Error('There is nothing but the recording.'));
  return inspectRecorded(recorded, {
    digest: async (text) => hashText(text),
    mask: maskSecrets,
    rehearse: async ({ provider }: ModelRef) => {
      // The code of the providers would make the page several times as large.
      if (provider === 'scripted') return null;
      throw new FaultError({ code: 'not-here', what: reportWords.notRebuilt });
    },
  });
}
