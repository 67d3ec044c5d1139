import type { Wanted } from '../../app.ts';
import { messages } from '../../languages/messages.ts';

export const hostNoticeWords = messages('hostNotice', {
  about({ hosts, token }: Wanted): { readonly title: string; readonly text: string } {
    if (token) return aboutToken(token);
    const names = hosts.join(' and ');
    const [these, them] = hosts.length > 1 ? ['these hosts', 'them'] : ['this host', 'it'];
    return {
      title: hosts.includes('registry.npmjs.org')
        ? `A program wants to fetch packages from ${names}.`
        : `A program wants to reach ${names}.`,
      text: `From then on, programs in your workspaces can ask ${these} for anything, and send ${them} what they read. You can take that back under Settings, Tools and servers.`,
    };
  },
  allow: 'Allow',
  deny: 'Deny',
});

function aboutToken({ repository, access }: NonNullable<Wanted['token']>) {
  const isWriting = access === 'write';
  return {
    title: `git wants to use your GitHub token to ${isWriting ? 'change' : 'read'} ${repository}.`,
    text: isWriting
      ? 'Programs in this workspace could then push branches and tags there and open pull requests, until this page is loaded again. They do not see the token.'
      : 'Programs in this workspace could then read that repository, until this page is loaded again. They do not see the token.',
  };
}
