import type { Manifest } from '../manifest.ts';

export const skillManifest: Manifest = {
  id: 'skill',
  effect: 'session',
  permission: {
    id: 'skill',
    // A skill is text of the workspace; calls that follow from it ask by themselves.
    rules: { '*': 'allow' },
    question: 'use a skill',
    label: 'Use skills',
  },
};
