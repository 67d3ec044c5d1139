import type { Script } from '../../models/types.ts';
import orders from './files/orders.csv?raw';
import manifest from './files/package.json?raw';
import test from './files/totals.test.js?raw';
import totals from './files/totals.js?raw';

export const DEMO_PROMPT = "Ada's total is wrong. Find out why, fix it, and prove it with the test.";

type ScriptStep = Script['turns'][number]['steps'][number];

const FIX = { oldString: 'Number(cents);', newString: "Number(cents.padEnd(2, '0'));" };

const READ_FILES: ScriptStep = {
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

const CAUSE: ScriptStep = {
  reasoning:
    'Ada has an amount of 3.5. toCents splits it into 3 and 5, and adds 5 cents where it should add 50. That is exactly the 45 cents that are missing.',
  text: "Ada's bulb costs `3.5`. `toCents` splits that at the dot and adds **5** cents instead of **50**, so her total is 45 cents short. Amounts need two digits of cents before they are added.",
  tools: [{ tool: 'edit', input: { filePath: 'totals.js', ...FIX } }],
};

function bash(text: string, command: string, description: string): ScriptStep {
  return { text, tools: [{ tool: 'bash', input: { command, description } }] };
}

const TEST = 'node --test --test-reporter=spec';

const PROVED: readonly ScriptStep[] = [
  READ_FILES,
  bash('Now the test, to see the failure before I touch the program.', TEST, 'Run the test'),
  CAUSE,
  bash('The same test again, on the changed program.', TEST, 'Run the test again'),
  {
    text: 'Fixed, and the test proves it: Ada owes **28.40**, not 27.95.\n\n- **Cause:** `toCents` in `totals.js` read `3.5` as 3 euros and 5 cents.\n- **Fix:** pad the cents with zeros to two digits, so `3.5` counts as `3.50`.\n\nThe other totals did not change.',
  },
];

const ADD_UP = `awk -F, '$1 == "ada" { sum += $3 } END { printf "%.2f\\n", sum }' orders.csv`;

/** For pages that cannot run programs in `node`: here the model never claims that a test proved the fix. */
const UNPROVED: readonly ScriptStep[] = [
  READ_FILES,
  bash(`I'll try the test first, to see the failure before I touch the program.`, TEST, 'Run the test'),
  {
    ...CAUSE,
    text: `\`node\` is off on this page, as it says. The cause can be read all the same. ${CAUSE.text}`,
  },
  bash(
    "The test cannot run here, so I'll add up Ada's orders in the shell, for comparison.",
    ADD_UP,
    'Add up Ada’s orders',
  ),
  {
    text: 'Fixed, but **not proved by the test**: `node` is off on this page, because its host does not send the headers that isolate it.\n\n- **Cause:** `toCents` in `totals.js` read `3.5` as 3 euros and 5 cents.\n- **Fix:** pad the cents with zeros to two digits, so `3.5` counts as `3.50`.\n- **Checked by hand:** Ada’s orders come to **28.40**.\n\nRun `node --test` where the page is isolated.',
  },
];

/**
 * The run that the first page offers. Only the model's messages are scripted: every tool really runs in the
 * workspace, the test really fails before the edit and passes after it, and each risky call asks the person.
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
