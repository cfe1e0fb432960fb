/** Reading conversations of any length: pages of at most 1,000 messages, streamed from the database. */
import { expect } from 'chai';
import { anApi, api, type Caller, call } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';
import { commandsDuring } from '../support/mongo-commands.ts';

const JANUARY = Date.parse('2026-01-01T00:00:00Z');
const oldMessage = (index: number, text = `${index}`) => ({ text, attributes: { clienttimestamp: JANUARY + index } });
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);
const FIRST_TEXT = 'Where is my order?';

/** A conversation with `count` imported messages that are older than the message that opened it. */
const aLongConversation = async (count: number, text?: string) => {
  const conversation = await aConversation();
  await api(conversation.agent).post(
    `${conversation.one}/messages/multi`,
    times(count, (index) => oldMessage(index, text)),
  );
  const readPage = (query = '', caller: Caller = conversation.owner) =>
    api(caller).get(`${conversation.one}/messages${query}`);
  return { ...conversation, readPage };
};

/** Reads a transcript of a conversation through its signed link. */
const readTranscript = async ({ owner, one }: { owner: Caller; one: string }, name: string, more: object = {}) => {
  const { body } = await api(owner).get(`${one}/transcript-link`);
  const link = new URL(body.links.messages);
  const url = new URL(`${link.pathname}${name}`, await anApi());
  url.search = String(new URLSearchParams([...link.searchParams, ...Object.entries(more)]));
  return call('GET', url.href);
};

describe('Message pages', () => {
  it('messages are read in pages of at most 1,000, the newest page first, and X-Next-Cursor leads to the next page', async () => {
    const conversation = await aLongConversation(1100);
    const { readPage, guest } = conversation;
    for (const caller of [conversation.owner, guest]) {
      const newest = await readPage('', caller);
      expect(newest.status).to.equal(200);
      expect(textsOf(newest.body)).to.deep.equal([...times(999, (index) => `${index + 101}`), FIRST_TEXT]);
      const next = newest.headers['x-next-cursor'];
      const rest = await readPage(`?cursor=${String(next)}`, caller);
      expect(textsOf(rest.body)).to.deep.equal(times(101, (index) => `${index}`));
      expect(rest.headers).to.not.have.property('x-next-cursor');
    }
    const linked = await readTranscript(conversation, '');
    expect(linked.body).to.have.length(1000);
    const { body } = await readTranscript(conversation, '', { cursor: linked.headers['x-next-cursor'], limit: '60' });
    expect(textsOf(body)).to.deep.equal(times(60, (index) => `${index + 41}`));
    const txt = (await readTranscript(conversation, '.txt')).text;
    expect(txt).to.include('Earlier messages are omitted.').and.include(': 101\n').and.not.include(': 100\n');
  });

  it('message pages of any size contain each message once, including messages with equal timestamps', async () => {
    const { owner, agent, one } = await aConversation();
    await api(agent).post(
      `${one}/messages/multi`,
      times(99, (index) => ({ text: `${index}`, attributes: { clienttimestamp: JANUARY + Math.floor(index / 30) } })),
    );
    for (const limit of [7, 45]) {
      const collected: string[] = [];
      for (let next: string | undefined = ''; next !== undefined; ) {
        const { body, headers } = await api(owner).get(
          `${one}/messages?limit=${limit}${next ? `&cursor=${next}` : ''}`,
        );
        expect(body.length).to.be.at.most(limit);
        collected.unshift(...textsOf(body));
        next = headers['x-next-cursor'] as string | undefined;
      }
      expect(collected).to.deep.equal([...times(99, (index) => `${index}`), FIRST_TEXT]);
    }
    for (const query of ['limit=0', 'limit=1001', 'cursor=x'])
      expect((await api(owner).get(`${one}/messages?${query}`)).status, query).to.equal(422);
  });

  it('long or large message pages are streamed in batches of 20, and short ones take one query and have an ETag', async () => {
    const long = await aLongConversation(130);
    const large = await aLongConversation(30, 'x'.repeat(30_000));
    for (const { readPage } of [long, large]) {
      let reply = await readPage();
      const commands = (await commandsDuring(async () => {
        reply = await readPage();
      })) as { batchSize?: number; getMore?: unknown; limit?: number }[];
      const batches = commands.filter((command) => 'getMore' in command);
      expect(batches.length).to.be.at.least(1);
      for (const { batchSize } of batches) expect(batchSize).to.equal(20);
      expect(reply.headers).to.not.have.any.keys('etag', 'content-length');
      expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8');
    }
    const short = await aConversation();
    const path = `${short.one}/messages`;
    const { headers } = await api(short.owner).get(path);
    const cached = await api(short.owner).get(path, { 'if-none-match': String(headers.etag) });
    expect(cached.status).to.equal(304);
    const finds = (await commandsDuring(() => api(short.owner).get(path))) as { find?: string }[];
    expect(finds.filter(({ find }) => find === 'messages')).to.have.length(1);
  });
});

describe('Closing transcript', () => {
  it('the call to `closeg` that closes a conversation returns its transcript, and a later call does not', async () => {
    const { guest, one } = await aConversation();
    expect((await api(guest).put(`${one}/closeg`, {})).body.transcript).to.include(FIRST_TEXT);
    const again = await api(guest).put(`${one}/closeg`, {});
    expect(again.body).to.include({ status: 1000 }).and.not.have.property('transcript');
  });

  it('a closing transcript has at most 500,000 characters and states that earlier messages are omitted', async () => {
    const { guest, one } = await aLongConversation(20, 'x'.repeat(30_000));
    const { transcript } = (await api(guest).put(`${one}/closeg`, {})).body;
    expect(transcript.length).to.be.within(450_000, 500_100);
    expect(transcript.startsWith('(Earlier messages are omitted.)\n')).to.equal(true);
    expect(transcript).to.include(FIRST_TEXT);
  });
});
