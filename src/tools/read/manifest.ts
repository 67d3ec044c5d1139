import type { Manifest } from '../manifest.ts';

export const readManifest: Manifest = {
  id: 'read',
  effect: 'reads',
  permission: {
    id: 'read',
    // Reading is free, except for files that usually hold secrets.
    rules: { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask', '*.env.example': 'allow' },
    question: 'read a file',
    label: 'Read files',
    asksByDefault: 'Files like this one ask by default.',
    anything: 'reading any file',
  },
  quiet: true,
};
