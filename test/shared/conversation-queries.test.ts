/** No read of conversations walks through a whole collection: every one has an index. */
import { expect } from 'chai';
import mongoose from 'mongoose';
import * as messages from '#shared/domain/messages.ts';
import * as requests from '#shared/domain/requests.ts';
import { api } from '../support/api.ts';
import { commandsDuring } from '../support/commands.ts';
import { aConversation } from '../support/conversations.ts';
import { stopRelaying } from '../support/relay.ts';

type Command = Record<string, unknown>;

const KINDS = ['find', 'aggregate', 'update', 'findAndModify', 'count', 'distinct'];
const ENVELOPE = [
  'lsid',
  'txnNumber',
  'startTransaction',
  'autocommit',
  '$db',
  '$clusterTime',
  'readConcern',
  'writeConcern',
];
const WATCHED = ['requests', 'messages', 'leads', 'counters', 'project_users', 'departments'];

const kindOf = (command: Command) => KINDS.find((kind) => WATCHED.includes(command[kind] as string));

const explained = async (command: Command): Promise<string> => {
  const bare = Object.fromEntries(Object.entries(command).filter(([key]) => !ENVELOPE.includes(key)));
  const plan = await mongoose.connection.db?.command({ explain: bare, verbosity: 'queryPlanner' });
  return JSON.stringify(plan?.queryPlanner ?? plan?.stages);
};

describe('Every query of a conversation', () => {
  it('uses an index', async () => {
    const { post, guest, agent, owner, root, one, posted } = await aConversation();
    await stopRelaying();
    const lists = [
      '',
      '?status=all',
      '?preflight=true',
      `?participant=${agent.id}`,
      '?ticket_id=1',
      '?dept_id=x',
      '?tags=a',
    ];
    const commands = (await commandsDuring(async () => {
      await post(guest, { text: 'Again', client_message_id: '1' });
      await post(guest, { text: 'Again', client_message_id: '1' });
      await api(guest).post(`${root}/new-one/messages`, { text: 'New' });
      for (const list of lists) for (const by of [owner, agent]) await api(by).get(`${root}${list}`);
      for (const by of [owner, guest]) await api(by).get(`${root}/me`);
      for (const by of [owner, guest]) await api(by).get(`${one}/messages`);
      await api(guest).get(`${one}/messages/${posted.body._id}`);
      await api(owner).get(one);
      await api(owner).put(`${one}/participants`, [agent.id]);
      await api(owner).delete(`${one}/participants/${agent.id}`);
      await api(owner).put(`${one}/close`, {});
      await api(owner).put(`${one}/reopen`, {});
      await requests.shownOf([posted.body.request._id]);
      await messages.shownOf([posted.body._id]);
    })) as Command[];
    const queries = commands.filter(kindOf);
    expect(new Set(queries.map(kindOf)))
      .to.include('find')
      .and.include('aggregate')
      .and.include('findAndModify');
    for (const query of queries) {
      const plan = await explained(query);
      expect(plan, JSON.stringify(query)).to.match(/IXSCAN|IDHACK/);
      expect(plan, JSON.stringify(query)).to.not.include('COLLSCAN');
    }
  });
});
