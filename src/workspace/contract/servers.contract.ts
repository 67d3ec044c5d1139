import { describe, expect, test } from 'vitest';
import { requestOver } from '../servers/http.ts';
import type { Servers, Workspace } from '../workspace.ts';
import { fresh, put, type Fixture } from './fixture.ts';

const START_MS = 60_000;

const portsOf = (servers: Servers) => servers.list().map(({ port }) => port);

/** Collects the lists that a port reports, until one of them is as wanted. */
class Reports {
  readonly told: number[][] = [];
  readonly unlisten: () => void;
  #wake = () => {};

  constructor(servers: Servers) {
    this.unlisten = servers.onChange(() => {
      this.told.push(portsOf(servers));
      this.#wake();
    });
  }

  async until(wanted: readonly number[]): Promise<void> {
    while (this.told.at(-1)?.join() !== wanted.join()) await new Promise<void>((wake) => (this.#wake = wake));
  }
}

function serve(workspace: Workspace, port: number) {
  return workspace.spawn(`node server.js ${port}`, { stdin: '' });
}

export function serversContract(make: () => Promise<Fixture>): void {
  describe('the servers in it', () => {
    const open = async () => {
      const { workspace } = await fresh(make);
      const { servers } = workspace;
      const { commands } = await workspace.capabilities();
      if (!servers || !commands.includes('node')) return undefined;
      await put(workspace, {
        'server.js': `require('http').createServer((request, response) => {
          if (request.url === '/half') return response.write('half'), setTimeout(() => process.exit(), 50);
          response.end('port ' + process.argv[2]);
        }).listen(Number(process.argv[2]));`,
      });
      return { workspace, servers, reports: new Reports(servers) };
    };

    test(
      'are listed by port while they listen, and each change is told once',
      async ({ skip }) => {
        const made = await open();
        if (!made) return skip();
        const { workspace, servers, reports } = made;
        expect(servers.list()).toEqual([]);
        const later = serve(workspace, 5173);
        await reports.until([5173]);
        const first = serve(workspace, 3000);
        await reports.until([3000, 5173]);
        later.kill();
        await later.exited;
        await reports.until([3000]);
        reports.unlisten();
        first.kill();
        await first.exited;
        const others = new Reports(servers);
        if (servers.list().length > 0) await others.until([]);
        expect(reports.told).toEqual([[5173], [3000, 5173], [3000]]);
      },
      START_MS,
    );

    test(
      'can be shown by an address or reached by a connection',
      async ({ skip }) => {
        const made = await open();
        if (!made) return skip();
        const { workspace, servers, reports } = made;
        const server = serve(workspace, 3000);
        await reports.until([3000]);
        const [listed] = servers.list();
        expect([listed?.url !== undefined, servers.connect !== undefined]).toContain(true);
        if (listed?.url !== undefined) expect(new URL(listed.url).protocol).toMatch(/^https?:$/);
        server.kill();
        await server.exited;
      },
      START_MS,
    );

    test(
      'answer over a connection; there is none where nothing listens, and it fails where the server ends',
      async ({ skip }) => {
        const made = await open();
        if (!made?.servers.connect) return skip();
        const { workspace, servers, reports } = made;
        const ask = async (target: string) => {
          const connection = await servers.connect?.(3000);
          const headers = [['host', 'localhost:3000']] as const;
          return connection && requestOver(connection, { method: 'GET', target, headers, body: null });
        };
        expect(await ask('/')).toBeNull();
        const server = serve(workspace, 3000);
        await reports.until([3000]);
        expect(await new Response((await ask('/'))?.body).text()).toBe('port 3000');
        const broken = await ask('/half');
        await expect(new Response(broken?.body).text()).rejects.toThrow();
        await server.exited;
        await reports.until([]);
        expect(await ask('/')).toBeNull();
      },
      START_MS,
    );
  });
}
