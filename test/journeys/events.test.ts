/** Causes every standard event through the API, and finds it in webhooks, on a socket and in the changes log. */
import { createServer } from 'node:http';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { events, payloadShape, registeredEvent } from '#shared/events.ts';
import { INSTANCE } from '#shared/models/change.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { anApi } from '../support/api.ts';
import { aBotServer } from '../support/bots.ts';
import { anEventScene, type EventScene, type ExpectedEvent } from '../support/event-causes/scene.ts';
import {
  anEventReceiver,
  expectNoneMissing,
  missingInLog,
  readChanges,
  readOtherChanges,
} from '../support/event-causes/sightings.ts';
import { currentCursor, missingOnSocket } from '../support/event-causes/socket-sightings.ts';
import { causeAllEvents, EVENT_CAUSES } from '../support/event-causes/table.ts';
import { aFleet } from '../support/fleet.ts';
import { startRelayOnce } from '../support/relay.ts';
import { onSuiteEnd } from '../support/suite-cleanup.ts';
import { listenOnUnusedPort } from '../support/unused-port.ts';
import { waitUntil } from '../support/wait-until.ts';
import { countOpen, deliverWebhooks, retryWebhooks } from '../support/webhooks.ts';

/** The time limit for the delivery of every event to every receiver, even on a busy machine. */
const DELIVERY_SECONDS = 180;

const aFailingSite = async (): Promise<string> => {
  const server = createServer((_, response) => response.writeHead(503).end());
  const url = `http://127.0.0.1:${await listenOnUnusedPort(server)}/page`;
  onSuiteEnd(async () => void server.close());
  return url;
};

const aScene = async (profile: EventScene['profile'], base: string): Promise<EventScene> =>
  anEventScene(profile, base, { acceptingUrl: (await aBotServer()).url, failingUrl: await aFailingSite() });

/** Expects every event in the log and on a socket that resumes at `cursor`. Returns what the log contains. */
const expectLoggedAndPublished = async (scene: EventScene, expected: ExpectedEvent[], cursor: string) => {
  const own = expected.filter(({ project }) => !project);
  const others = expected.filter(({ project }) => project);
  const [log, otherLog] = [await readChanges(scene), await readOtherChanges(others)];
  expectNoneMissing(missingInLog(log, own), log);
  expectNoneMissing(missingInLog(otherLog, others), otherLog);
  const onSocket = await missingOnSocket(scene, cursor, own);
  expectNoneMissing(onSocket.changes, onSocket.seen);
  expect(onSocket.frames).to.deep.equal([]);
  return [...log, ...otherLog];
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
  this.timeout(300_000);

  after(() => Subscription.deleteMany({ id_project: INSTANCE }));

  it('the table of event causes covers every event of the registry', () => {
    const covered = new Set(EVENT_CAUSES.flatMap((row) => row.events).map((event) => registeredEvent(event)));
    expect(Object.keys(events).filter((name) => !covered.has(name as keyof typeof events))).to.deep.equal([]);
  });

  it('every standard event appears in webhooks, on a socket and in the changes log with its documented payload, in the specification profile', async () => {
    const scene = await aScene('specification', await anApi());
    await initCursors();
    startRelayOnce();
    const receiver = await anEventReceiver(scene);
    const cursor = await currentCursor(scene);
    const expected = await causeAllEvents(scene);
    await waitUntil(async () => {
      await deliverWebhooks(scene.project);
      // A delivery without a free slot waits until another one has ended.
      for (const owner of [scene.project, INSTANCE]) if (await countOpen(owner)) await retryWebhooks(owner);
      return !receiver.missing(expected).length;
    }, DELIVERY_SECONDS).catch(() => undefined);
    expectNoneMissing(receiver.missing(expected), receiver.seen());
    expectDeclared(await expectLoggedAndPublished(scene, expected, cursor));
  });

  it('every standard event appears in webhooks, on a socket and in the changes log with its documented payload, in the deployed-clients profile', async () => {
    const fleet = await aFleet({ WIRE_PROFILE: 'deployed-clients', DATA_DIR: config.DATA_DIR });
    try {
      const [{ url }] = await Promise.all([fleet.api(), fleet.worker()]);
      const scene = await aScene('deployed-clients', url);
      const receiver = await anEventReceiver(scene);
      const cursor = await currentCursor(scene);
      const expected = await causeAllEvents(scene);
      await waitUntil(() => receiver.missing(expected).length === 0, DELIVERY_SECONDS).catch(() => undefined);
      expectNoneMissing(receiver.missing(expected), receiver.seen());
      await expectLoggedAndPublished(scene, expected, cursor);
      for (const { headers, body } of receiver.calls)
        expect(headers['x-hook-secret'], body.hook.event).to.be.a('string');
    } finally {
      await fleet.close();
    }
  });
});
