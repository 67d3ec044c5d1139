// Writes docs/tools.md from the code of the tools.
import { writeDocs } from './written-docs.mjs';

await writeDocs('tools.md', '/build/tools-docs.ts', 'toolsDocs');
