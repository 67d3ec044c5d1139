export const previewWords = {
  server: 'Server',
  serverName: (port: number) => `Port ${port}`,
  reload: 'Reload',
  frame: (port: number) => `What the server on port ${port} shows`,
  none: 'No server is running in this workspace.',
  noneHint: 'Start one in the terminal, or ask the agent for it: what listens on a port is shown here.',
  refused: (url: string) => `${url} is no address that may be shown here.`,
} as const;
