import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { newId } from '#shared/context.ts';
import type { Actor } from '../../api/http/auth/authenticate.ts';
import { type Connection, ProjectFollower } from '../../api/realtime/sockets/project-follower.ts';
import { parseTopic, type Topic } from '../../api/realtime/sockets/topics.ts';
import { aPosition, appendWithoutNotice, numberedChanges } from '../support/append-changes.ts';
import { waitUntil } from '../support/wait-until.ts';

const OLD_SECONDS = config.CHANGES_TTL_SECONDS * 0.9;
const actor = { kind: 'user', id: newId(), role: 'owner' } as Actor;

/** A follower that resumes after an old cursor, and whose client reads no further until `release` is called. */
const aResumingFollower = async (id_project: string) => {
  const frames: string[] = [];
  const { promise: drained, resolve: release } = Promise.withResolvers<void>();
  const sender = { send: (frame: string | Buffer) => void frames.push(String(frame)), drain: () => drained };
  const connection = { access: { actorIn: async () => actor }, sender, end: () => undefined };
  const follower = new ProjectFollower(id_project, actor, connection as unknown as Connection);
  await follower.subscribe(actor, parseTopic(`/${id_project}/changes`) as Topic, aPosition(OLD_SECONDS + 60));
  return { follower, frames, release };
};

describe('Cursor of a socket', () => {
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
