import { createAutomation } from '../automation/automation.ts';
import { browserTools, isModelContext } from '../automation/browser-tools.ts';
import { maskSecrets } from '../base/secrets.ts';
import { transcriptOf } from '../session/transcript/transcript.ts';
import type { AppParts } from './app.ts';
import { automationHost } from './automation-host.ts';
import { shownSessionID } from './shown-session.ts';

/** Offers the agent of this page to the agent of the browser, through WebMCP. */
export async function offerToBrowser(parts: AppParts, context: unknown): Promise<void> {
  if (!isModelContext(context)) return;
  const { sessions, redact } = parts.app;
  const tools = browserTools({
    automation: createAutomation(Promise.resolve(automationHost({ parts }))),
    shown: shownSessionID,
    async transcript(id) {
      const session = await sessions.open(id);
      while (await session.loadOlder());
      return maskSecrets(redact(transcriptOf(session.state)));
    },
  });
  for (const tool of tools) {
    // A browser that refuses a tool, or the whole page, has its reasons; the page works without.
    await context.registerTool(tool).catch(() => undefined);
  }
}
