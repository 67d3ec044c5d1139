import { OWN_SCRIPT, type SessionHandle } from '../ui/app.ts';
import type { Parts } from './compose/parts.ts';
import { workspaceWith } from './compose/workspaces.ts';

/** Keeps the script and makes it the default model. A script with files gets a session in a workspace of its own. */
export async function playScript(parts: Parts, text: string): Promise<SessionHandle | null> {
  const { title, files } = await (await parts.ownScript()).set(text);
  await parts.models.choose({ provider: 'scripted', model: OWN_SCRIPT });
  if (!files) return null;
  const workspaceID = await workspaceWith(parts, files, title || undefined);
  return parts.sessions.create({ workspaceID, title });
}
