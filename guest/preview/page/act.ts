import { LONGEST_PAGE_ANSWER, type PageAction } from '../../../src/protocol/preview.ts';
import { endPick, pick, point } from './pick.ts';
import { draw } from './picture.ts';
import { Refs } from './refs.ts';
import { titleOf } from './roles.ts';
import { snapshotOf } from './snapshot.ts';

const refs = new Refs();

/** Carries out an action and returns what there is to say about it. Throws an error whose message says why it cannot be done. */
export async function act(action: PageAction): Promise<string> {
  switch (action.do) {
    case 'snapshot':
      return document.body ? snapshotOf(document.body, refs) : '';
    case 'text':
      return (document.body?.innerText ?? '').slice(0, LONGEST_PAGE_ANSWER);
    case 'click':
      return click(refs.element(action.ref));
    case 'type':
      return type(refs.element(action.ref), action.text, action.submit);
    case 'press':
      return press(action.key, action.ref === undefined ? focused() : refs.element(action.ref));
    case 'select':
      return select(refs.element(action.ref), action.values);
    case 'evaluate':
      return evaluate(action.code);
    case 'picture':
      return draw(action.script, action.ref === undefined ? undefined : refs.element(action.ref));
    case 'pick':
      return pick();
    case 'point':
      return point(action.to);
    case 'end-pick':
      return endPick(action.take);
  }
}

function click(element: HTMLElement): string {
  mustBeUsable(element);
  const { left, top, width, height } = element.getBoundingClientRect();
  const place = { clientX: left + width / 2, clientY: top + height / 2 };
  const hit = document.elementFromPoint(place.clientX, place.clientY);
  if (
    hit &&
    hit !== element &&
    !element.contains(hit) &&
    !hit.contains(element) &&
    !sharesLabel(hit, element)
  )
    throw new Error(`${titleOf(element)} is covered by ${titleOf(hit)}.`);
  const init = { bubbles: true, cancelable: true, composed: true, view: window, button: 0, ...place };
  element.dispatchEvent(new PointerEvent('pointerdown', { ...init, isPrimary: true, pointerType: 'mouse' }));
  if (element.dispatchEvent(new MouseEvent('mousedown', init))) element.focus({ preventScroll: true });
  element.dispatchEvent(new PointerEvent('pointerup', { ...init, isPrimary: true, pointerType: 'mouse' }));
  element.dispatchEvent(new MouseEvent('mouseup', init));
  if (element instanceof SVGElement) element.dispatchEvent(new MouseEvent('click', init));
  else element.click();
  return `Clicked ${titleOf(element)}.`;
}

function type(element: HTMLElement, text: string, submit: boolean): string {
  mustBeUsable(element);
  element.focus();
  if (element.isContentEditable) {
    getSelection()?.selectAllChildren(element);
    document.execCommand('insertText', false, text);
  } else if (element instanceof HTMLTextAreaElement || isTextField(element)) {
    if (element.readOnly) throw new Error(`${titleOf(element)} is read-only.`);
    setValue(element, text);
    element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  } else throw new Error(`${titleOf(element)} takes no text.`);
  if (submit) pressOn(element, 'Enter');
  return `Typed into ${titleOf(element)}.`;
}

function press(key: string, element: HTMLElement): string {
  element.focus();
  pressOn(element, key);
  return `Pressed ${key} on ${titleOf(element)}.`;
}

/** Sends the events of a key, and does what browsers do by default, which they do only for a person's own keys. */
function pressOn(element: HTMLElement, key: string): void {
  const [name = '', ...modifiers] = key.split('+').reverse();
  const pressed = (modifier: string) => modifiers.some((each) => each.toLowerCase() === modifier);
  const init = {
    key: name === 'Space' ? ' ' : name,
    code: name.length === 1 ? `Key${name.toUpperCase()}` : name,
    bubbles: true,
    cancelable: true,
    composed: true,
    ctrlKey: pressed('control'),
    shiftKey: pressed('shift'),
    altKey: pressed('alt'),
    metaKey: pressed('meta'),
  };
  const goesOn = element.dispatchEvent(new KeyboardEvent('keydown', init));
  if (goesOn && !init.ctrlKey && !init.altKey && !init.metaKey) defaultOf(element, init.key);
  element.dispatchEvent(new KeyboardEvent('keyup', init));
}

function defaultOf(element: HTMLElement, key: string): void {
  const isField = isTextField(element) || element instanceof HTMLTextAreaElement;
  if (key === 'Enter' && isTextField(element)) return element.form?.requestSubmit();
  if (
    (key === 'Enter' || key === ' ') &&
    !isField &&
    element.matches('button,a[href],summary,input,[role=button]')
  )
    return element.click();
  if (!isField || (key.length !== 1 && key !== 'Backspace')) return;
  setValue(element, key === 'Backspace' ? element.value.slice(0, -1) : element.value + key);
  element.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

function select(element: HTMLElement, values: readonly string[]): string {
  mustBeUsable(element);
  if (!(element instanceof HTMLSelectElement))
    throw new Error(`${titleOf(element)} is no list to choose from. Click it.`);
  const wanted = (option: HTMLOptionElement) =>
    values.includes(option.value) || values.includes(option.label);
  const options = [...element.options];
  const missing = values.find(
    (value) => !options.some((each) => each.value === value || each.label === value),
  );
  if (missing !== undefined)
    throw new Error(
      `There is no choice ${JSON.stringify(missing)}. There are: ${options.map(({ label }) => JSON.stringify(label)).join(', ')}.`,
    );
  for (const option of options) option.selected = wanted(option);
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return `Chose ${values.join(', ')} in ${titleOf(element)}.`;
}

async function evaluate(code: string): Promise<string> {
  const value: unknown = await evaluated(code);
  const text = value === undefined ? 'undefined' : (JSON.stringify(value, null, 2) ?? String(value));
  return text.slice(0, LONGEST_PAGE_ANSWER);
}

/** An expression has a value; statements give one with `return`. */
function evaluated(code: string): unknown {
  try {
    return (0, eval)(`(async () => (${code}\n))()`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return (0, eval)(`(async () => {${code}\n})()`);
  }
}

function mustBeUsable(element: HTMLElement): void {
  if (element.matches(':disabled')) throw new Error(`${titleOf(element)} is disabled.`);
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  if (!element.checkVisibility({ visibilityProperty: true }))
    throw new Error(`${titleOf(element)} is not visible.`);
}

function isTextField(element: Element): element is HTMLInputElement {
  return (
    element instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file'].includes(element.type)
  );
}

/** Calls the setter of the class, because frameworks put one of their own on the element to notice changes. */
function setValue(element: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const owner = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(owner.prototype, 'value')?.set?.call(element, value);
}

function sharesLabel(hit: Element, element: HTMLElement): boolean {
  const label = hit.closest('label');
  return label !== null && label.control === element;
}

function focused(): HTMLElement {
  return document.activeElement instanceof HTMLElement ? document.activeElement : document.body;
}
