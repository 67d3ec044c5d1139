import { expect, test } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import type { ToolPart } from '../../../session/log/state.ts';
import { linksOf } from './links.ts';

const part = (metadata: JsonObject): ToolPart => ({
  ...{ key: 'k', messageID: 'm', callID: 'c', type: 'tool', tool: 'websearch', created: 0 },
  ...{ status: 'completed', raw: '', live: '', metadata },
});

test.each<[string, JsonObject, readonly object[]]>([
  ['nothing', {}, []],
  ['no list', { results: 'a' }, []],
  [
    'a page',
    { results: [{ title: 'A', url: 'https://a.example/x' }] },
    [{ title: 'A', url: 'https://a.example/x', place: 'a.example' }],
  ],
  [
    'a place of its own, and no title',
    { results: [{ title: ' ', url: 'http://a.example', place: 'o/r' }] },
    [{ title: 'http://a.example/', url: 'http://a.example/', place: 'o/r' }],
  ],
  [
    'what leads elsewhere',
    {
      results: [
        'x',
        null,
        { url: 5 },
        { url: 'javascript:alert(1)' },
        { url: 'data:text/html,x' },
        { url: '/x' },
      ],
    },
    [],
  ],
])('links of %s', (_, metadata, links) => expect(linksOf(part(metadata))).toEqual(links));
