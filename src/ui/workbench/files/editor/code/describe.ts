/** A declaration with its comment, as text and never as HTML: both come from the workspace. */
export function describe({
  signature,
  documentation,
}: {
  readonly signature: string;
  readonly documentation: string;
}): HTMLElement {
  const whole = document.createElement('div');
  whole.className = 'cm-described';
  const code = whole.appendChild(document.createElement('code'));
  code.textContent = signature;
  if (documentation) whole.appendChild(document.createElement('p')).textContent = documentation;
  return whole;
}
