// Writes docs/workspace.md from the cases of test/fixtures/node and what was recorded of them.
import { writeDocs } from './written-docs.mjs';

await writeDocs('workspace.md', '/build/workspace-docs.ts', 'workspaceDocs');
