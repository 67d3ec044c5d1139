import type { Event } from '../log/events.ts';
import { startManifest } from './later-files.ts';
import type { Recording } from './recording.ts';

/** The recording with other files at its start, which its events name by the hash of their list. */
export function withStart(recording: Recording, files: Recording['files']): Recording {
  const manifest = startManifest(files);
  const [own, ...others] = recording.sessions;
  let later = 0;
  const events = own.events.map((event): Event => {
    if (event.type === 'snapshot.taken') {
      const list = event.reason === 'session-start' ? undefined : recording.laterFiles[later++];
      return { ...event, manifest: list?.manifest ?? manifest };
    }
    return event.type === 'restore.began' && event.files !== undefined
      ? { ...event, files: manifest }
      : event;
  });
  return { ...recording, files, sessions: [{ ...own, events }, ...others] };
}
