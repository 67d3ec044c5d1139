import { primaryOf } from '../agents/agents.ts';
import type { Ids } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { Timer } from '../base/timer.ts';
import { recordedModel } from '../models/recorded/recorded.ts';
import type { Model } from '../session/request/model.ts';
import { importedSessions } from '../session/recording/import.ts';
import { Playback } from '../session/recording/playback.ts';
import { record } from '../session/recording/record.ts';
import type { Recording } from '../session/recording/recording.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Storage } from '../storage/storage.ts';
import type { AppRecordings, RecordingRun } from '../ui/app.ts';
import type { ConfigurationsOfApp } from './configurations.ts';
import { fetchRecording } from './fetch-recording.ts';
import { RecordingRunOfApp } from './recording-run.ts';
import type { SessionsOfApp } from './sessions.ts';
import type { Workspaces } from './workspaces.ts';

export interface RecordingsDeps {
  readonly storage: Storage;
  readonly sessions: Sessions;
  readonly appSessions: SessionsOfApp;
  readonly workspaces: Workspaces;
  /** The playbacks of recordings that run, by model name. */
  readonly models: Map<string, Model>;
  readonly timer: Timer;
  readonly configurations: Pick<ConfigurationsOfApp, 'current' | 'readAgain'>;
  readonly ids: Ids;
  redact(text: string): string;
}

const NAME_CHARACTERS = 40;
/** Gives the session a title, so that its model is not asked for one. */
const UNNAMED = 'Recording';

/** Creates recordings of sessions, and sessions from recordings. */
export class RecordingsOfApp implements AppRecordings {
  readonly #deps: RecordingsDeps;

  constructor(deps: RecordingsDeps) {
    this.#deps = deps;
  }

  async record(sessionID: string): Promise<Recording> {
    const { sessions, redact } = this.#deps;
    return record(sessionID, {
      events: (id) => sessions.wholeLog(id),
      content: (hash) => sessions.content(hash),
      redact,
    });
  }

  async import(recording: Recording): Promise<string> {
    const { storage, appSessions, ids } = this.#deps;
    const workspaceID = await this.#workspaceOf(recording);
    const commits = await importedSessions(recording, { workspaceID, newSessionID: () => ids.next('ses') });
    try {
      for (const commit of commits) await storage.sessions.commit(commit, 'strict');
    } catch (error) {
      await this.#takeBack(workspaceID, commits);
      throw error;
    }
    appSessions.added();
    const own = commits.at(-1);
    if (!own) throw new Error('The recording has no session.');
    return own.sessionID;
  }

  fetch(address: string): Promise<Recording> {
    return fetchRecording(address, location.href);
  }

  async run(recording: Recording): Promise<RecordingRun> {
    const { sessions, models, timer, configurations } = this.#deps;
    const workspaceID = await this.#workspaceOf(recording);
    // An agent may come from one of its files, and the new workspace has not been read yet.
    await configurations.readAgain(workspaceID);
    const session = await sessions.create({ workspaceID, title: recording.title || UNNAMED });
    const ref = { provider: 'recorded', model: session.id };
    const playback = new Playback(recording);
    const content = (hash: Hash) => recording.contents.get(hash);
    const run = new RecordingRunOfApp(session, playback, ref, {
      content,
      stepper: () => sessions.stepper(session.id),
      session: (id) => sessions.live().find((each) => each.id === id),
      knows: (agent) =>
        primaryOf(configurations.current(workspaceID).agents).some(({ name }) => name === agent),
    });
    models.set(
      ref.model,
      recordedModel(ref, {
        playback,
        timer,
        content,
        speed: () => run.speed,
        going: (signal) => run.untilResumed(signal),
      }),
    );
    void run.run();
    return run;
  }

  /** Creates a workspace with the files that the recording began with; none is left if that fails. */
  async #workspaceOf({ title, files, contents }: Recording): Promise<string> {
    const { workspaces } = this.#deps;
    const name = title.trim().slice(0, NAME_CHARACTERS).trim();
    const { id } = await workspaces.create({ kind: 'embedded', ...(name !== '' && { name }) });
    try {
      const workspace = await workspaces.open(id);
      if (files) await workspace.restore(files, async (hash) => contentOf(contents, hash));
      await workspace.durable();
      return id;
    } catch (error) {
      await workspaces.delete(id);
      throw error;
    }
  }

  async #takeBack(workspaceID: string, commits: readonly { readonly sessionID: string }[]): Promise<void> {
    const { storage, workspaces } = this.#deps;
    for (const { sessionID } of commits)
      if (await storage.sessions.session(sessionID)) await storage.sessions.markDeleted(sessionID, 0);
    await workspaces.delete(workspaceID);
  }
}

function contentOf(contents: Recording['contents'], hash: Hash): Uint8Array<ArrayBuffer> {
  const bytes = contents.get(hash);
  if (bytes) return bytes;
  throw new FaultError({
    code: 'recording-damaged',
    what: 'A file of the recording is missing.',
    where: hash,
  });
}
