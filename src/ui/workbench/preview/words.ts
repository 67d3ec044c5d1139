export const previewWords = {
  server: 'Server',
  serverName: (port: number) => `Port ${port}`,
  reload: 'Reload',
  frame: (port: number) => `What the server on port ${port} shows`,
  none: 'No server is running in this workspace.',
  noneHint: 'Start one in the terminal or ask the agent to: what listens on a port is shown here.',
  refused: (url: string) => `${url} cannot be shown here.`,
} as const;
