import { element, place } from '../../embed/view/dom.ts';

export interface BarButton {
  readonly label: string;
  readonly run: () => void;
}

/** A fault as the learner reads it. */
export interface BarFault {
  /** This says, in the language of the page, what went wrong and what the learner can do. */
  readonly says: string;
  /** In English, to pass on to whoever can mend it; collapsed at first. */
  readonly details: { readonly title: string; readonly text: string } | null;
}

/** The texts and buttons of the bar above the lesson. */
export interface BarState {
  readonly says: string;
  /** A longer remark below. */
  readonly note?: string;
  readonly fault?: BarFault | null;
  readonly buttons?: readonly BarButton[];
  /** It stands below the lesson, where the learner is when the lesson has come to its end. */
  readonly end?: { readonly says: string; readonly buttons: readonly BarButton[] } | null;
}

export interface Bar {
  readonly node: HTMLElement;
  readonly end: HTMLElement;
  show(state: BarState): void;
}

/** The bar above the lesson. Its texts stay in place, so that a screen reader hears what changes. */
export function reportBar(): Bar {
  const says = element('p', { role: 'status', dir: 'auto' });
  const note = element('p', { class: 'note', dir: 'auto' });
  const fault = element('p', { role: 'alert', class: 'fault', dir: 'auto' });
  const summary = element('summary');
  const text = element('p', { lang: 'en', dir: 'ltr' });
  const details = element('details', { hidden: true }, summary, text);
  const buttons = element('span', { class: 'buttons' });
  const endSays = element('p', { dir: 'auto' });
  const endButtons = element('span', { class: 'buttons' });
  const end = element('footer', { class: 'report', hidden: true }, endSays, endButtons);
  return {
    end,
    node: element('header', { class: 'report' }, says, buttons, note, fault, details),
    show(state) {
      change(says, state.says);
      change(note, state.note ?? '');
      change(fault, state.fault?.says ?? '');
      details.hidden = !state.fault?.details;
      change(summary, state.fault?.details?.title ?? '');
      change(text, state.fault?.details?.text ?? '');
      fill(buttons, state.buttons ?? []);
      end.hidden = !state.end;
      change(endSays, state.end?.says ?? '');
      fill(endButtons, state.end?.buttons ?? []);
    },
  };
}

/** The same text again would be read out again. */
function change(node: HTMLElement, text: string): void {
  node.hidden = text === '';
  if (node.textContent !== text) node.textContent = text;
}

/** A button that is there already keeps its place, and with it the focus. */
function fill(parent: HTMLElement, buttons: readonly BarButton[]): void {
  const old = [...parent.children].filter((each) => each instanceof HTMLButtonElement);
  const nodes = buttons.map(({ label, run }) => {
    const node =
      old.find(({ textContent }) => textContent === label) ?? element('button', { type: 'button' }, label);
    node.onclick = run;
    return node;
  });
  place(parent, nodes);
}
