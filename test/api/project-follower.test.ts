import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { newId } from '#shared/context.ts';
import { Message } from '#shared/models/message.ts';
import type { Actor } from '../../api/http/auth/authenticate.ts';
import { type Connection, ProjectFollower } from '../../api/realtime/sockets/project-follower.ts';
import { parseTopic, type Topic } from '../../api/realtime/sockets/topics.ts';
import { api } from '../support/api.ts';
import { aPosition, appendWithoutNotice, numberedChanges } from '../support/append-changes.ts';
import { aProject } from '../support/people.ts';
import { stopRelay } from '../support/relay.ts';
import { aLoggedMessage } from '../support/socket-client.ts';
import { waitUntil } from '../support/wait-until.ts';

const OLD_SECONDS = config.CHANGES_TTL_SECONDS * 0.9;
/** Options with which Mongoose overwrites the creation time of a record. */
const RAW = { timestamps: false, overwriteImmutable: true } as const;
const actor = { kind: 'user', id: newId(), role: 'owner' } as Actor;

/**
 * A ProjectFollower, the object that sends the changes of a project to a socket. This one resumes at an old cursor and
 * pauses until `release` is called.
 */
const aResumingFollower = async (id_project: string) => {
  const frames: string[] = [];
  const { promise: drained, resolve: release } = Promise.withResolvers<void>();
  const sender = { send: (frame: string | Buffer) => void frames.push(String(frame)), drain: () => drained };
  const connection = { access: { actorIn: async () => actor }, sender, end: () => undefined };
  const follower = new ProjectFollower(id_project, actor, connection as unknown as Connection);
  await follower.subscribe(actor, parseTopic(`/${id_project}/changes`) as Topic, aPosition(OLD_SECONDS + 60));
  return { follower, frames, release };
};

describe('A topic of a socket', () => {
  it('receives no CREATE frame for a record that its initial state contains, while the socket catches up from an older cursor', async () => {
    await stopRelay();
    const { project, guest } = await aProject();
    const path = `/v3/${project.id}/requests/talk/messages`;
    const { body: message } = await api(guest).post(path, { text: 'Hello' });
    const sentAt = new Date(Date.now() - 120_000);
    await Message.updateOne({ _id: message._id, id_project: project.id }, { $set: { createdAt: sentAt } }, RAW);
    const created = { ...aLoggedMessage(project.id, 0).payload, _id: message._id };
    await appendWithoutNotice(project.id, [
      ...numberedChanges(40).map((change) => ({ ...change, age: OLD_SECONDS })),
      { event: 'message.create', payload: created, age: 120 },
      { event: 'project.update', age: 60 },
    ]);
    const { follower, frames, release } = await aResumingFollower(project.id);
    await waitUntil(async () => frames.length > 0);
    const topic = `/${project.id}/requests/talk/messages`;
    const subscribed = follower.subscribe(actor, parseTopic(topic) as Topic);
    const ofTopic = () => frames.map((each) => JSON.parse(each).payload).filter((each) => each.topic === topic);
    await waitUntil(async () => ofTopic().length > 0);
    release();
    await subscribed;
    await waitUntil(async () => frames.some((each) => each.includes('project.update')));
    expect(ofTopic()).to.have.length(1);
    expect(ofTopic()[0].message).to.have.length(1).with.nested.property('[0]._id', message._id);
    follower.close();
  });
});

/**
 * A ProjectFollower that sends a gap frame and a state for each of two topics, because both resume at an expired
 * cursor. `onFrame` is called when the frame with the given number is sent; frame 1 is the gap frame of the first
 * topic, and frame 4 is the state of the second topic.
 */
const aFollowerAfterGap = async (onFrame: (follower: ProjectFollower, second: Topic) => void, frameNumber = 1) => {
  const id_project = newId();
  const [first, second] = ['requests', 'changes'].map((key) => parseTopic(`/${id_project}/${key}`) as Topic);
  const frames: { action: string; payload: { topic: string } }[] = [];
  const send = (frame: string | Buffer) => {
    frames.push(JSON.parse(String(frame)));
    if (frames.length === frameNumber) onFrame(follower, second as Topic);
  };
  const sender = { send, drain: async () => undefined };
  const connection = { access: { actorIn: async () => actor }, sender, end: () => undefined };
  const follower = new ProjectFollower(id_project, actor, connection as unknown as Connection);
  const expired = aPosition(config.CHANGES_TTL_SECONDS + 60);
  for (const topic of [first, second]) await follower.subscribe(actor, topic as Topic, expired);
  await waitUntil(async () => frames.length > 0);
  const framesOf = (topic?: Topic) => frames.filter(({ payload }) => payload.topic === topic?.text);
  return { follower, first, second, framesOf };
};

