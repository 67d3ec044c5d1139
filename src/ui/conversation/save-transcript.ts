import { maskSecrets } from '../../base/secrets.ts';
import { transcriptOf } from '../../session/transcript/transcript.ts';
import type { App } from '../app.ts';
import { fileName } from '../glass/recording/actions.ts';
import { saveBlob } from '../workbench/files/save-blob.ts';

/** Downloads the conversation of a session as Markdown, without the secrets that this page knows. */
export async function saveTranscript(
  { sessions, redact }: Pick<App, 'sessions' | 'redact'>,
  sessionID: string,
): Promise<void> {
  const session = await sessions.open(sessionID);
  while (await session.loadOlder());
  const text = maskSecrets(redact(transcriptOf(session.state)));
  saveBlob(new Blob([text], { type: 'text/markdown' }), `${fileName(session.state.title)}.md`);
}
