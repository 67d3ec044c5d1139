/** A repository at github.com. */
export interface GitHubName {
  readonly owner: string;
  readonly name: string;
}

const FORMS = [
  /^(?:https?|git|ssh):\/\/(?:[^/@]*@)?(?:www\.)?github\.com(?::\d+)?\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/i,
  /^(?:[^/@]*@)?github\.com:\/?([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/i,
];

/** The repository at github.com that an address of any form means. */
export function gitHubName(url: string): GitHubName | undefined {
  for (const form of FORMS) {
    const [, owner, name] = form.exec(url) ?? [];
    if (owner !== undefined && name !== undefined && !/^\.+$/.test(owner) && !/^\.+$/.test(name))
      return { owner, name };
  }
  return undefined;
}
