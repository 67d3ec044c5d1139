import { describe, expect, test } from 'vitest';
import { talk, type ScriptedCall } from '../../../test/support/scripted-talk.ts';
import { rejectedText } from '../../permissions/refusal-texts.ts';
import { BUILD_PAGE, BUILD_PAGE_PROMPT } from './build-page.ts';
import { DEMO_PROMPT, demoWhere } from './demo.ts';

const REFUSED = rejectedText('Not this one: it was fixed.');
const passed = 'ℹ tests 4\nℹ suites 0\nℹ pass 4\nℹ fail 0\nℹ cancelled 0';
const failed = 'ℹ tests 4\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 0\n\nExit code 1.';

/** The last words of a demo, if the calls that these texts name have these results in place of good ones. */
function lastWords(
  [script, prompt]: readonly [Parameters<typeof talk>[0], string],
  good: (call: ScriptedCall) => string,
  bad: Readonly<Record<string, string>> = {},
) {
  const { texts, calls } = talk(script, prompt, (call) => {
    const named = Object.entries(bad).find(([name]) => JSON.stringify(call).includes(name));
    return named ? named[1] : good(call);
  });
  return { last: texts.at(-1) ?? '', calls };
}

describe('the demo that fixes the totals', () => {
  const demo = [demoWhere({ isolated: true }), DEMO_PROMPT] as const;
  const fixes = ({ tool }: ScriptedCall) =>
    tool === 'edit' ? 'Edited totals.js: 1 replacement.' : tool === 'bash' ? passed : 'text';

  test('is proved where the test passes after the edit', () => {
    expect(lastWords(demo, fixes).last).toContain('the test proves it');
  });

  test.each([
    ['the edit is denied with a reason', { edit: REFUSED }],
    ['the edit fails', { edit: 'totals.js has changed since it was read. Nothing was changed.' }],
  ])('changes nothing where %s, and says so', (_, bad) => {
    const { last, calls } = lastWords(demo, fixes, bad);
    expect(last).toContain('**nothing is fixed**');
    expect(calls.at(-1)?.tool).toBe('edit');
  });

  test.each([
    ['fails', { 'Run the test again': failed }],
    ['is denied with a reason', { 'Run the test again': REFUSED }],
  ])('is not proved where the test %s', (_, bad) => {
    expect(lastWords(demo, fixes, bad).last).toContain('**the test has not passed**');
  });

  test('without isolation claims neither a fix nor a sum that was denied', () => {
    const bare = [demoWhere({ isolated: false }), DEMO_PROMPT] as const;
    const adds = (call: ScriptedCall) => (call.tool === 'bash' ? '28.40' : fixes(call));
    expect(lastWords(bare, adds).last).toContain('Checked by hand');
    expect(lastWords(bare, adds, { edit: REFUSED }).last).toContain('**nothing is fixed**');
    expect(lastWords(bare, adds, { awk: REFUSED }).last).not.toContain('Checked by hand');
  });
});

describe('the demo that builds a page', () => {
  const demo = [BUILD_PAGE, BUILD_PAGE_PROMPT] as const;
  const builds = ({ tool, input = {} }: ScriptedCall) => {
    if (tool === 'write') return `Created ${String(input['filePath'])}.`;
    if (tool === 'edit') return 'Edited app.js: 1 replacement.';
    if (input['operation'] === 'wait') return '“Each pays 23.00” is on the page.\n\nPage: / (Split the bill)';
    return '- status: Each pays 203.00\n\nPage: / (Split the bill)';
  };

  test('is ready where everything was allowed and seen', () => {
    expect(lastWords(demo, builds).last).toContain('**23.00** each');
  });

  test.each([
    ['a file is denied', { 'index.html': REFUSED }, 'There is no page'],
    ['its program is denied', { 'app.js': REFUSED }, 'There is no page'],
    ['the preview is denied', { open: REFUSED }, 'not seen it work'],
    ['the bill is not typed', { '"60"': REFUSED }, 'not seen it work'],
    ['the edit is denied', { edit: REFUSED }, '**nothing is fixed**'],
    ['the page is not loaded again', { reload: REFUSED }, 'not seen it work'],
    ['the right sum does not come', { wait: '“Each pays 23.00” did not come.' }, 'not seen it work'],
  ])('claims no success where %s', (_, bad, says) => {
    const { last } = lastWords(demo, builds, bad);
    expect(last).toContain(says);
    expect(last).not.toContain('I have tried it');
  });
});
