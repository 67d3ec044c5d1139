import { expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import type { JsonObject } from '../../base/json.ts';
import { ready } from '../define.ts';
import { questionTool } from './question.ts';
import { answersFit, type Question } from './schema.ts';

const colour: Question = {
  question: 'Which colour?',
  options: [{ label: 'Red' }, { label: 'Blue' }],
  multiple: false,
  custom: true,
};

test.each<[string, JsonObject, Question[]]>([
  ['one question with bare options', { question: 'Which colour?', options: ['Red', 'Blue'] }, [colour]],
  ['one question without options', { question: 'Why?' }, [{ ...colour, question: 'Why?', options: [] }]],
  [
    'a list, with nulls for what is left out',
    {
      questions: [
        { question: 'Which colour?', header: null, options: [{ label: 'Red', description: null }, 'Blue'] },
        {
          question: 'Which sizes?',
          header: 'Sizes',
          options: [{ label: 'L', description: 'Large' }],
          multiple: true,
        },
      ],
    },
    [
      colour,
      {
        question: 'Which sizes?',
        header: 'Sizes',
        options: [{ label: 'L', description: 'Large' }],
        multiple: true,
        custom: true,
      },
    ],
  ],
])('%s', async (_, input, asked) => {
  const call = new TestCall();
  call.answers = asked.map(() => ['Red']);
  await call.run(questionTool, input);
  expect(call.questions).toEqual(asked);
});

test('the model gets the answers, and which questions were not answered', async () => {
  const call = new TestCall();
  call.answers = [['Red', 'my "own"'], []];
  const result = await call.run(questionTool, {
    questions: [{ question: 'Which colours?', options: ['Red'], multiple: true }, { question: 'Why?' }],
  });
  expect(result).toMatchObject({
    title: '2 questions',
    output: 'The user answered:\n- Which colours?: "Red", "my \\"own\\""\n- Why?: (no answer)',
    metadata: { answers: [['Red', 'my "own"'], []] },
  });
});

test('the model sees one form only', async () => {
  const { schema } = await ready(questionTool, { agent: 'build' });
  expect(schema).toMatchObject({
    type: 'object',
    required: ['questions'],
    properties: {
      questions: { type: 'array', items: { properties: { options: { items: { type: 'object' } } } } },
    },
  });
  expect(JSON.stringify(schema)).not.toMatch(/anyOf|oneOf|custom/);
});

test.each<JsonObject>([{}, { questions: [] }, { question: '' }, { question: 'What?', options: [''] }])(
  'not taken: %j',
  async (input) => {
    await expect(new TestCall().run(questionTool, input)).rejects.toThrow(/question/);
  },
);

test.each<[string, Question, string[], boolean]>([
  ['one of the options', colour, ['Blue'], true],
  ['own words', colour, ['Green'], true],
  ['nothing', colour, [], true],
  ['two where one is asked for', colour, ['Red', 'Blue'], false],
  ['an empty text', colour, [''], false],
  ['several', { ...colour, multiple: true }, ['Red', 'Green'], true],
  ['own words where there is no room for them', { ...colour, custom: false }, ['Green'], false],
])('whether answers are valid: %s', (_, question, given, fits) => {
  expect(answersFit([question], [given])).toBe(fits);
});

test('answers are valid only if there are as many as questions', () => {
  expect(answersFit([colour], [])).toBe(false);
  expect(answersFit([colour], [['Red'], ['Red']])).toBe(false);
});
