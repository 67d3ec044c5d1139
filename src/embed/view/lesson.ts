import type { LessonStep } from '../../lessons/parts.ts';
import type { ReadLesson } from '../lesson.ts';
import type { Report } from '../messages.ts';
import type { Words } from '../words/english.ts';
import { element } from './dom.ts';
import { markdown } from './markdown.ts';

/** A lesson to read, one step after another. */
export function lessonView(
  { card, intro, steps }: ReadLesson,
  words: Words,
  tell: (report: Report) => void,
): readonly Node[] {
  const { lesson } = words;
  let at = 0;
  let done = 0;
  const reading = element('div', { class: 'log text reading', role: 'region', tabindex: 0 });
  const back = element('button', { type: 'button', click: () => go(at - 1) }, lesson.back);
  const next = element('button', { type: 'button', class: 'primary', click: () => go(at + 1) });
  const number = element('span', { class: 'clock' });

  function go(to: number): void {
    const finished = to === steps.length;
    const isNew = finished && done < steps.length;
    done = Math.max(done, to);
    if (!finished) at = to;
    draw(finished);
    // Whoever reads with a screen reader goes on where the new text begins.
    reading.querySelector('h2')?.focus();
    tell({ type: 'progress', step: at + 1, steps: steps.length, done });
    if (isNew) tell({ type: 'completed', steps: steps.length });
  }

  function draw(finished: boolean): void {
    const step = steps[at];
    const beginning =
      at === 0
        ? [
            element('p', { class: 'note' }, `${lesson.minutes(card.minutes)}. ${lesson.readHere}`),
            ...markdown(intro),
          ]
        : [];
    const content = finished || !step ? [title(lesson.finished)] : [...beginning, ...stepNodes(step, lesson)];
    reading.replaceChildren(...content);
    reading.setAttribute('aria-label', lesson.stepOf(at + 1, steps.length));
    reading.scrollTop = 0;
    number.textContent = lesson.stepOf(at + 1, steps.length);
    back.disabled = at === 0;
    next.hidden = finished;
    next.textContent = at === steps.length - 1 ? lesson.finish : lesson.next;
  }

  draw(false);
  const bar = element('div', { class: 'bar', role: 'group', 'aria-label': words.bar }, back, number, next);
  return [reading, bar];
}

/** The texts of one step. Its checks are listed as what there is to do, since nothing runs here. */
function stepNodes(
  { title: text, prompts, hints, after, checks, ...step }: LessonStep,
  lesson: Words['lesson'],
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
