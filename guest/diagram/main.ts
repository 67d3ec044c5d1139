import { messageOf } from '../../src/base/message-of.ts';
import mermaid from 'mermaid';
import { LONGEST_DIAGRAM, type DiagramRequest, type DiagramResponse } from '../../src/protocol/diagram.ts';
import { configOf } from './config.ts';
import { drawingOf } from './drawing.ts';

declare global {
  interface Window {
    /** The way to the app; public/diagram.html puts it here. */
    readonly diagramPort: MessagePort;
  }
}

const port = window.diagramPort;
port.onmessage = ({ data }: MessageEvent<DiagramRequest>) => void answer(data);

async function answer(request: DiagramRequest): Promise<void> {
  const { id } = request;
  let response: DiagramResponse;
  try {
    response = { id, ...(await draw(request)) };
  } catch (error) {
    response = { id, problem: messageOf(error) };
  }
  document.querySelectorAll('body > :not(script)').forEach((each) => each.remove());
  port.postMessage(response);
}

async function draw({ id, text, colours }: DiagramRequest) {
  if (text.length > LONGEST_DIAGRAM) throw new Error(`it has more than ${LONGEST_DIAGRAM} characters.`);
  mermaid.initialize(configOf(colours));
  const { svg, diagramType } = await mermaid.render(`diagram-${id}`, text);
  return { ...drawingOf(svg), kind: diagramType };
}
