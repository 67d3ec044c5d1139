/** Reads `owner/name` out of what a person types or pastes: a name, or an address at github.com. */
export function repositoryName(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^(?:https?:\/\/(?:www\.)?github\.com\/|git@github\.com:)/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
  const [owner = '', name = ''] = bare.split('/');
  const cut = name.replace(/\.git$/, '');
  const isName = /^[\w-][\w.-]*$/.test(owner) && /^[\w.-]+$/.test(cut) && !/^\.+$/.test(cut);
  return isName ? `${owner}/${cut}` : undefined;
}
