import type { Manifest } from '../manifest.ts';

export const previewManifest: Manifest = {
  id: 'preview',
  effect: 'runs',
  permission: {
    id: 'preview',
    // The page runs in a frame that reaches the workspace alone, so reading it and acting in it are allowed. Code that the
    // model writes is asked for.
    rules: { '*': 'allow', 'evaluate *': 'ask' },
    question: 'use the preview',
    label: 'Use the preview',
    asksByDefault: 'Running code in a page asks by default.',
    anything: 'anything in the preview',
  },
};
