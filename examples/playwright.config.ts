import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  // Transcripts are the same on every system, so one file serves all.
  snapshotPathTemplate: '{testDir}/{testFileName}-snapshots/{arg}{ext}',
});
