import type { codeWords as codeBlockWords } from '../conversation/code/code-words.ts';
import type { attachWords } from '../conversation/composer/attach/attach-words.ts';
import type { historyWords } from '../conversation/composer/history-words.ts';
import type { modelMenuWords } from '../conversation/composer/model-menu-words.ts';
import type { conversationWords } from '../conversation/conversation-words.ts';
import type { faultWords } from '../conversation/fault-words.ts';
import type { mentionWords } from '../conversation/mention/mention-words.ts';
import type { pullWords } from '../conversation/pull/pull-words.ts';
import type { queueWords } from '../conversation/queue/queue-words.ts';
import type { restoreWords } from '../conversation/restore/restore-words.ts';
import type { summaryWords } from '../conversation/summary/summary-words.ts';
import type { taskWords } from '../conversation/task/task-words.ts';
import type { todoWords } from '../conversation/todo/todo-words.ts';
import type { containerWords } from '../frame/containers/container-words.ts';
import type { hostNoticeWords } from '../frame/hosts/host-notice-words.ts';
import type { incomingWords } from '../frame/incoming/incoming-words.ts';
import type { notifyWords } from '../frame/notify/notify-words.ts';
import type { offlineWords } from '../frame/offline/offline-words.ts';
import type { repositoryWords } from '../frame/repository/repository-words.ts';
import type { paletteWords } from '../frame/palette/palette-words.ts';
import type { paneWords } from '../frame/panes/pane-words.ts';
import type { sessionWords } from '../frame/sessions/session-words.ts';
import type { auditWords } from '../glass/audit/audit-words.ts';
import type { compareWords } from '../glass/compare/compare-words.ts';
import type { forkWords } from '../glass/fork-words.ts';
import type { inspectorWords } from '../glass/inspector/inspector-words.ts';
import type { reasonWords } from '../glass/inspector/reason-words.ts';
import type { verbWords } from '../conversation/tools/verb-words.ts';
import type { pastWords } from '../glass/inspector/past-words.ts';
import type { shareWords } from '../glass/share/share-words.ts';
import type { recordingWords } from '../glass/recording/recording-words.ts';
import type { stepWords } from '../glass/stepping/step-words.ts';
import type { youWords } from '../glass/you/you-words.ts';
import type { markdownWords } from '../kit/markdown/markdown-words.ts';
import type { lessonWords } from '../lessons/lesson-words.ts';
import type { configWords } from '../settings/config/config-words.ts';
import type { hostWords } from '../settings/host-words.ts';
import type { openRouterWords } from '../settings/openrouter/openrouter-words.ts';
import type { browserModelWords } from '../settings/browser/browser-model-words.ts';
import type { tabModelWords } from '../settings/browser/tab-model-words.ts';
import type { localWords } from '../settings/local/local-words.ts';
import type { pageWords as settingsPageWords } from '../settings/page-words.ts';
import type { scriptWords } from '../settings/script-words.ts';
import type { serverWords } from '../settings/servers/server-words.ts';
import type { settingsWords } from '../settings/settings-words.ts';
import type { words } from '../words.ts';
import type { changesWords } from '../workbench/changes/changes-words.ts';
import type { codeWords as codeServiceWords } from '../workbench/files/editor/code/code-words.ts';
import type { editorWords } from '../workbench/files/editor/editor-words.ts';
import type { formatWords } from '../workbench/files/editor/format/format-words.ts';
import type { folderWords } from '../workbench/files/folder/folder-words.ts';
import type { searchWords } from '../workbench/files/search/search-words.ts';
import type { findWords } from '../workbench/find/find-words.ts';
import type { jobWords } from '../workbench/jobs/job-words.ts';
import type { logWords } from '../workbench/log-words.ts';
import type { previewWords } from '../workbench/preview/words.ts';
import type { benchWords } from '../workbench/workbench-words.ts';

/** The texts of the frame of the page and of what all parts share. */
export interface FrameTexts {
  readonly container: typeof containerWords;
  readonly hostNotice: typeof hostNoticeWords;
  readonly incoming: typeof incomingWords;
  readonly notify: typeof notifyWords;
  readonly offline: typeof offlineWords;
  readonly repository: typeof repositoryWords;
  readonly palette: typeof paletteWords;
  readonly pane: typeof paneWords;
  readonly session: typeof sessionWords;
  readonly markdown: typeof markdownWords;
  readonly page: typeof words;
}

/** The texts of a conversation. */
export interface ConversationTexts {
  readonly codeBlock: typeof codeBlockWords;
  readonly attach: typeof attachWords;
  readonly history: typeof historyWords;
  readonly modelMenu: typeof modelMenuWords;
  readonly conversation: typeof conversationWords;
  readonly fault: typeof faultWords;
  readonly mention: typeof mentionWords;
  readonly pullRequest: typeof pullWords;
  readonly queue: typeof queueWords;
  readonly restore: typeof restoreWords;
  readonly summary: typeof summaryWords;
  readonly task: typeof taskWords;
  readonly verbs: typeof verbWords;
  readonly todo: typeof todoWords;
}

/** The texts of the workbench. */
export interface WorkbenchTexts {
  readonly changes: typeof changesWords;
  readonly codeServices: typeof codeServiceWords;
  readonly editor: typeof editorWords;
  readonly format: typeof formatWords;
  readonly folder: typeof folderWords;
  readonly search: typeof searchWords;
  readonly find: typeof findWords;
  readonly job: typeof jobWords;
  readonly log: typeof logWords;
  readonly preview: typeof previewWords;
  readonly bench: typeof benchWords;
}

/** The texts of the inspector, stepping, recordings, comparisons, decisions, and of the person as the model. */
export interface GlassTexts {
  readonly audit: typeof auditWords;
  readonly compare: typeof compareWords;
  readonly fork: typeof forkWords;
  readonly reasons: typeof reasonWords;
  readonly inspector: typeof inspectorWords;
  readonly past: typeof pastWords;
  readonly recording: typeof recordingWords;
  readonly share: typeof shareWords;
  readonly step: typeof stepWords;
  readonly you: typeof youWords;
}

/** The texts of lessons. */
export interface LessonTexts {
  readonly lesson: typeof lessonWords;
}

/** The texts of the settings. */
export interface SettingsTexts {
  readonly config: typeof configWords;
  readonly host: typeof hostWords;
  readonly browserModel: typeof browserModelWords;
  readonly tabModels: typeof tabModelWords;
  readonly local: typeof localWords;
  readonly openRouter: typeof openRouterWords;
  readonly script: typeof scriptWords;
  readonly server: typeof serverWords;
  readonly settings: typeof settingsWords;
  readonly settingsPages: typeof settingsPageWords;
}

/** The texts of the whole page in one language. */
export interface Catalogue
  extends FrameTexts, ConversationTexts, WorkbenchTexts, GlassTexts, LessonTexts, SettingsTexts {}
