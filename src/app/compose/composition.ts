import { lazily } from '../../base/lazily.ts';
import { browserNetwork } from '../../models/browser-network.ts';
import type { Script } from '../../models/types.ts';
import { YouQueue } from '../../models/you/queue.ts';
import { RecentBodies } from '../../session/inspect/bodies.ts';
import type { Model } from '../../session/request/model.ts';
import { TabChannel } from '../../storage/channel.ts';
import { pageLanguage } from '../../ui/languages/languages.ts';
import { ConversationSettings } from '../conversation-settings.ts';
import { HostSettings } from '../host-settings.ts';
import { SecretsOfApp } from '../secrets.ts';
import { ToolSettings } from '../tool-settings.ts';
import { WebSettings } from '../web-settings.ts';
import type { AppOptions, AutomationSwitches, Parts } from './parts.ts';
import { createAppSessions, createSessions } from './sessions.ts';
import { createConfigurations, createModels, createPermissions } from './settings.ts';
import { createLanguages, createPages, createRegistry, createToolLog, createToolServers } from './tools.ts';
import { createContainers, createWorkspaces, workspaceWith } from './workspaces.ts';

/** Creates every part of the app that the options do not provide. */
export class Composition implements Parts {
  readonly options: AppOptions;
  readonly channel = new TabChannel();
  readonly automation: AutomationSwitches = { automated: false, answerer: null, questionAnswerer: null };
  readonly scripts = new Map<string, Script>();
  readonly recorded = new Map<string, Model>();
  readonly network = browserNetwork();
  readonly youQueue = new YouQueue();
  readonly bodies = new RecentBodies();
  readonly conversations;
  readonly web;
  readonly hosts;
  readonly tools;
  readonly secrets;
  readonly toolLog;
  readonly languages;
  readonly pages;
  readonly registry;
  readonly models;
  readonly permissions;
  readonly configurations;
  readonly containers;
  readonly workspaces;
  readonly servers;
  readonly sessions;
  readonly appSessions;

  readonly ownScript = lazily(async () =>
    (await import('../own-script.ts')).OwnScript.open(this.options.storage.settings),
  );

  readonly previews: Parts['previews'] = lazily(async () =>
    (await import('./previews.ts')).createPreviews(this),
  );

  readonly lessons = lazily(async () => {
    const { LessonsOfApp } = await import('../lessons.ts');
    const { storage } = this.options;
    return LessonsOfApp.open({
      language: pageLanguage(),
      settings: storage.settings,
      wholeLog: (id) => this.sessions.wholeLog(id),
      rulesEverywhere: () => this.permissions.rules(null),
      revoke: (id) => this.permissions.revoke(id),
      sessions: this.appSessions,
      workspaces: this.workspaces,
      makeWorkspace: (files, name) => workspaceWith(this, files, name, 'embedded'),
    });
  });

  constructor(options: AppOptions) {
    const { storage, keys } = options;
    this.options = options;
    this.conversations = new ConversationSettings(storage.settings);
    this.web = new WebSettings(storage.settings, keys);
    this.hosts = new HostSettings(storage.settings);
    this.tools = new ToolSettings(storage.settings);
    this.secrets = new SecretsOfApp(storage.settings, keys);
    this.toolLog = createToolLog(this);
    this.languages = createLanguages(this);
    this.pages = createPages(this);
    this.registry = createRegistry(this);
    this.models = createModels(this);
    this.permissions = createPermissions(this);
    this.configurations = createConfigurations(this);
    this.containers = createContainers(this);
    this.workspaces = createWorkspaces(this);
    this.servers = createToolServers(this);
    this.sessions = createSessions(this);
    this.appSessions = createAppSessions(this);
  }
}
