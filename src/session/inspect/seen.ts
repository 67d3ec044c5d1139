import type { Json } from '../../base/json.ts';
import type { Inspection } from './inspection.ts';
import type { Call, Step } from './timeline-items.ts';

/** How a model saw a call: the part of the first request that contained its result. */
export interface SeenResult {
  readonly step: Step;
  readonly shown: Json;
}

/** `null` if no request has contained it. Rejects if the request cannot be rebuilt. */
export async function whatModelSaw(inspection: Inspection, call: Call): Promise<SeenResult | null> {
  if (call.ended === undefined) return null;
  const { timeline } = inspection;
  const steps = timeline.turns.flatMap((turn) => timeline.stepsOf(turn));
  for (const step of steps) {
    if (step.seq < call.seq || step.purpose !== undefined) continue;
    const { messages } = await inspection.content(step);
    for (const { content } of messages) {
      if (typeof content === 'string') continue;
      for (const part of content)
        if (part.type === 'tool-result' && part.toolCallId === call.callID)
          return { step, shown: JSON.parse(JSON.stringify(part)) as Json };
    }
    // The person may have removed it from this request; the next one is made from the conversation again.
    if (!step.edited) return null;
  }
  return null;
}
