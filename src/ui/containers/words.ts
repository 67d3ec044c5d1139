export const containerWords = {
  stuckTitle: 'A process cannot be ended.',
  diedTitle: 'The container stopped working.',
  restartContainer: 'Restart the container',
  useEmbedded: 'Use the embedded workspace',
  tryAgain: 'Try again',
  containerUnavailable: 'No WebContainer; the embedded workspace is used.',
  containerOffered: 'A WebContainer is ready.',
  containerOfferedText: 'It has Node and npm. What was changed here stays here.',
  containerUse: 'Work with Node',
  settingsContainers: 'WebContainers',
  containersAllowed: 'Ask StackBlitz for WebContainers',
  containersHint:
    'A WebContainer is Node and npm in this tab. Its runtime comes from stackblitz.com, which then knows of your visit; files stay in the tab. Without this the page never contacts StackBlitz.',
  containersKey: 'Site key for WebContainers',
  containersKeyHint:
    'Names this site to StackBlitz; sites for production and for profit need one, and a licence from StackBlitz. Takes effect when the page is loaded anew.',
} as const;
