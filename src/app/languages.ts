import { lazily } from '../base/lazily.ts';
import type { Timer } from '../base/timer.ts';
import type { WorkspaceLanguage } from '../language/language.ts';
import type { ToolHooks } from '../tools/hooks.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * The language services of the open workspaces, and their diagnostics after changes. Nothing is loaded before it is
 * needed.
 */
export class Languages {
  readonly #timer: Timer;
  readonly #load = lazily(() => import('./language-worker.ts'));
  readonly #known = new WeakMap<Workspace, WorkspaceLanguage>();
  readonly #feedback: () => Promise<ToolHooks>;

  /** `isOn` says whether diagnostics are reported after changes in this workspace. */
  constructor(timer: Timer, isOn: (workspaceID: string) => boolean) {
    this.#timer = timer;
    this.#feedback = lazily(async () => {
      const { feedback } = await import('../tools/lsp/feedback.ts');
      return feedback({ languageOf: this.of, isOn, timer });
    });
  }

  readonly of = async (workspace: Workspace): Promise<WorkspaceLanguage> => {
    const { languageOf } = await this.#load();
    const known = this.#known.get(workspace);
    if (known) return known;
    const language = languageOf(workspace, this.#timer);
    this.#known.set(workspace, language);
    return language;
  };

  readonly hooks: ToolHooks = {
    'tool.execute.after': async (call, result, surroundings) => {
      // If this cannot be loaded, the diagnostics are left out: the call itself succeeded.
      const hooks = await this.#feedback().catch(() => undefined);
      await hooks?.['tool.execute.after']?.(call, result, surroundings);
    },
  };
}
