import { expect } from 'chai';
import { api } from '../support/api.ts';
import { accessIsFollowed, commandsDuring } from '../support/commands.ts';
import { aProject } from '../support/people.ts';
import { until } from '../support/until.ts';

/** The records of who calls. */
const IDENTITY = ['users', 'project_users', 'projects', 'tokens', 'bots', 'subscriptions', 'keys'];
const POLL_MS = 250;
const BUSY_MS = 2000;
/** Longer than an entry is served without a new read of the changes. */
const BLOCK_MS = 800;

type Command = Record<string, unknown>;

const finds = (commands: unknown[], names: string[]): string[] =>
  (commands as Command[]).map(({ find }) => String(find)).filter((name) => names.includes(name));

const block = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

/** Keep the event loop busy: each of its turns comes late. */
const beBusy = async (ms: number): Promise<void> => {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    block(BLOCK_MS);
    await new Promise(setImmediate);
  }
};

describe('The cache of access records', () => {
  it('answers all requests from one read of the changes when the event loop is late', async () => {
    const { project, owner, agent, guest } = await aProject();
    const path = `/v3/${project.id}/changes`;
    const all = () => Promise.all([owner, agent, guest].flatMap((one) => [1, 2, 3].map(() => api(one).get(path))));
    await all(); // starts the API
    await accessIsFollowed();
    await until(async () => !finds(await commandsDuring(all), IDENTITY).length);
    const statuses: number[] = [];
    let took = 0;
    const commands = await commandsDuring(
      async () => {
        const begun = performance.now();
        const calls = Array.from({ length: 10 }, async () => {
          for (const { status } of await all()) statuses.push(status);
        });
        await beBusy(BUSY_MS);
        await Promise.all(calls);
        took = performance.now() - begun;
      },
      { clockToo: true },
    );
    expect(statuses).to.have.lengthOf(90);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(finds(commands, IDENTITY)).to.deep.equal([]);
    // The clock's own reads, and at most one more in each window of 750 ms.
    const most = took / POLL_MS + took / 750 + 2;
    expect(finds(commands, ['access_changes']).length).to.be.within(1, most);
  });
});
