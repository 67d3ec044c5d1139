import { messages } from '../../languages/messages.ts';

export const containerWords = messages('container', {
  stuckTitle: 'A process cannot be stopped.',
  diedTitle: 'The container stopped working.',
  restartContainer: 'Restart the container',
  useEmbedded: 'Use the embedded workspace',
  tryAgain: 'Try again',
  containerOffered: 'A WebContainer is ready.',
  containerOfferedText: 'It has Node and npm. What was changed here stays here.',
  containerUse: 'Work with Node',
  settingsContainers: 'WebContainers',
  containersAllowed: 'Ask StackBlitz for WebContainers',
  containersHint:
    'A WebContainer is Node and npm in this tab. Its runtime comes from stackblitz.com, so StackBlitz will see your visit; files stay in the tab. New workspaces try one. With this off, the page never contacts StackBlitz.',
  containersOffBySite:
    'The owner of this site has switched WebContainers off. StackBlitz is never contacted.',
  containersKey: 'Site key for WebContainers',
  containersKeyHint:
    'Identifies this site to StackBlitz. Production and commercial sites need one, and a licence from StackBlitz. Takes effect after a reload.',
});
