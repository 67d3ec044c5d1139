import { applyPatchCard } from './apply-patch/card.ts';
import { bashCard } from './bash/card.ts';
import { batchCard } from './batch/card.ts';
import { codesearchCard } from './codesearch/card.ts';
import { editCard } from './edit/card.ts';
import { globCard } from './glob/card.ts';
import { grepCard } from './grep/card.ts';
import { listCard } from './list/card.ts';
import { lspCard } from './lsp/card.ts';
import { planEnterCard, planExitCard } from './plan/card.ts';
import { previewCard } from './preview/card.ts';
import { questionCard } from './question/card.ts';
import { readCard } from './read/card.ts';
import { skillCard } from './skill/card.ts';
import { backgroundCard, cancelCard, outputCard, startCard } from './task/card.ts';
import { todoreadCard, todowriteCard } from './todo/card.ts';
import { webfetchCard } from './webfetch/card.ts';
import { websearchCard } from './websearch/card.ts';
import { writeCard } from './write/card.ts';
import type { Card } from './card.ts';
import { firstText, trimRoot, type DescribedCall, type Description } from './describe.ts';
import { argumentsOf, manifestOf } from './manifests.ts';

/** The cards of all tools of the app. The page loads them with the first conversation. */
export const cards: Readonly<Record<string, Card>> = {
  bash: bashCard,
  read: readCard,
  glob: globCard,
  grep: grepCard,
  list: listCard,
  edit: editCard,
  write: writeCard,
  apply_patch: applyPatchCard,
  todowrite: todowriteCard,
  todoread: todoreadCard,
  question: questionCard,
  batch: batchCard,
  skill: skillCard,
  webfetch: webfetchCard,
  websearch: websearchCard,
  codesearch: codesearchCard,
  lsp: lspCard,
  preview: previewCard,
  task: startCard,
  background_task: backgroundCard,
  background_output: outputCard,
  background_cancel: cancelCard,
  plan_enter: planEnterCard,
  plan_exit: planExitCard,
};

/** The card for a name that a model wrote; `undefined` for a tool that is not the app's own. */
export function cardOf(name: string): Card | undefined {
  const id = manifestOf(name)?.id;
  return id === undefined ? undefined : cards[id];
}

/** Describes a call of any tool, also of one that is not the app's own. */
export function describe(tool: string, call: DescribedCall): Description {
  const card = cardOf(tool);
  const described = { ...call, input: argumentsOf(tool, call.input) };
  return card?.describe?.(described) ?? byArguments(card, described);
}

function byArguments(card: Card | undefined, { input, title }: DescribedCall): Description {
  const { subject, noSubject = '', folder } = card ?? {};
  const named = subject ? firstText(input, subject) : (title ?? firstText(input, Object.keys(input)));
  const searched = folder === undefined ? '' : firstText(input, [folder]);
  return {
    subject: trimRoot(named || noSubject),
    detail: searched !== '' && searched !== '.' ? `in ${trimRoot(searched)}` : '',
  };
}
