import type { Script } from '../../models/types.ts';
import orders from './files/orders.csv?raw';
import test from './files/test.sh?raw';
import totals from './files/totals.sh?raw';

export const DEMO_PROMPT = "Ada's total is wrong. Find out why, fix it, and prove it with the test.";

/**
 * The run that the first page offers. Only the model's words are written here: every tool really runs in the
 * workspace, the test really fails before the edit and passes after it, and each risky call asks the person.
 */
export const demo: Script = {
  version: 1,
  title: 'Fix the totals',
  files: { 'totals.sh': totals, 'orders.csv': orders, 'test.sh': test },
  chunkDelayMs: 15,
  turns: [
    {
      steps: [
        {
          reasoning: 'I should see the script, the data and the test before I change anything.',
          text: "I'll read the script and its data, and look for the test.",
          tools: [
            { tool: 'list', input: {} },
            { tool: 'read', input: { filePath: 'totals.sh' } },
            { tool: 'read', input: { filePath: 'orders.csv' } },
            { tool: 'grep', input: { pattern: 'ada', path: '.' } },
          ],
        },
        {
          text: 'Now the test, to see the failure before I touch the script.',
          tools: [{ tool: 'bash', input: { command: 'bash test.sh', description: 'Run the test' } }],
        },
        {
          reasoning:
            'Ada has an amount of 3.5. to_cents splits it into 3 and 5, and adds 5 cents where it should add 50. That is exactly the 45 cents that are missing.',
          text: "Ada's bulb costs `3.5`. `to_cents` splits that at the dot and adds **5** cents instead of **50**, so her total is 45 cents short. Amounts need two digits of cents before they are added.",
          tools: [
            {
              tool: 'edit',
              input: {
                filePath: 'totals.sh',
                oldString: 'cents=${1#*.}',
                newString: 'cents=${1#*.}00\n  cents=${cents:0:2}',
              },
            },
          ],
        },
        {
          text: 'The same test again, on the changed script.',
          tools: [{ tool: 'bash', input: { command: 'bash test.sh', description: 'Run the test again' } }],
        },
        {
          text: 'Fixed, and the test proves it: Ada owes **28.40**, not 27.95.\n\n- **Cause:** `to_cents` in `totals.sh` read `3.5` as 3 euros and 5 cents.\n- **Fix:** pad the cents with zeros and keep two digits, so `3.5` counts as `3.50`.\n\nThe other totals did not change.',
        },
      ],
    },
  ],
};
