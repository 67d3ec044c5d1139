import { primaryOf } from '../agents/agents.ts';
import { pageIds, type Ids } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { Timer } from '../base/timer.ts';
import { recordedModel } from '../models/recorded/recorded.ts';
import type { Model } from '../session/request/model.ts';
import { forkedSessions, sessionAt } from '../session/fork/fork.ts';
import { recordingAt } from '../session/fork/recording-at.ts';
import type { Commit } from '../session/log/store.ts';
import { fetchRecording } from '../session/recording/fetched.ts';
import { importedSessions, type ImportInto } from '../session/recording/import.ts';
import { Playback } from '../session/recording/playback.ts';
import { record } from '../session/recording/record.ts';
import type { Recording } from '../session/recording/recording.ts';
import type { Sessions } from '../session/sessions.ts';
import type { SnapshotEntry } from '../workspace/workspace.ts';
import type { Storage } from '../storage/storage.ts';
import type { AppRecordings, RecordingRun } from '../ui/app.ts';
import { copyName } from './copy-name.ts';
import type { Parts } from './compose/parts.ts';
import type { ConfigurationsOfApp } from './configurations.ts';
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

  async record(sessionID: string, most?: number): Promise<Recording> {
    const { sessions, redact } = this.#deps;
    const source = {
      events: (id: string) => sessions.wholeLog(id),
      content: (hash: Hash) => sessions.content(hash),
      redact,
    };
    return record(sessionID, source, most);
  }

  async import(recording: Recording): Promise<string> {
    const workspaceID = await this.#workspaceOf(recording);
    return this.#commit(workspaceID, (into) => importedSessions(recording, into));
  }

  async fork(sessionID: string, events: number): Promise<string> {
    const { sessions, storage, workspaces } = this.#deps;
    const content = async (hash: Hash) => (await sessions.content(hash)) ?? snapshotGone(hash);
    const at = await sessionAt({ log: (id) => sessions.wholeLog(id), content }, sessionID, events);
    const source = (await workspaces.list()).find(({ id }) => id === at.workspaceID);
    const workspaceID = await this.#workspaceWith(source?.name ?? at.from.title, at.files, content);
    return this.#commit(workspaceID, async (into) => {
      const commits = await forkedSessions(at, into);
      const own = commits.at(-1);
      // The files of its moments stay stored for the new session too.
      if (own) await storage.blobs.retain(own.sessionID, [...at.contents]);
      return commits;
    });
  }

  async forkRecording(recording: Recording, events: number): Promise<string> {
    const { recording: cut, files } = recordingAt(recording, events);
    const content = async (hash: Hash) => contentOf(recording.contents, hash);
    const workspaceID = await this.#workspaceWith(recording.title, files, content);
    return this.#commit(workspaceID, (into) =>
      importedSessions(cut, into, { title: recording.title, events }),
    );
  }

  /** Stores the sessions, and returns the id of the last one. Nothing is left of them if that fails. */
  async #commit(
    workspaceID: string,
    make: (into: ImportInto) => Promise<readonly Commit[]>,
  ): Promise<string> {
    const { storage, appSessions, ids } = this.#deps;
    let commits: readonly Commit[] = [];
    try {
      commits = await make({ workspaceID, newSessionID: () => ids.next('ses') });
      for (const commit of commits) await storage.sessions.commit(commit, 'strict');
    } catch (error) {
      await this.#takeBack(workspaceID, commits);
      throw error;
    }
    appSessions.added();
    const own = commits.at(-1);
    if (!own) throw new Error('There is no session to store.');
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
  #workspaceOf({ title, files, contents }: Recording): Promise<string> {
    return this.#workspaceWith(title, files, async (hash) => contentOf(contents, hash));
  }

  async #workspaceWith(
    title: string,
    files: readonly SnapshotEntry[] | null,
    content: (hash: Hash) => Promise<Uint8Array<ArrayBuffer>>,
  ): Promise<string> {
    const { workspaces } = this.#deps;
    const taken = (await workspaces.list()).map((known) => known.name);
    const name = copyName(title.trim().slice(0, NAME_CHARACTERS).trim(), taken);
    const { id } = await workspaces.create({ kind: 'embedded', ...(name !== '' && { name }) });
    try {
      const workspace = await workspaces.open(id);
      if (files) await workspace.restore(withoutIgnored(files), content);
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
      else await storage.blobs.releaseOwner(sessionID);
    await workspaces.delete(workspaceID);
  }
}

/** In a new workspace there is nothing of what snapshots leave out. */
function withoutIgnored(files: readonly SnapshotEntry[]): readonly SnapshotEntry[] {
  return files.filter(({ type }) => type !== 'ignored');
}

function snapshotGone(hash: Hash): never {
  throw new FaultError({
    code: 'snapshot-damaged',
    what: 'A part of the files of that moment is no longer stored.',
    where: hash,
    next: 'Go on from another moment.',
  });
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

export function recordingsOf(parts: Parts): RecordingsOfApp {
  const { sessions, appSessions, workspaces, configurations, recorded, options } = parts;
  const { storage, timer, keys } = options;
  return new RecordingsOfApp({
    storage,
    sessions,
    appSessions,
    workspaces,
    models: recorded,
    configurations,
    timer,
    ids: pageIds,
    redact: (text) => keys.redact(text),
  });
}
