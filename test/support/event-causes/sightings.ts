/** Where the events of `table.ts`, caused in the project `scene`, must be seen: changes log, webhooks, socket. */
import { expect } from 'chai';
import { INSTANCE } from '#shared/models/change.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { aBotServer } from '../bots.ts';
import { readLog } from '../changes-log.ts';
import type { EventScene, ExpectedEvent } from './scene.ts';
import { contains, EVENT_CAUSES } from './table.ts';

/** An event as a client sees it. */
export interface SeenEvent {
  event: string;
  payload: object;
}

const PAGE_SIZE = 500;

/** Reads the changes log of the scene's project through the API. */
export const readChanges = async ({ call, owner }: EventScene): Promise<SeenEvent[]> => {
  const seen: SeenEvent[] = [];
  for (let after = '0'; ; ) {
    const page = await call(owner, 'GET', `changes?after=${after}&limit=${PAGE_SIZE}`);
    seen.push(...page.changes);
    if (page.changes.length < PAGE_SIZE) return seen;
    after = page.next;
  }
};

/** Names that are derived at delivery: the log has one entry, under the name on the right. */
const LOGGED_NAMES: [pattern: RegExp, name: string][] = [
  [/^message\.(sending|create\.(?!quote$).+)$/, 'message.create'],
  [/^message\.update\.first$/, 'message.update'],
  [/^request\.update\.comment$/, 'request.updated'],
  [/^event\.emit$/, 'event.emit.greeting'],
];

const loggedName = (event: string): string => LOGGED_NAMES.find(([pattern]) => pattern.test(event))?.[1] ?? event;

/** The changes log has no `operator.select`, which is only posted to webhooks. */
const isLogged = ({ event }: ExpectedEvent): boolean => event !== 'operator.select';

/**
 * The part of a payload that the log contains. It lacks the messages of a closed conversation, and the `id_project` of
 * `project.*` events, which webhooks add.
 */
const loggedPayload = ({ event, payload }: ExpectedEvent): object => {
  const { messages: _, id_project, ...logged } = payload as { messages?: unknown; id_project?: unknown };
  return event.startsWith('project.') || id_project === undefined ? logged : { ...logged, id_project };
};

/** Returns the expected events that are missing from the changes log, or from a part of it. */
export const missingInLog = (log: SeenEvent[], expected: ExpectedEvent[]): ExpectedEvent[] =>
  expected.filter(isLogged).filter((each) => {
    const name = loggedName(each.event);
    const part = loggedPayload(each);
    return !log.some(({ event, payload }) => event === name && contains(payload, part));
  });

/** Reads the log entries of events that do not belong to the scene's project. */
export const readOtherChanges = async (expected: ExpectedEvent[]): Promise<SeenEvent[]> => {
  const projects = new Set(expected.flatMap(({ project }) => project ?? []));
  const found = (await Promise.all([...projects].map(readLog))).flat();
  return JSON.parse(JSON.stringify(found)); // ids become strings, as on the wire
};

/**
 * A server with a subscription to every event of the table. The subscriptions to events of other projects and of
 * accounts are global.
 */
export const anEventReceiver = async ({ project }: EventScene) => {
  const server = await aBotServer();
  const subscriptions = EVENT_CAUSES.flatMap(({ events, projectOf }) =>
    events.map((event) => ({ id_project: projectOf ? INSTANCE : project, event })),
  );
  const fields = { target: server.url, createdBy: 'test' };
  await Subscription.create(subscriptions.map((subscription) => ({ ...subscription, ...fields })));
  const seen = (): SeenEvent[] =>
    server.calls.map(({ body }) => ({ event: body.hook?.event as string, payload: body.payload as object }));
  return {
    seen,
    calls: server.calls,
    /** The expected events that no webhook has delivered. */
    missing: (expected: ExpectedEvent[]): ExpectedEvent[] => {
      const all = seen();
      return expected.filter(
        (each) => !all.some(({ event, payload }) => event === each.event && contains(payload, each.payload)),
      );
    },
  };
};

/** Fails if an event is missing, and prints the first missing event with the seen events of the same name. */
export const expectNoneMissing = (missing: ExpectedEvent[], seen: SeenEvent[]): void => {
  const [first] = missing;
  const similar = seen.filter(({ event }) => event === loggedName(first?.event ?? '') || event === first?.event);
  const names = missing.map(({ event }) => event);
  const details =
    first && `\n${JSON.stringify(first)}\nseen: ${similar.map((each) => JSON.stringify(each)).join('\n')}`;
  expect(names, details?.slice(0, 20_000)).to.deep.equal([]);
};
