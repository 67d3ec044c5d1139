import type { Script } from '../models/types.ts';
import type { Answerer } from '../permissions/types.ts';
import type { QuestionAnswerer } from '../session/calls/questions.ts';
import type { Sessions } from '../session/sessions.ts';
import type { LoadedTools } from './tools.ts';
import type { App } from '../ui/app.ts';
import { Composition } from './compose/composition.ts';
import { connect } from './compose/listeners.ts';
import { createPageApp } from './compose/page-app.ts';
import type { AppOptions, Parts } from './compose/parts.ts';
import { purgeExpired } from './compose/purge.ts';
import { workspaceWith } from './compose/workspaces.ts';
import type { ModelSettings } from './model-settings.ts';
import type { PermissionSettingsOfApp } from './permission-settings.ts';

/** The app, and those of its parts that automation uses. */
export interface AppParts {
  readonly app: App;
  readonly models: ModelSettings;
  readonly permissions: PermissionSettingsOfApp;
  readonly sessions: Sessions;
  readonly registry: LoadedTools;
  /** Resolves when stored settings are read. */
  readonly ready: Promise<void>;
  /** Makes the scripted model of this name play this script from now on. */
  setScript(model: string, script: Script): void;
  /** Stops the app from sending model requests of its own, such as those for titles. */
  automate(): void;
  setAnswerer(answerer: Answerer | null): void;
  setQuestionAnswerer(answerer: QuestionAnswerer | null): void;
  /** Creates a workspace with these files and returns its id. */
  workspaceWith(
    files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
    name?: string,
  ): Promise<string>;
}

/** How long after the start old data is removed, in milliseconds. */
const PURGE_AFTER_MS = 5_000;

export function createApp(options: AppOptions): AppParts {
  const parts = new Composition(options);
  const { automation, sessions, models, permissions, registry, scripts } = parts;
  connect(parts);
  const answererChanged = () => {
    for (const session of sessions.live()) if ('answererChanged' in session) session.answererChanged();
  };
  return {
    app: createPageApp(parts),
    models,
    permissions,
    sessions,
    registry,
    ready: readSettings(parts),
    setScript: (model, script) => void scripts.set(model, script),
    automate: () => void (automation.automated = true),
    setAnswerer(next) {
      automation.answerer = next;
      answererChanged();
    },
    setQuestionAnswerer(next) {
      automation.questionAnswerer = next;
      answererChanged();
    },
    workspaceWith: (files, name) => workspaceWith(parts, files, name),
  };
}

async function readSettings(parts: Parts): Promise<void> {
  const { models, permissions, web, conversations, tools, configurations, secrets, sessions } = parts;
  const settings = [models, permissions, web, conversations, tools, configurations, secrets];
  await Promise.all(settings.map((each) => each.load()));
  sessions.warm();
  parts.containers.warm();
  parts.options.timer.after(PURGE_AFTER_MS, () => void purgeExpired(parts).catch(() => undefined));
}
