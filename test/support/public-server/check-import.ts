/** Checks an imported database through the API: the old passwords must work, and conversations must be unchanged. */
import { expect } from 'chai';
import { User } from '#shared/models/user.ts';
import { api, type Caller } from '../api.ts';
import { conversationOf } from './conversations.ts';
import { passwordOf } from './team.ts';
import { comparableConversation, expectedConversation, expectedMessages } from './wire-shapes.ts';
import type { WrittenProject } from './write-database.ts';

const CONVERSATIONS_PER_LEAD = 4;

const signIn = (email: string, password: string) => api().post('/v3/auth/signin', { email, password });

/** Signs in the people of a project, or the first `count` of them, with their old passwords; returns the owner. */
export const signInAll = async ({ seed: { team } }: WrittenProject, count = team.people.length): Promise<Caller> => {
  let owner: Caller | undefined;
  for (const { email, _id } of team.people.slice(0, count)) {
    expect((await signIn(email, `${passwordOf(email)}x`)).status).to.equal(401);
    const { status, body } = await signIn(email, passwordOf(email));
    expect(status, email).to.equal(200);
    expect(body.user._id).to.equal(String(_id));
    owner ??= { id: String(_id), authorization: body.token };
    expect((await User.findOne({ email }).orFail().lean()).password).to.match(/^argon2id\$/);
    expect((await signIn(email, passwordOf(email))).status).to.equal(200);
  }
  return owner as Caller;
};

/** Expects that the API returns a conversation and its messages with the same fields as in the source database. */
export const expectSameConversation = async (
  { seed }: WrittenProject,
  number: number,
  owner: Caller,
): Promise<void> => {
  const documents = conversationOf(seed, number);
  const { visitor } = conversationOf(seed, number - (number % CONVERSATIONS_PER_LEAD));
  if (!visitor) throw new Error('the first conversation of a lead has no visitor');
  const path = `/v3/${seed.team.id_project}/requests/${String(documents.request.request_id)}`;
  const [reply, messages] = [await api(owner).get(path), await api(owner).get(`${path}/messages`)];
  expect(reply.status, reply.text).to.equal(200);
  const agents = seed.team.members;
  expect(comparableConversation(reply.body)).to.deep.equal(expectedConversation(documents, { ...visitor, agents }));
  expect(messages.body).to.deep.equal(expectedMessages(documents));
};
