import type { Plugin } from 'vite';
import { parseMarkdown } from '../src/lessons/markdown.ts';

/** Makes `import card from './lesson.md?card'` a lesson's head and its number of steps, without its text. */
export function lessonCards(): Plugin {
  return {
    name: 'vitrine:lesson-cards',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/lesson.md?card')) return undefined;
      const { card, steps, problems } = parseMarkdown(code);
      if (!card) throw new Error(`${id}: ${problems.join(' ')}`);
      return { code: `export default ${JSON.stringify({ ...card, steps: steps.length })};`, map: null };
    },
  };
}
