import { pageClock, pageIds } from '../../base/clock.ts';
import type { SessionDeps } from '../../session/deps.ts';
import { Sessions } from '../../session/sessions.ts';
import { digest } from '../digest.ts';
import { pluginHooks } from '../plugin-hooks.ts';
import { protectingStorage } from '../protect-storage.ts';
import { SessionsOfApp } from '../sessions.ts';
import type { Parts } from './parts.ts';

export function createSessions(parts: Parts): Sessions {
  const { registry, languages, toolLog, tools, workspaces, permissions, channel, bodies, automation } = parts;
  const { configurations } = parts;
  const { storage, timer } = parts.options;
  const protect = protectingStorage(() => storage.requestPersistence());
  return new Sessions({
    ...modelDeps(parts),
    store: storage.sessions,
    rules: storage.rules,
    clock: pageClock,
    ids: pageIds,
    timer,
    registry,
    hooks: [languages.hooks, pluginHooks(configurations, (id) => workspaceOf(parts, id))],
    madeFiles: toolLog.files,
    flags: () => tools.flags(),
    workspace: (id) => workspaces.open(id),
    jobs: (id) => workspaces.jobs(id),
    settings: () => permissions.current(),
    setups: configurations,
    answerer: () => automation.answerer ?? undefined,
    questionAnswerer: () => automation.questionAnswerer ?? undefined,
    snapshot: true,
    digest,
    sentBody: bodies.keep,
    onCommitted(_id, events) {
      channel.sendEvents(events);
      protect(events);
    },
  });
}

function modelDeps({
  models,
  configurations,
  conversations,
  automation,
}: Parts): Pick<SessionDeps, 'model' | 'isSetUp' | 'defaultModel' | 'smallModel' | 'titles' | 'makesRoom'> {
  return {
    model: (ref, workspaceID) => models.model(ref, configurations.of(workspaceID)?.providers),
    isSetUp: ({ provider }, workspaceID) =>
      models.isSetUp(provider, configurations.of(workspaceID)?.providers),
    defaultModel() {
      const choice = models.choice();
      return choice ? { provider: choice.provider, model: choice.model } : undefined;
    },
    smallModel: () => models.small(),
    // Automation counts the model's requests and can set a title itself. The browser's model answers one at a time.
    titles: ({ provider }) =>
      !automation.automated &&
      !['browser', 'scripted', 'you'].includes(provider) &&
      conversations.current().titles,
    makesRoom: () => conversations.current().summaries,
  };
}

export function createAppSessions(parts: Parts): SessionsOfApp {
  const { sessions, workspaces, channel, models, configurations, bodies, options } = parts;
  const { storage, timer, keys } = options;
  return new SessionsOfApp(
    sessions,
    workspaces,
    () => channel.sendChanged('sessions'),
    (text) => keys.redact(text),
    {
      timer,
      digest,
      blob: (hash) => storage.blobs.get(hash),
      rehearse: (sessionID, ref, request) => {
        const workspaceID = workspaceOf(parts, sessionID);
        const given = workspaceID === undefined ? null : configurations.of(workspaceID);
        return models.rehearse(ref, request, given?.providers);
      },
      keptBody: (id, messageID) => bodies.of(id, messageID),
    },
  );
}

function workspaceOf({ sessions }: Parts, sessionID: string): string | undefined {
  return sessions.live().find(({ id }) => id === sessionID)?.state.workspaceID;
}
