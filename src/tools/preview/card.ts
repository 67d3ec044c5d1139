import type { Card } from '../card.ts';

export const previewCard: Card = {
  verb: 'Preview',
  verbs: {
    open: 'Open',
    snapshot: 'Look at the page',
    picture: 'Take a picture',
    messages: 'Read the console',
    click: 'Click',
    type: 'Type text',
    press: 'Press',
    select: 'Choose',
    wait: 'Wait for',
    evaluate: 'Run in the page',
    resize: 'Resize the page',
    reload: 'Reload the page',
    back: 'Go back',
  },
  icon: 'globe',
  subject: ['path', 'text', 'key', 'code', 'ref'],
  onlyWritten: true,
};
