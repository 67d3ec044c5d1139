import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Answers, Question } from '../../tools/question/schema.ts';

type Content = NonNullable<ElicitResult['content']>;

/** One field of a form that a server asks the person to fill in. */
interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly question: Question;
  /** The value for the server; `undefined` where the answer is not valid. */
  value(answer: readonly string[]): Content[string] | undefined;
}

const TEXT_CHARACTERS = 2_000;
const MAX_FIELDS = 20;
const YES = 'Yes';
const NO = 'No';

/** Converts a server's elicitation to questions for the person, and their answers to the server's result. */
export function elicitationOf(
  server: string,
  { message, requestedSchema }: ElicitRequestFormParams,
): { readonly questions: readonly Question[]; answer(answers: Answers): ElicitResult } {
  const schema: JsonObject = JSON.parse(JSON.stringify(requestedSchema ?? {}));
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const prompt = `${server} asks: ${message}`.slice(0, TEXT_CHARACTERS);
  const entries = Object.entries(properties).slice(0, MAX_FIELDS);
  const fields = entries.map(([name, property]) =>
    fieldOf(name, isObject(property) ? property : {}, required.includes(name), prompt),
  );
  if (fields.length === 0) {
    const options = [{ label: YES }, { label: NO }];
    return {
      questions: [{ question: prompt, options, multiple: false, custom: false }],
      answer: ([given]) => ({ action: given?.[0] === YES ? 'accept' : 'decline' }),
    };
  }
  return {
    questions: fields.map(({ question }) => question),
    answer: (answers) => contentOf(fields, answers),
  };
}

function contentOf(fields: readonly Field[], answers: Answers): ElicitResult {
  const content: Content = {};
  for (const [index, { name, isRequired, value }] of fields.entries()) {
    const answer = answers[index] ?? [];
    const made = answer.length === 0 ? undefined : value(answer);
    if (made !== undefined) content[name] = made;
    else if (isRequired || answer.length > 0) return { action: 'decline' };
  }
  return { action: 'accept', content };
}

function fieldOf(name: string, property: JsonObject, isRequired: boolean, prompt: string): Field {
  const title = typeof property.title === 'string' ? property.title : name;
  const about = typeof property.description === 'string' ? property.description : '';
  const words = [prompt, [title, about].filter(Boolean).join(': ')].join('\n\n').slice(0, TEXT_CHARACTERS);
  const question = { question: words, header: title.slice(0, 60) };
  const made = (more: Pick<Field, 'value'> & Omit<Question, 'question' | 'header'>): Field => {
    const { value, ...rest } = more;
    return { name, isRequired, question: { ...question, ...rest }, value };
  };
  const isList = property.type === 'array';
  const choices = choicesOf(isList && isObject(property.items) ? property.items : property);
  if (choices.size > 0) {
    const options = [...choices.keys()].map((label) => ({ label }));
    const values = (answer: readonly string[]) => answer.flatMap((label) => choices.get(label) ?? []);
    return made({
      options,
      multiple: isList,
      custom: false,
      value: (answer) => (isList ? values(answer) : values(answer)[0]),
    });
  }
  if (property.type === 'boolean')
    return made({
      options: [{ label: YES }, { label: NO }],
      multiple: false,
      custom: false,
      value: ([answer]) => answer === YES,
    });
  const isWhole = property.type === 'integer';
  if (isWhole || property.type === 'number')
    return made({ options: [], multiple: false, custom: true, value: ([text]) => numberIn(text, isWhole) });
  return made({ options: [], multiple: false, custom: true, value: ([text]) => text });
}

/** The values that may be chosen, keyed by the label that the person reads. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: JsonObject): ReadonlyMap<string, string> {
  const choices = new Map<string, string>();
  if (Array.isArray(values))
    for (const [index, value] of values.entries()) {
      const named: unknown = Array.isArray(enumNames) ? enumNames[index] : undefined;
      if (typeof value === 'string') choices.set(typeof named === 'string' ? named : value, value);
    }
  for (const each of [oneOf, anyOf].flat())
    if (isObject(each) && typeof each.const === 'string')
      choices.set(typeof each.title === 'string' ? each.title : each.const, each.const);
  return choices;
}

function numberIn(text: string | undefined, isWhole: boolean): number | undefined {
  const number = Number(text?.trim() || NaN);
  return Number.isFinite(number) && (!isWhole || Number.isInteger(number)) ? number : undefined;
}
