/** The generated history of a help desk is consistent. */
import { expect } from 'chai';
import { lifelikeHistory } from '../../scripts/seed/lifelike-history.ts';
import { createRecordGenerator } from '../../scripts/seed/project-records.ts';
import { times } from '../support/fleet-fixture.ts';

const CONVERSATIONS = 50;
const MESSAGES_BEFORE_CUT = 5;

describe('Lifelike history', () => {
  it('`last_message` of each conversation is its last message, even if the history generates only the first messages of a longer one', () => {
    const [department, bot] = ['a'.repeat(24), 'b'.repeat(24)];
    const agents = [{ _id: 'c'.repeat(24), id_user: 'd'.repeat(24) }];
    const options = { requests: CONVERSATIONS, weeks: 4, now: Date.UTC(2026, 10, 20), seed: 1, agents, bot };
    const history = lifelikeHistory({ ...options, departments: [department] });
    const seed = { id_project: 'e'.repeat(24), department, agents, requests: CONVERSATIONS };
    const conversations = times(CONVERSATIONS, createRecordGenerator({ ...seed, ...history }));
    const cut = conversations.filter(({ messages }) => messages.length < MESSAGES_BEFORE_CUT);
    expect(cut).to.not.be.empty;
    expect(conversations.map(({ request }) => request.attributes.last_message)).to.deep.equal(
      conversations.map(({ messages }) => messages.at(-1)),
    );
  });
});
