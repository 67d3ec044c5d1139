import { asCurl, asSnippet } from '../../../session/inspect/copies.ts';
import type { Json } from '../../../base/json.ts';
import { FaultError } from '../../../base/fault.ts';
import type { Inspection } from '../../../session/inspect/inspection.ts';
import type { Call, Step } from '../../../session/inspect/timeline-items.ts';
import { inspectorWords as words } from './inspector-words.ts';

/** The formats in which a step can be copied, or a call together with the request of its step. */
export function copiesOf(inspection: Inspection, item: Step | Call, step: Step | undefined) {
  const ways = [{ title: words.copyJSON, text: () => asJSON(inspection, item) }];
  if (!step) return ways;
  return [
    ...ways,
    {
      title: words.copyCurl,
      text: async () => {
        const { network } = await inspection.request(step);
        if (!network) throw new FaultError({ code: 'no-request', what: words.noCurl });
        return asCurl(network);
      },
    },
    {
      title: words.copySnippet,
      text: async () => {
        const { content, network } = await inspection.request(step);
        return asSnippet(step.model, content, network);
      },
    },
  ];
}

async function asJSON(inspection: Inspection, item: Step | Call): Promise<string> {
  const events = inspection.eventsOf(item);
  const request = item.kind === 'step' ? { request: (await inspection.request(item)).content } : {};
  // The key is the inspector's own name of the item, and would be masked for its name.
  const { key: _key, ...told } = item;
  const whole = JSON.parse(JSON.stringify({ ...told, ...request, events })) as Json;
  return JSON.stringify(inspection.masked(whole), null, 2);
}
