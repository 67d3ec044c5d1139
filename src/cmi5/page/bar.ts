import type { Fault } from '../../base/fault.ts';
import { element, place } from '../../embed/view/dom.ts';

export interface BarButton {
  readonly label: string;
  readonly run: () => void;
}

/** The texts and buttons of the bar above the lesson. */
export interface BarState {
  readonly says: string;
  /** A longer remark below. */
  readonly note?: string;
  readonly fault?: Fault | null;
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
  const fault = element('div', { role: 'alert', class: 'fault', dir: 'auto' });
  const buttons = element('span', { class: 'buttons' });
  const endSays = element('p', { dir: 'auto' });
  const endButtons = element('span', { class: 'buttons' });
  const end = element('footer', { class: 'report', hidden: true }, endSays, endButtons);
  return {
    end,
    node: element('header', { class: 'report' }, says, buttons, note, fault),
    show(state) {
      change(says, state.says);
      change(note, state.note ?? '');
      change(fault, state.fault ? textOf(state.fault) : '');
      fill(buttons, state.buttons ?? []);
      end.hidden = !state.end;
      change(endSays, state.end?.says ?? '');
      fill(endButtons, state.end?.buttons ?? []);
    },
  };
}

function textOf({ what, where, next }: Fault): string {
  return [what, where && `“${where}”.`, next].filter(Boolean).join(' ');
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
