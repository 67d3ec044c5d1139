import type { LessonStep } from '../../lessons/parts.ts';
import type { ReadLesson } from '../lesson.ts';
import type { Report } from '../messages.ts';
import type { Words } from '../words/english.ts';
import { element } from './dom.ts';
import { markdown } from './markdown.ts';

export interface LessonViewDeps {
  readonly tell: (report: Report) => void;
  /** The address at which a recording can be watched. */
  readonly watch: (recording: string) => string;
  /** The number of the step that is shown first, from 1. */
  readonly begins: number;
}

export interface LessonView {
  readonly nodes: readonly Node[];
  /** Tells where the reader begins. */
  begin(): void;
}

/** A lesson to read, one step after another. */
export function lessonView(
  { card, intro, steps, language }: ReadLesson,
  words: Words,
  { tell, watch, begins }: LessonViewDeps,
): LessonView {
  const { lesson } = words;
  /** The index of the step that is shown; the number of steps at the end. */
  let at = Math.min(begins, steps.length) - 1;
  let done = at;
  const reading = element('div', {
    class: 'log text reading',
    role: 'region',
    tabindex: 0,
    ...(language !== undefined && { lang: language }),
  });
  const back = element('button', { type: 'button', click: () => go(at - 1) }, lesson.back);
  const next = element('button', { type: 'button', class: 'primary', click: () => go(at + 1) });
  const number = element('span', { class: 'note' });
  const tellPlace = () =>
    tell({ type: 'progress', step: Math.min(at + 1, steps.length), steps: steps.length, done });

  function go(to: number): void {
    const isNew = to === steps.length && done < steps.length;
    done = Math.max(done, to);
    at = to;
    draw();
    // Whoever reads with a screen reader goes on where the new text begins.
    reading.querySelector('h2')?.focus();
    tellPlace();
    if (isNew) tell({ type: 'completed', steps: steps.length });
  }

  function draw(): void {
    const step = steps[at];
    const beginning =
      at === 0
        ? [
            element('p', { class: 'note' }, `${lesson.minutes(card.minutes)}. ${lesson.readHere}`),
            ...markdown(intro),
          ]
        : [];
    const content = step ? [...beginning, ...stepNodes(step, words, watch)] : [title(lesson.finished)];
    const place = step ? lesson.stepOf(at + 1, steps.length) : lesson.end;
    reading.replaceChildren(...content);
    reading.setAttribute('aria-label', place);
    reading.scrollTop = 0;
    number.textContent = place;
    back.disabled = at === 0;
    next.hidden = !step;
    next.textContent = at === steps.length - 1 ? lesson.finish : lesson.next;
  }

  draw();
  const bar = element(
    'div',
    { class: 'bar steps', role: 'group', 'aria-label': words.bar },
    back,
    number,
    next,
  );
  return { nodes: [reading, bar], begin: tellPlace };
}

/** The texts of one step. Its checks are listed as what there is to do, since nothing runs here. */
function stepNodes(
  { title: text, prompts, hints, after, checks, smallModel, ...step }: LessonStep,
  { lesson, opensTab }: Words,
  watch: LessonViewDeps['watch'],
): Node[] {
  const toDo = checks.flatMap(({ label, ...check }) => label ?? (check.kind === 'ask' ? check.ask : []));
  return [
    title(text),
    ...markdown(step.text),
    ...prompts.map((prompt) =>
      element(
        'figure',
        {},
        element('figcaption', { class: 'note' }, lesson.message),
        element('blockquote', { class: 'plain', dir: 'auto' }, prompt),
      ),
    ),
    ...markdown(after),
    ...(smallModel === undefined
      ? []
      : [
          element(
            'p',
            {},
            element(
              'a',
              { href: watch(smallModel), target: '_blank', rel: 'noopener' },
              lesson.watch,
              element('span', { class: 'hidden' }, ` ${opensTab}`),
            ),
          ),
        ]),
    ...(toDo.length > 0
      ? [
          element('p', { class: 'note' }, lesson.checks),
          element('ul', {}, ...toDo.map((each) => element('li', {}, each))),
        ]
      : []),
    ...(hints.length > 0
      ? [
          element(
            'details',
            {},
            element('summary', {}, lesson.hints),
            element('div', {}, ...hints.flatMap((hint) => markdown(hint))),
          ),
        ]
      : []),
  ];
}

function title(text: string): HTMLElement {
  return element('h2', { tabindex: -1 }, text);
}
