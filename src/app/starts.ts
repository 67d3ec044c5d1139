import type { Script } from '../models/types.ts';
import type { Sessions } from '../session/sessions.ts';
import type { App } from '../ui/app.ts';
import type { ModelSettings } from './model-settings.ts';
import { DEMO_MODEL, PAGE_DEMO_MODEL } from '../lessons/demo/model.ts';

const DEMO_WORKSPACE = 'order-totals';
const PAGE_WORKSPACE = 'split-the-bill';
const YOU_WORKSPACE = 'first-call';

export interface StartsDeps {
  readonly models: Pick<ModelSettings, 'choice' | 'choose'>;
  readonly sessions: Pick<Sessions, 'create'>;
  /** The script of a scripted model of that name. */
  readonly scripts: Map<string, Script>;
  /** Creates a workspace with these files and returns its id. */
  workspaceWith(files: Readonly<Record<string, string>>, name: string): Promise<string>;
}

/** The starts that the first page offers with one click. */
export function starts({
  models,
  sessions,
  scripts,
  workspaceWith,
}: StartsDeps): Pick<App, 'startDemo' | 'startPageDemo' | 'startYou'> {
  return {
    async startDemo(ready) {
      const { demoWhere, DEMO_PROMPT } = await import('../lessons/demo/demo.ts');
      const demo = demoWhere({ isolated: globalThis.crossOriginIsolated });
      scripts.set(DEMO_MODEL, demo);
      const workspaceID = await workspaceWith(demo.files ?? {}, DEMO_WORKSPACE);
      const session = await sessions.create({ workspaceID, title: demo.title });
      await ready(session);
      await session.prompt(DEMO_PROMPT, { model: { provider: 'scripted', model: DEMO_MODEL } });
      return session;
    },
    async startPageDemo(ready) {
      const { BUILD_PAGE, BUILD_PAGE_PROMPT } = await import('../lessons/demo/build-page.ts');
      scripts.set(PAGE_DEMO_MODEL, BUILD_PAGE);
      const workspaceID = await workspaceWith({}, PAGE_WORKSPACE);
      const session = await sessions.create({ workspaceID, title: BUILD_PAGE.title });
      await ready(session);
      await session.prompt(BUILD_PAGE_PROMPT, { model: { provider: 'scripted', model: PAGE_DEMO_MODEL } });
      return session;
    },
    async startYou(ready) {
      const { YOU_FILES, YOU_PROMPT, YOU_TITLE } = await import('../lessons/you-start/you-start.ts');
      const choice = { provider: 'you', model: 'you' };
      const workspaceID = await workspaceWith(YOU_FILES, YOU_WORKSPACE);
      const session = await sessions.create({ workspaceID, title: YOU_TITLE });
      await ready(session);
      // A person who has chosen a model keeps it.
      if (!models.choice()) await models.choose(choice);
      await session.prompt(YOU_PROMPT, { model: choice });
      return session;
    },
  };
}
