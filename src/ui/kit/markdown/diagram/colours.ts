import type { DiagramColours } from '../../../../protocol/diagram.ts';

/** The page's colours as they are now, in the form that Mermaid reads. */
export function diagramColours(root: Element = document.documentElement): DiagramColours {
  const tokens = getComputedStyle(root);
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const hex = (name: string): string => {
    if (!context) return '#808080';
    context.fillStyle = tokens.getPropertyValue(name).trim() || '#808080';
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[r, g, b].map((each) => each.toString(16).padStart(2, '0')).join('')}`;
  };
  return {
    dark: root.getAttribute('data-theme') === 'dark',
    ground: hex('--raise'),
    ink: hex('--ink'),
    line: hex('--ink2'),
    node: hex('--glass-wash'),
    border: hex('--glass'),
    group: hex('--sunk'),
    note: hex('--wait-wash'),
    noteBorder: hex('--wait'),
  };
}
