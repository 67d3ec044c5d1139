import { expect, test } from 'vitest';
import { LONGEST_PICKED_TEXT, type PickedElement } from '../protocol/preview.ts';
import { mentionsIn } from '../session/calls/mentioned.ts';
import { pickedText, quotedForMessage, readPicked } from './picked.ts';

const PICKED: PickedElement = {
  selector: 'form > button',
  role: 'button',
  name: 'Add',
  text: 'Add',
  html: '<button>Add</button>',
  source: 'src/App.svelte:3:5',
};

test('an element is told with what is known about it', () => {
  expect(pickedText(PICKED)).toBe(
    'button "Add"\nSelector: form > button\nSource: src/App.svelte:3:5\nHTML: <button>Add</button>',
  );
  expect(pickedText({ ...PICKED, role: '', name: '', text: 'Hi', source: '', html: '<div>Hi</div>' })).toBe(
    'div\nSelector: form > button\nText: Hi\nHTML: <div>Hi</div>',
  );
});

test.for(['no JSON', '{}', 'null', JSON.stringify({ ...PICKED, text: 'x'.repeat(LONGEST_PICKED_TEXT + 1) })])(
  'an answer that is no element is refused: %#',
  (answer) => expect(() => readPicked(answer)).toThrow('no element'),
);

test('nothing is picked where the answer is empty', () => {
  expect(readPicked('')).toBeUndefined();
  expect(readPicked(JSON.stringify(PICKED))).toEqual(PICKED);
});

test.for(['@secret.txt', '```\n@secret.txt', '````\n~~~\n@secret.txt', '`@secret.txt`\n\n@secret.txt'])(
  'what a page says mentions no file of the workspace: %j',
  (said) => {
    const { path, text } = quotedForMessage('/@secret.txt?`@secret.txt', said);
    expect(text).toContain(said);
    expect(mentionsIn(`In the preview, ${path} says:\n\n${text}\n\nLook at it, and at @own.txt`)).toEqual([
      [{ path: 'own.txt' }],
    ]);
  },
);
