import { messages } from '../../languages/messages.ts';

export const repositoryWords = messages('repository', {
  title: 'Open a repository',
  about: 'From GitHub, in a new workspace of its own. Nothing runs until you send a message.',
  field: 'Repository',
  fieldHint: 'owner/name, or its address at github.com',
  ref: 'Branch or tag',
  refHint: 'Empty for the default branch',
  invalid: 'Write the repository as owner/name.',
  reach:
    'Its newest commit is fetched from api.github.com and raw.githubusercontent.com. Programs in your workspaces may reach these two hosts from then on; you can take that back under Settings, Tools and servers.',
  token:
    'Private repositories, and more than a few openings an hour, need a GitHub token under Settings, Tools and servers.',
  prompt: 'This message then waits in the message box. It is not sent by itself.',
  promptFor: (agent: string) =>
    `This message for the agent ${agent} then waits in the message box. It is not sent by itself.`,
  open: 'Open',
  stop: 'Stop',
  begun: 'Asking GitHub',
  progress: (percent: number) => `Receiving files: ${percent} %`,
});
