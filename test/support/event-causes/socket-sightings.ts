/** Checks that a socket receives the frames for the events of `table.ts`. The scene is the project of these events. */
import type { ReceivedFrame } from '../asyncapi.ts';
import { openSocket } from '../socket-client.ts';
import { waitUntil } from '../wait-until.ts';
import type { EventScene, ExpectedEvent } from './scene.ts';
import { missingInLog, type SeenEvent } from './sightings.ts';
import { contains } from './table.ts';

const SECONDS_UNTIL_COMPLETE = 30;

/** The fields of payloads whose values occur in the names of topics. */
interface TopicFields {
  _id?: string;
  request_id?: string;
  request?: { request_id: string };
  id_user?: { _id: string };
  project_user?: { _id: string };
  snapshot?: unknown;
}

/** A frame that must be received: its topic, its method, and a part of its message. */
interface ExpectedFrame {
  event: string;
  topic: string;
  method: 'CREATE' | 'UPDATE';
  payload: object;
}

const conversationTopics = ({ request_id }: TopicFields) => ['requests', `requests/${request_id}`];

const customEventTopics = ({ project_user }: TopicFields) =>
  ['', '/greeting', '/event.emit.greeting'].map((name) => `events/${project_user?._id}${name}`);

/** The topics on which an event is published, in addition to `changes`. */
const RECORD_TOPICS: Record<string, [ExpectedFrame['method'], (payload: TopicFields) => string[]]> = {
  'request.create': ['CREATE', conversationTopics],
  'request.update': ['UPDATE', conversationTopics],
  'message.create': ['CREATE', ({ request }) => [`requests/${request?.request_id}/messages`]],
  'project_user.update': ['UPDATE', ({ id_user }) => [`project_users/users/${id_user?._id}`]],
  'event.emit.greeting': ['CREATE', customEventTopics],
  'faqbot.update': ['UPDATE', ({ _id }) => [`bots/${_id}`]],
};

const recordFrames = (project: string, { event, payload }: ExpectedEvent): ExpectedFrame[] => {
  const [method, topicsOf] = RECORD_TOPICS[event] ?? [];
  // `snapshot` is not compared: in frames of the topic `requests`, its agents have different fields than in the event.
  const { snapshot: _, ...fields } = payload as TopicFields;
  const topics = topicsOf?.(fields) ?? [];
  return topics.map((key) => ({ event, topic: `/${project}/${key}`, method: method ?? 'CREATE', payload: fields }));
};

const isFrame = ({ topic, method, payload: part }: ExpectedFrame, { action, payload }: ReceivedFrame): boolean =>
  action === 'publish' && payload.topic === topic && payload.method === method && contains(payload.message, part);

/** The cursor at the end of the log of the scene's project. */
export const currentCursor = async ({ call, owner }: EventScene): Promise<string> =>
  (await call(owner, 'GET', 'changes')).next;

/**
 * Opens a socket that resumes the topics of the expected events after a cursor. Returns the events that are missing on
 * the topic `changes`, the frames that are missing on the topics of records, and the events seen on `changes`.
 */
export const missingOnSocket = async (
  { url, project, owner }: EventScene,
  after: string,
  expected: ExpectedEvent[],
): Promise<{ changes: ExpectedEvent[]; frames: ExpectedFrame[]; seen: SeenEvent[] }> => {
  const socket = await openSocket(owner, { url });
  const changesTopic = `/${project}/changes`;
  const wanted = expected.flatMap((each) => recordFrames(project, each));
  for (const topic of new Set([changesTopic, ...wanted.map((each) => each.topic)])) socket.resume(topic, after);
  const missing = () => {
    const seen = socket.frames.filter(({ payload }) => payload?.topic === changesTopic);
    const changes: SeenEvent[] = seen.map(({ payload }) => payload.message);
    const frames = wanted.filter((each) => !socket.frames.some((frame) => isFrame(each, frame)));
    return { changes: missingInLog(changes, expected), frames, seen: changes };
  };
  const isComplete = () => Object.values(missing()).every((list, index) => index === 2 || !list.length);
  await waitUntil(isComplete, SECONDS_UNTIL_COMPLETE).catch(() => undefined);
  socket.socket.terminate();
  return missing();
};
