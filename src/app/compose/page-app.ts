import { lazily } from '../../base/lazily.ts';
import type { App } from '../../ui/app.ts';
import { YouOfApp } from '../you.ts';
import type { Parts } from './parts.ts';

/** Creates the app as the page uses it. */
export function createPageApp(parts: Parts): App {
  const { sessions, workspaces, models, configurations, options } = parts;
  const { keys, storage, notice, offline } = options;
  return {
    sessions: parts.appSessions,
    workspaces,
    containers: parts.containers,
    models,
    openRouter: lazily(async () => (await import('../openrouter.ts')).openRouterOf(parts)),
    browserModel: lazily(async () => (await import('../browser-model.ts')).browserModelOf()),
    permissions: parts.permissions,
    configurations,
    secrets: parts.secrets,
    servers: parts.servers,
    web: parts.web,
    hosts: parts.hosts,
    conversations: parts.conversations,
    tools: parts.tools,
    log: parts.toolLog,
    you: new YouOfApp(
      parts.youQueue,
      parts.registry,
      (id) => sessions.live().find((session) => session.id === id)?.state.agent,
    ),
    storage: notice,
    offline,
    ...scriptFeatures(parts),
    ...recordingFeatures(parts),
    repositories: lazily(async () => {
      const { RepositoriesOfApp } = await import('../repositories.ts');
      return new RepositoriesOfApp({ workspaces, hosts: parts.hosts });
    }),
    lessons: parts.lessons,
    lessonModel: async (sessionID) =>
      (await storage.settings.get('lessons.progress')) ? (await parts.lessons()).modelOf(sessionID) : null,
    ...startFeatures(parts),
    folders: lazily(async () => (await import('../folders.ts')).openFolders(storage)),
    promptHistory: lazily(async () => (await import('../prompt-history.ts')).openPromptHistory(storage)),
    languageOf: parts.languages.of,
    previewOf: async (workspace) => (await parts.previews()).of(workspace),
    redact: (text) => keys.redact(text),
    blob: (hash) => storage.blobs.get(hash),
  };
}

/** The starts of the first page. */
function startFeatures(parts: Parts): Pick<App, 'startDemo' | 'startPageDemo' | 'startYou'> {
  const load = lazily(async () => (await import('../starts.ts')).startsOf(parts));
  return {
    startDemo: async (ready) => (await load()).startDemo(ready),
    startPageDemo: async (ready) => (await load()).startPageDemo(ready),
    startYou: async (ready) => (await load()).startYou(ready),
  };
}

/** The script that the person entered in Settings. */
function scriptFeatures(parts: Parts): Pick<App, 'scriptText' | 'playScript'> {
  return {
    scriptText: async () => (await parts.ownScript()).text,
    playScript: async (text) => (await import('../play-script.ts')).playScript(parts, text),
  };
}

function recordingFeatures(parts: Parts): Pick<App, 'recordings' | 'compare'> {
  const { sessions, workspaces, configurations } = parts;
  return {
    recordings: lazily(async () => {
      const { recordingsOf } = await import('../recordings.ts');
      return recordingsOf(parts);
    }),
    compare: async (request) =>
      (await import('../comparisons.ts')).compare(request, { sessions, workspaces, configurations }),
  };
}
