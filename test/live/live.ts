import { errorText } from './error-text.ts';
import { NotHere, NotReached, type Answer, type Question, type World } from './question.ts';
import { gitQuestions } from './questions/git.ts';
import { hubQuestions } from './questions/hub.ts';
import { modelQuestions } from './questions/models.ts';
import { npmQuestions } from './questions/npm.ts';
import { openRouterQuestions } from './questions/openrouter.ts';

export const questions: readonly Question[] = [
  ...openRouterQuestions,
  ...modelQuestions,
  ...hubQuestions,
  ...gitQuestions,
  ...npmQuestions,
];

export type Outcome = 'as expected' | 'different' | 'answered' | 'not reached' | 'not here' | 'failed';

export interface Result {
  readonly id: string;
  readonly asks: string;
  readonly outcome: Outcome;
  readonly says: string;
  readonly facts: Answer['facts'];
}

/** The questions whose ids begin with one of these texts; all of them where none is given. */
export function chosen(beginnings: readonly string[]): readonly Question[] {
  return beginnings.length === 0
    ? questions
    : questions.filter(({ id }) => beginnings.some((beginning) => id.startsWith(beginning)));
}

/** Asks one after another, and tells of each result. One that fails stops no other. */
export async function askAll(
  asked: readonly Question[],
  world: World,
  tell: (result: Result) => void = () => undefined,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const question of asked) {
    const result = await askOne(question, world);
    tell(result);
    results.push(result);
  }
  return results;
}

async function askOne({ id, asks, ask }: Question, world: World): Promise<Result> {
  try {
    const { says, asExpected, facts } = await ask(world);
    const outcome = asExpected === null ? 'answered' : asExpected ? 'as expected' : 'different';
    return { id, asks, outcome, says, facts };
  } catch (error) {
    const outcome =
      error instanceof NotReached ? 'not reached' : error instanceof NotHere ? 'not here' : 'failed';
    const says = outcome === 'failed' ? errorText(error) : (error as Error).message;
    return { id, asks, outcome, says, facts: {} };
  }
}

const TITLES: readonly (readonly [Outcome, string])[] = [
  ['different', 'Different from what the code and the documentation say'],
  ['failed', 'Questions that failed'],
  ['as expected', 'As expected'],
  ['answered', 'Answered, with nothing to compare it with'],
  ['not here', 'Not on this machine'],
  ['not reached', 'Not reached from this machine: nothing was learned about these'],
];

/** The results to read, the most important first. */
export function summaryOf(results: readonly Result[], when: string): string {
  const sections = TITLES.flatMap(([outcome, title]) => {
    const some = results.filter((result) => result.outcome === outcome);
    if (some.length === 0) return [];
    return [`## ${title} (${some.length})`, '', ...some.flatMap(lineOf), ''];
  });
  return [`# Answers of ${when}`, '', ...sections].join('\n');
}

function lineOf({ id, asks, says }: Result): string[] {
  return [`- **${id}** ${asks}`, `  ${says.replace(/\s+/g, ' ')}`];
}