describe('Topics of a socket after a gap', () => {
  it('a topic from which the client unsubscribes while the state of another topic is read is not followed afterwards', async () => {
    const { follower, first, second, framesOf } = await aFollowerAfterGap((each, { key }) => each.unsubscribe(key));
    await waitUntil(async () => framesOf(first).length === 2);
    // If the follower also resubscribed to the second topic, its frames would arrive before this call ends.
    await follower.subscribe(actor, first as Topic);
    expect([follower.follows(first?.key ?? ''), follower.follows(second?.key ?? '')]).to.deep.equal([true, false]);
    expect(framesOf(second)).to.deep.equal([]);
    follower.close();
  });

  it('a topic to which the client subscribes with a cursor while the state of another topic is read receives no gap frame and no state', async () => {
    const { follower, first, second, framesOf } = await aFollowerAfterGap(
      (each, topic) => void each.subscribe(actor, topic, aPosition(60)),
    );
    await waitUntil(async () => framesOf(first).length === 2);
    // If the follower also resubscribed to the second topic, its frames would arrive before this call ends.
    await follower.subscribe(actor, first as Topic);
    expect([follower.follows(second?.key ?? ''), framesOf(second)]).to.deep.equal([true, []]);
    follower.close();
  });

  it('a topic to which the client subscribes for the first time while others resume after a gap receives its state once and no gap frame', async () => {
    const subscribed = Promise.withResolvers<void>();
    const { follower, second, framesOf } = await aFollowerAfterGap((each, { project }) => {
      const third = parseTopic(`/${project}/requests/talk/messages`) as Topic;
      each.subscribe(actor, third).then(subscribed.resolve, subscribed.reject);
    }, 4);
    await subscribed.promise;
    const third = parseTopic(`/${second?.project}/requests/talk/messages`) as Topic;
    // If the follower subscribed to the third topic again, further frames would arrive before this call ends.
    await follower.subscribe(actor, second as Topic);
    expect(framesOf(third).map(({ action }) => action)).to.deep.equal(['publish']);
    follower.close();
  });

  it('no state is sent and no topic is followed after the socket has closed', async () => {
    const { follower, first, second, framesOf } = await aFollowerAfterGap((each) => each.close());
    expect(follower.isIdle).to.equal(true);
    const other = await aFollowerAfterGap(() => undefined);
    await waitUntil(async () => other.framesOf(other.second).length === 2);
    other.follower.close();
    expect([framesOf(first).length, framesOf(second).length, follower.size]).to.deep.equal([1, 0, 0]);
  });
});

describe('Cursor of a socket', () => {
  // A cursor older than half of CHANGES_TTL_SECONDS is replaced with a newer one, but only if no change follows it.
  it('the cursor does not pass unsent changes, even if they are older than half of CHANGES_TTL_SECONDS', async () => {
    const id_project = newId();
    const inputs = numberedChanges(40).map((change) => ({ ...change, age: OLD_SECONDS }));
    const positions = await appendWithoutNotice(id_project, inputs);
    const { follower, frames, release } = await aResumingFollower(id_project);
    await waitUntil(async () => frames.length > 0);
    expect(frames.length).to.be.lessThan(positions.length);
    expect(follower.cursor).to.equal(positions[frames.length - 1]);
    release();
    await waitUntil(async () => frames.length === positions.length);
    expect(follower.cursor).to.equal(positions.at(-1));
    follower.close();
  });

  it('the cursor of a quiet project is refreshed, so that it does not expire', async () => {
    const { follower } = await aResumingFollower(newId());
    await waitUntil(async () => follower.cursor > aPosition(config.CHANGES_TTL_SECONDS / 2 + 60));
    follower.close();
  });
});
