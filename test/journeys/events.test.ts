/** Every standard event, caused through the API, in webhooks and in the changes log, in both wire profiles. */
import { createServer } from 'node:http';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { events, payloadShape, registeredEvent } from '#shared/events.ts';
import { anApi } from '../support/api.ts';
import { aBotServer } from '../support/bots.ts';
import { anEventScene, type EventScene, type ExpectedEvent } from '../support/event-causes/scene.ts';
import { aWitness, expectNoneMissing, missingInLog, readChanges } from '../support/event-causes/sightings.ts';
import { causeAllEvents, EVENT_CAUSES } from '../support/event-causes/table.ts';
import { aFleet } from '../support/fleet.ts';
import { onSuiteEnd } from '../support/suite-cleanup.ts';
import { listenOnUnusedPort } from '../support/unused-port.ts';
import { waitUntil } from '../support/wait-until.ts';
import { countOpen, deliverWebhooks, retryWebhooks } from '../support/webhooks.ts';

const aFailingSite = async (): Promise<string> => {
  const server = createServer((_, response) => response.writeHead(503).end());
  const url = `http://127.0.0.1:${await listenOnUnusedPort(server)}/page`;
  onSuiteEnd(async () => void server.close());
  return url;
};

const aScene = async (profile: EventScene['profile'], base: string): Promise<EventScene> =>
  anEventScene(profile, base, { acceptingUrl: (await aBotServer()).url, failingUrl: await aFailingSite() });

/** Expects all events of the scene in the log, and returns its entries. */
const expectLogged = async (scene: EventScene, expected: ExpectedEvent[]) => {
  const log = await readChanges(scene, scene.project);
  const own = expected.filter(({ project }) => !project);
  expectNoneMissing(missingInLog(log, own), log);
  return log;
};

/** Expects that each payload has the fields of its declaration, and no others. */
const expectDeclared = (log: { event: string; payload: object }[]): void => {
  for (const { event, payload } of log) {
    const name = registeredEvent(event);
    if (!name) throw new Error(`${event} is not declared`);
    const { view, recordKey } = payloadShape(name);
    const record = (recordKey ? (payload as Record<string, unknown>)[recordKey] : payload) as { gone?: boolean };
    if (record.gone) continue; // deleted before the event was relayed
    const { error } = view.safeParse(record);
    expect(error?.issues ?? [], `${event} ${JSON.stringify(payload)}`).to.deep.equal([]);
  }
};

describe('Standard events', function standardEvents() {
  this.timeout(120_000);

  it('the table of events covers every event of the registry', () => {
    const covered = new Set(EVENT_CAUSES.flatMap((row) => row.events).map((event) => registeredEvent(event)));
    expect(Object.keys(events).filter((name) => !covered.has(name as keyof typeof events))).to.deep.equal([]);
  });

  it('each is in webhooks and in the changes log with its documented payload, in profile specification', async () => {
    const scene = await aScene('specification', await anApi());
    await initCursors();
    const witness = await aWitness(scene);
    const expected = (await causeAllEvents(scene)).filter(({ project }) => !project);
    await deliverWebhooks(scene.project);
    // A delivery without a free slot waits until another one has ended.
    while (await countOpen(scene.project)) await retryWebhooks(scene.project);
    expectDeclared(await expectLogged(scene, expected));
    expectNoneMissing(witness.missing(expected), witness.seen());
  });

  it('each is in webhooks and in the changes log with its documented payload, in profile deployed-clients', async () => {
    const fleet = await aFleet({ WIRE_PROFILE: 'deployed-clients', DATA_DIR: config.DATA_DIR });
    try {
      const [{ url }] = await Promise.all([fleet.api(), fleet.worker()]);
      const scene = await aScene('deployed-clients', url);
      const witness = await aWitness(scene);
      const expected = (await causeAllEvents(scene)).filter(({ project }) => !project);
      await waitUntil(() => witness.missing(expected).length === 0, 60).catch(() => undefined);
      await expectLogged(scene, expected);
      expectNoneMissing(witness.missing(expected), witness.seen());
      for (const { headers, body } of witness.calls)
        expect(headers['x-hook-secret'], body.hook.event).to.be.a('string');
    } finally {
      await fleet.close();
    }
  });
});
