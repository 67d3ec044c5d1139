import type { JsonObject } from '../../base/json.ts';
import type { Script } from '../../models/types.ts';
import app from './page/app.txt?raw';
import html from './page/index.html?raw';
import { DONE, onlyIf, type ScriptAnswer } from './outcomes.ts';

export const BUILD_PAGE_PROMPT =
  'Build a page that splits a bill between friends, with a tip. Look at it, and try it with 60 for three.';

function look(text: string, input: JsonObject): ScriptAnswer {
  return { text, tools: [{ tool: 'preview', input }] };
}

const TYPE_BILL = { operation: 'type', ref: 'e1', text: '60' };

const NOT_BUILT =
  'There is no page to look at: a file was not written, and the result of the call says why.\n\nI only play a script. A model of your own would read that, and go by it.';
const NOT_SEEN =
  'The page is written, but I have **not seen it work**: the last call did not show me what I wanted to see, and its result says why.\n\nIt is in *Preview*: try it yourself.';
const NOT_FIXED =
  'The edit was not made, so **nothing is fixed**: the page says 203.00 where **23.00** is right.\n\n- **Cause:** `app.js` adds the tip to a text.\n- **What I would change:** turn the bill into a number first.\n\nI only play a script. A model of your own would read why the edit was not made, and go by it.';

const CAUSE: ScriptAnswer = {
  reasoning:
    '60 and 15 percent are 69, and 23 for each of three. 609 divided by 3 is 203: 60 and 9 were joined as texts.',
  text: 'Each of three would pay **203** for a bill of 60, which is wrong. The value of a field is text, so `60 + 9` became `609`.',
  tools: [
    {
      tool: 'edit',
      input: {
        filePath: 'app.js',
        oldString: '(bill.value + extra)',
        newString: '(Number(bill.value) + extra)',
      },
    },
  ],
};

/**
 * An agent builds a page, looks at it, and mends what it sees. The page needs no server, so that this works on every host, and
 * its error is real: adding a text to a number joins both. Each step goes on only if the one before it came off.
 */
export const BUILD_PAGE: Script = {
  version: 1,
  title: 'Split the bill',
  files: {},
  chunkDelayMs: 15,
  turns: [
    {
      steps: [
        {
          text: 'First the page.',
          tools: [{ tool: 'write', input: { filePath: 'index.html', content: html } }],
        },
        onlyIf(
          DONE.write,
          {
            text: 'Now its program, which computes what each pays.',
            tools: [{ tool: 'write', input: { filePath: 'app.js', content: app } }],
          },
          NOT_BUILT,
        ),
        onlyIf(
          DONE.write,
          look('Now I open it in the preview.', { operation: 'open', folder: '.', path: '/' }),
          NOT_BUILT,
        ),
        onlyIf(DONE.preview, look('It is there. I try it with a bill of 60.', TYPE_BILL), NOT_SEEN),
        onlyIf(DONE.preview, look('What does it say?', { operation: 'snapshot' }), NOT_SEEN),
        onlyIf('203\\.00', CAUSE, NOT_SEEN),
        onlyIf(
          DONE.edit,
          look('I load it again, to see whether it is right now.', { operation: 'reload' }),
          NOT_FIXED,
        ),
        onlyIf(DONE.preview, look('The same bill once more.', TYPE_BILL), NOT_SEEN),
        onlyIf(DONE.preview, look('', { operation: 'wait', text: 'Each pays 23.00' }), NOT_SEEN),
        onlyIf(
          DONE.preview,
          {
            text: 'The page is ready, and I have tried it: a bill of 60 with 15 percent for three is **23.00** each.\n\n- **Seen:** at first it said 203.00.\n- **Fix:** `app.js` turns the bill into a number before it adds the tip.\n\nIt is in *Preview*: try it yourself.',
          },
          NOT_SEEN,
        ),
      ],
    },
  ],
};
