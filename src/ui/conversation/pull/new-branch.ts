/** A branch that a command pushed to GitHub for the first time. */
export interface NewBranch {
  /** `owner/name` */
  readonly repository: string;
  readonly branch: string;
}

/** The lines that `git push` prints after it made a branch at GitHub. */
const HINT =
  /^(?:remote: +)?Create a pull request for '([^'\n]+)' on GitHub by visiting:\n(?:remote: +)?\s+https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/pull\/new\//gm;

/**
 * The last branch of which the output says so, or `null`. Any program may print these lines, so the answer is only good
 * for an offer: the person sees the names, and the token is asked for by repository.
 */
export function newBranchIn(output: string): NewBranch | null {
  const [, branch, repository] = [...output.matchAll(HINT)].at(-1) ?? [];
  return branch === undefined || repository === undefined ? null : { repository, branch };
}
