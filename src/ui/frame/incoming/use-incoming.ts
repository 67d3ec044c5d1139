import { faultOf } from '../../../base/fault.ts';
import {
  importEntries,
  isOverLimits,
  type ImportEntry,
  type ImportOptions,
  type ImportReport,
} from '../../../workspace/transfer.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { useApp, useDraft, useToasts, useView, useWorkspace, type Provided } from '../../context.ts';
import type { App } from '../../app.ts';
import { mentionOf } from '../../conversation/mention/complete.ts';
import { showName } from '../../workbench/show-name.ts';
import { isAttachable, isAttachableText, isImage, keepFile, type IncomingFile } from './attach.ts';
import { incomingWords as words } from './incoming-words.ts';
import { shrink } from './shrink/shrink.ts';

type Deps = Pick<Provided, 'view' | 'workspace' | 'draft' | 'toasts'> & Pick<App, 'workspaces'>;

/** How many of the files that were left out a notice names; it has little room. */
const NAMED = 3;

/** Returns the store that takes files from outside into the message or the workspace. Call it while a component is made. */
export function useIncoming(): Incoming {
  return new Incoming({
    view: useView(),
    workspace: useWorkspace(),
    draft: useDraft(),
    toasts: useToasts(),
    workspaces: useApp('workspaces'),
  });
}

class Incoming {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Attaches pictures and PDFs to the message and adds other files to the workspace. With `texts`, texts are attached
   * too.
   */
  async take(entries: readonly ImportEntry[], { texts = false } = {}): Promise<void> {
    if (entries.length === 0) return this.#tell(words.nothing);
    const { player, session } = this.#deps.view;
    if (player) return this.#tell(words.recordingShown);
    if (session && !session.writable) return this.#tell(words.readOnly);
    try {
      const workspace = await this.#workspaceFor();
      if (!workspace) return;
      const others: ImportEntry[] = [];
      const paths: string[] = [];
      for (const entry of entries) {
        const path = await this.#attached(workspace, entry, texts);
        if (path === null) others.push(entry);
        else paths.push(path);
      }
      if (paths.length > 0) this.#mention(paths);
      if (others.length > 0) await this.#add(workspace, others);
    } catch (error) {
      this.failed(error);
    }
  }

  /**
   * The shown workspace; on the first page, the one that a first message would use. Returns `null` after
   * telling the person why there is none.
   */
  async #workspaceFor(): Promise<Workspace | null> {
    const { view, workspace: shown, workspaces } = this.#deps;
    if (shown.workspace) return shown.workspace;
    if (!view.session && !(await view.newSession())) return null;
    if (shown.id !== null) return workspaces.open(shown.id);
    this.#tell(words.noWorkspace);
    return null;
  }

  /** Where a file is kept as an attachment; `null` if it is not one. */
  async #attached(workspace: Workspace, entry: ImportEntry, texts: boolean): Promise<string | null> {
    if (entry.type !== 'file') return null;
    if (!isAttachable(entry) && !(texts && (await isAttachableText(entry)))) return null;
    return keepFile(workspace, entry, shrink);
  }

  #mention(paths: readonly string[]): void {
    const { draft, toasts } = this.#deps;
    const gap = draft.text === '' || /\s$/.test(draft.text) ? '' : ' ';
    draft.set(`${draft.text}${gap}${paths.map(mentionOf).join(' ')} `);
    // It lies over the conversation, where the message stands once it is sent.
    toasts.show(words.attached(paths.map(showName)), {
      while: () => paths.some((path) => draft.text.includes(mentionOf(path))),
    });
  }

  async #add(
    workspace: Workspace,
    entries: readonly ImportEntry[],
    options: ImportOptions = {},
  ): Promise<void> {
    const report = await importEntries(workspace, entries, options);
    const { stopped } = report;
    if (stopped) {
      const text = [stopped.what, stopped.next].filter(Boolean).join(' ');
      return isOverLimits(stopped)
        ? this.#offer(text, words.leaveOutIgnored, async () => {
            const { withoutIgnoredEntries } = await import('../../../workspace/leave-out.ts');
            await this.#add(workspace, await withoutIgnoredEntries(entries));
          })
        : this.#tell(text);
    }
    this.#report(workspace, entries, report);
  }

  #report(
    workspace: Workspace,
    entries: readonly ImportEntry[],
    { files, kept, refused }: ImportReport,
  ): void {
    const notes = [
      files > 0 ? words.added(files) : '',
      kept.length > 0 ? words.kept(kept.length) : '',
      ...refused.slice(0, NAMED).map(({ where, what }) => words.refused(showName(where ?? ''), what)),
      refused.length > NAMED ? words.moreRefused(refused.length - NAMED) : '',
      entries.some(isImage) ? words.notShown : '',
    ];
    const zip = entries.find((entry) => entry.type === 'file' && entry.path.toLowerCase().endsWith('.zip'));
    const unpack = zip?.type === 'file' && {
      title: words.unpack(showName(zip.path)),
      run: () => void this.#unpacked(workspace, zip),
    };
    const replace = kept.length > 0 && {
      title: words.replace,
      run: () => void this.#add(workspace, kept, { existing: 'replace' }).catch(this.failed),
    };
    const action = unpack || replace;
    this.#deps.toasts.show(notes.filter(Boolean).join(' '), {
      failed: refused.length > 0,
      ...(action && { action }),
    });
  }

  async #unpacked(workspace: Workspace, zip: IncomingFile): Promise<void> {
    try {
      const { entriesOfZip } = await import('../../../workspace/unzip.ts');
      const bytes = await zip.read();
      try {
        await this.#add(workspace, await entriesOfZip(bytes));
      } catch (error) {
        const { code, what } = faultOf(error);
        if (code !== 'zip-too-large') throw error;
        this.#offer(what, words.leaveOutIgnored, async () =>
          this.#add(workspace, await entriesOfZip(bytes, { leaveOutIgnored: true })),
        );
      }
    } catch (error) {
      this.failed(error);
    }
  }

  /** Tells of a failure, with an action that may help. */
  #offer(text: string, title: string, action: () => Promise<void>): void {
    this.#deps.toasts.show(text, {
      failed: true,
      action: { title, run: () => void action().catch(this.failed) },
    });
  }

  #tell(text: string): void {
    this.#deps.toasts.show(text, { failed: true });
  }

  readonly failed = (error: unknown): void => this.#tell(faultOf(error).what);
}
