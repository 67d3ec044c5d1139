import { afterAll, vi } from 'vitest';

// Test files share a thread, but no module with its state: the next file loads its modules anew.
afterAll(() => {
  vi.resetModules();
});
