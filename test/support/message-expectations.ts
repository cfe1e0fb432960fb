/** What must hold for the messages of a load client, whatever was stopped or killed while it posted them. */
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { Message } from '#shared/models/message.ts';
import { readLogHeads } from './changes-log.ts';
import type { LoadClient } from './load-clients.ts';

/** Expects no refused message, and each acknowledged message once, with one event in the changes log. */
export const expectMessagesOnce = async ({
  id_project,
  conversations,
  acknowledged,
  refused,
}: LoadClient): Promise<void> => {
  expect(refused.slice(0, 3)).to.deep.equal([]);
  expect(await DeadLetter.find({ failedBy: 'relay' }).lean()).to.deep.equal([]);
  const stored = await Message.find({ id_project, sender: { $ne: 'system' } }, { text: 1 }).lean();
  const ids = acknowledged.map(({ _id }) => _id).toSorted();
  expect(stored.map(({ _id }) => String(_id)).toSorted()).to.deep.equal(ids);
  const log = await readLogHeads(id_project);
  expect(log.map(({ position }) => position)).to.deep.equal(log.map(({ position }) => position).toSorted());
  const messageEvents = log.filter(({ event, payload }) => event === 'message.create' && payload.sender !== 'system');
  expect(messageEvents.map(({ record }) => record).toSorted()).to.deep.equal(ids);
  const textById = new Map(acknowledged.map(({ _id, text }) => [_id, text]));
  for (const { record, payload } of messageEvents) {
    expect(payload).to.include({ text: textById.get(record) });
    expect(payload.request).to.be.an('object');
  }
  expect(log.filter(({ event }) => event === 'request.create')).to.have.length(conversations.length);
};

/**
 * Expects that each conversation shows its last message, and was updated at least once for each message after the first
 * one, which creates the conversation.
 */
export const expectConversationsConsistent = async ({ id_project }: LoadClient): Promise<void> => {
  const log = (await readLogHeads(id_project)).filter(({ event }) => event === 'message.create');
  const byConversation = Map.groupBy(log, ({ payload }) => payload.recipient as string);
  for (const [request_id, messages] of byConversation) {
    const request = await Conversation.findOne({ id_project, request_id }, { attributes: 1, __v: 1 }).lean();
    expect(String(request?.attributes.last_message._id), request_id).to.equal(messages.at(-1)?.record);
    expect(request?.__v, request_id).to.be.at.least(messages.length - 1);
  }
};
