import { writeFileSync } from 'node:fs';
import { sourceServer } from './source-server.mjs';

/**
 * Writes a page of docs/ with the text that a function of a module in build/ returns. Vite loads the module.
 */
export async function writeDocs(page, modulePath, make) {
  const server = await sourceServer();
  try {
    const made = await server.ssrLoadModule(modulePath);
    writeFileSync(new URL(`../docs/${page}`, import.meta.url), await made[make]());
  } finally {
    await server.close();
  }
}
