import type { Manifest } from '../manifest.ts';

export const previewManifest: Manifest = {
  id: 'preview',
  effect: 'runs',
  permission: {
    id: 'preview',
    // What is shown runs in a frame that reaches the workspace alone. Code of the model's own is another matter.
    rules: { '*': 'allow', 'evaluate *': 'ask' },
    question: 'use the preview',
    label: 'Use the preview',
    asksByDefault: 'Running code in a page asks by default.',
    anything: 'anything in the preview',
  },
};
