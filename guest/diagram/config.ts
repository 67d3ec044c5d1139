import type { MermaidConfig } from 'mermaid';
import { LONGEST_DIAGRAM, type DiagramColours } from '../../src/protocol/diagram.ts';

const FONT = 'system-ui, sans-serif';

/** The settings of Mermaid. What a diagram's own text may not change is in `secure`. */
export function configOf(colours: DiagramColours): MermaidConfig {
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: LONGEST_DIAGRAM,
    maxEdges: 500,
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false },
    theme: 'base',
    fontFamily: FONT,
    themeVariables: {
      darkMode: colours.dark,
      fontFamily: FONT,
      fontSize: '14px',
      background: colours.ground,
      primaryColor: colours.node,
      primaryTextColor: colours.ink,
      primaryBorderColor: colours.border,
      secondaryColor: colours.group,
      secondaryTextColor: colours.ink,
      tertiaryColor: colours.group,
      tertiaryTextColor: colours.ink,
      lineColor: colours.line,
      textColor: colours.ink,
      titleColor: colours.ink,
      noteBkgColor: colours.note,
      noteTextColor: colours.ink,
      noteBorderColor: colours.noteBorder,
      edgeLabelBackground: colours.ground,
    },
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'suppressErrorRendering',
      'maxTextSize',
      'maxEdges',
      'htmlLabels',
      'themeCSS',
      'fontFamily',
      'dompurifyConfig',
    ],
  };
}
