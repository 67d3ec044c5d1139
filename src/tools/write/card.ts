import type { Card } from '../card.ts';

export const writeCard: Card = { verb: 'Write', icon: 'file-plus', subject: ['filePath', 'path'] };
