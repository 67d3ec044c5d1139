import type { Script } from '../../models/types.ts';
import orders from './files/orders.csv?raw';
import manifest from './files/package.json?raw';
import test from './files/totals.test.js?raw';
import totals from './files/totals.js?raw';
import { DONE, onlyIf, type ScriptAnswer } from './outcomes.ts';

export const DEMO_PROMPT = "Ada's total is wrong. Find out why, fix it, and prove it with the test.";

type ScriptStep = Script['turns'][number]['steps'][number];

const FIX = { oldString: 'Number(cents);', newString: "Number(cents.padEnd(2, '0'));" };

const READ_FILES: ScriptAnswer = {
  // A visitor waits for the first result, so these words come faster than those of the steps after it.
  chunkDelayMs: 4,
  reasoning: 'I should see the program, the data and the test before I change anything.',
  text: "I'll read the program and its data, and look for the test.",
  tools: [
    { tool: 'list', input: {} },
    { tool: 'read', input: { filePath: 'totals.js' } },
    { tool: 'read', input: { filePath: 'orders.csv' } },
    { tool: 'grep', input: { pattern: 'ada', path: '.' } },
  ],
};

const CAUSE: ScriptAnswer = {
  reasoning:
    'Ada has an amount of 3.5. toCents splits it into 3 and 5, and adds 5 cents where it should add 50. That is exactly the 45 cents that are missing.',
  text: "Ada's bulb costs `3.5`. `toCents` splits that at the dot and adds **5** cents instead of **50**, so her total is 45 cents short. Amounts need two digits of cents before they are added.",
  tools: [{ tool: 'edit', input: { filePath: 'totals.js', ...FIX } }],
};

function bash(text: string, command: string, description: string): ScriptAnswer {
  return { text, tools: [{ tool: 'bash', input: { command, description } }] };
}

const TEST = 'node --test --test-reporter=spec';
/** Matches the two lines of figures that the reporter prints at the end of a run in which every test passed. */
const PASSED = '\n\\S+ pass [1-9][^]*\n\\S+ fail 0\n';

const DID = [
  '- **Cause:** `toCents` in `totals.js` read `3.5` as 3 euros and 5 cents.',
  '- **Fix:** pad the cents with zeros to two digits, so `3.5` counts as `3.50`.',
].join('\n');

const NOT_FIXED =
  "The edit was not made, so **nothing is fixed**: Ada's total is 27.95 where **28.40** is right.\n\n- **Cause:** `toCents` in `totals.js` reads `3.5` as 3 euros and 5 cents.\n- **What I would change:** pad the cents with zeros to two digits, so `3.5` counts as `3.50`.\n\nI only play a script. A model of your own would read why the edit was not made, and go by it.";

const PROVED: readonly ScriptStep[] = [
  READ_FILES,
  bash('Now the test, to see the failure before I touch the program.', TEST, 'Run the test'),
  CAUSE,
  onlyIf(
    DONE.edit,
    bash('The same test again, on the changed program.', TEST, 'Run the test again'),
    NOT_FIXED,
  ),
  onlyIf(
    PASSED,
    {
      text: `Fixed, and the test proves it: Ada owes **28.40**, not 27.95.\n\n${DID}\n\nThe other totals did not change.`,
    },
    `The program is changed, but **the test has not passed**: the result of the last call says why. So nothing is proved.\n\n${DID}\n\nRun \`node --test\` to see whether it holds.`,
  ),
];

const ADD_UP = `awk -F, '$1 == "ada" { sum += $3 } END { printf "%.2f\\n", sum }' orders.csv`;

const UNPROVED_BECAUSE =
  '**not proved by the test**: `node` is off on this page, because its host does not send the headers that isolate it.';

/** For pages that cannot run programs in `node`: here the model never claims that a test proved the fix. */
const UNPROVED: readonly ScriptStep[] = [
  READ_FILES,
  bash(`I'll try the test first, to see the failure before I touch the program.`, TEST, 'Run the test'),
  {
    ...CAUSE,
    text: `\`node\` is off on this page. The cause can be read all the same. ${CAUSE.text}`,
  },
  onlyIf(
    DONE.edit,
    bash(
      "The test cannot run here, so I'll add up Ada's orders in the shell, for comparison.",
      ADD_UP,
      'Add up Ada’s orders',
    ),
    NOT_FIXED,
  ),
  onlyIf(
    '^28\\.40',
    {
      text: `Fixed, but ${UNPROVED_BECAUSE}\n\n${DID}\n- **Checked by hand:** Ada’s orders come to **28.40**.\n\nRun \`node --test\` where the page is isolated.`,
    },
    `The program is changed, but ${UNPROVED_BECAUSE}\n\n${DID}\n\nRun \`node --test\` where the page is isolated.`,
  ),
];

/**
 * The run that the first page offers. Only the model's messages are scripted: every tool really runs in the
 * workspace, the test really fails before the edit and passes after it, and each risky call asks the person. What the
 * model says after a call depends on how that ended.
 */
export function demoWhere({ isolated }: { readonly isolated: boolean }): Script {
  return {
    version: 1,
    title: 'Fix the totals',
    files: { 'package.json': manifest, 'totals.js': totals, 'orders.csv': orders, 'totals.test.js': test },
    chunkDelayMs: 15,
    turns: [{ steps: [...(isolated ? PROVED : UNPROVED)] }],
  };
}
