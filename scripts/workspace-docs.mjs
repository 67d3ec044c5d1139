// Writes docs/workspace.md from the cases of test/fixtures/node and their recordings.
import { writeDocs } from './written-docs.mjs';

await writeDocs('workspace.md', '/build/workspace-docs.ts', 'workspaceDocs');
