import type { Script } from '../models/types.ts';
import type { ModelRef } from '../session/log/events.ts';
import type { Sessions } from '../session/sessions.ts';
import type { App } from '../ui/app.ts';
import type { Parts } from './compose/parts.ts';
import { workspaceWith } from './compose/workspaces.ts';
import type { ModelSettings } from './model-settings.ts';
import { DEMO_PROMPT, demoWhere } from '../lessons/demo/demo.ts';
import { DEMO_MODEL, PAGE_DEMO_MODEL } from '../lessons/demo/model.ts';
import { wordingIn } from '../lessons/demo/wording.ts';
import { pageLanguage } from '../ui/languages/languages.ts';

const DEMO_WORKSPACE = 'order-totals';
const PAGE_WORKSPACE = 'split-the-bill';
const YOU_WORKSPACE = 'first-call';

export interface StartsDeps {
  readonly models: Pick<ModelSettings, 'choice' | 'choose'>;
  readonly sessions: Pick<Sessions, 'create'>;
  /** The script of a scripted model of that name. */
  readonly scripts: Map<string, Script>;
  /** The language of the page, in which the starts are. */
  readonly language: string;
  /** Creates a workspace with these files and returns its id. */
  workspaceWith(files: Readonly<Record<string, string>>, name: string): Promise<string>;
}

export function startsOf(parts: Parts): ReturnType<typeof starts> {
  const { models, sessions, scripts } = parts;
  return starts({
    models,
    sessions,
    scripts,
    language: pageLanguage(),
    workspaceWith: (files, name) => workspaceWith(parts, files, name, 'embedded'),
  });
}

/** The starts that the first page offers with one click. The page fetches this code with the click. */
export function starts({
  models,
  sessions,
  scripts,
  language,
  workspaceWith,
}: StartsDeps): Pick<App, 'startDemo' | 'startPageDemo' | 'startYou'> {
  type Ready = Parameters<App['startDemo']>[0];
  interface Start {
    readonly files: Readonly<Record<string, string>>;
    /** The name of the new workspace. */
    readonly name: string;
    readonly title: string;
    readonly prompt: string;
    readonly model: ModelRef;
  }

  async function start({ files, name, title, prompt, model }: Start, ready: Ready) {
    const session = await sessions.create({ workspaceID: await workspaceWith(files, name), title });
    await ready(session);
    // A person who has chosen a model keeps it.
    if (model.provider === 'you' && !models.choice()) await models.choose(model);
    await session.prompt(prompt, { model });
    return session;
  }

  async function startScript(english: Script, id: string, name: string, prompt: string, ready: Ready) {
    const inLanguage = await wordingIn(language);
    const script = inLanguage(english);
    scripts.set(id, script);
    const model = { provider: 'scripted', model: id };
    const { files = {}, title } = script;
    return start({ files, name, title, prompt: inLanguage(prompt), model }, ready);
  }

  return {
    async startDemo(ready) {
      const demo = demoWhere({ isolated: globalThis.crossOriginIsolated });
      return startScript(demo, DEMO_MODEL, DEMO_WORKSPACE, DEMO_PROMPT, ready);
    },
    async startPageDemo(ready) {
      const { BUILD_PAGE, BUILD_PAGE_PROMPT } = await import('../lessons/demo/build-page.ts');
      return startScript(BUILD_PAGE, PAGE_DEMO_MODEL, PAGE_WORKSPACE, BUILD_PAGE_PROMPT, ready);
    },
    async startYou(ready) {
      const { YOU_FILES, YOU_PROMPT, YOU_TITLE } = await import('../lessons/you-start/you-start.ts');
      const model = { provider: 'you', model: 'you' };
      const inLanguage = await wordingIn(language);
      const given = inLanguage({ files: YOU_FILES, title: YOU_TITLE, prompt: YOU_PROMPT });
      return start({ ...given, name: YOU_WORKSPACE, model }, ready);
    },
  };
}
