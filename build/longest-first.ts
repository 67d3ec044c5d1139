import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. Their size tells nothing of it, which is what Vitest goes by in a fresh checkout. */
export const LONGEST = [
  'src/workspace/embedded/node.cases.browser.test.ts',
  'src/workspace/embedded/embedded.browser.test.ts',
  'src/ui/workbench/TerminalTab.browser.test.ts',
  'src/workspace/webcontainer/webcontainer.browser.test.ts',
  'src/ui/conversation/permission/dock.browser.test.ts',
  'src/workspace/embedded/limits.browser.test.ts',
  'src/workspace/embedded/node.packages.browser.test.ts',
  'src/language/worker.browser.test.ts',
  'guest/shell/areas.test.ts',
  'guest/git/github/github.test.ts',
  'src/session/restore/histories.test.ts',
  'guest/git/history.test.ts',
  'guest/kernel/jobs.test.ts',
  'src/workspace/changes/git-patch.test.ts',
];

/** Begins with the longest files, so that none of them runs alone at the end while the other cores have nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
