/** Reading conversations of any length: pages of at most a thousand messages, sent as they are read. */
import { expect } from 'chai';
import { anApi, api, type Caller, call } from '../support/api.ts';
import { commandsDuring } from '../support/commands.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/stage.ts';

const JANUARY = Date.parse('2026-01-01T00:00:00Z');
const old = (at: number, text = `${at}`) => ({ text, attributes: { clienttimestamp: JANUARY + at } });
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);
const FIRST = 'Where is my order?';

/** A conversation with so many messages before its first one. */
const aLongOne = async (count: number, text?: string) => {
  const world = await aConversation();
  await api(world.agent).post(
    `${world.one}/messages/multi`,
    times(count, (at) => old(at, text)),
  );
  const page = (query = '', by: Caller = world.owner) => api(by).get(`${world.one}/messages${query}`);
  return { ...world, page };
};

/** The transcripts of a conversation by its signed link. */
const linkOf = async ({ owner, one }: { owner: Caller; one: string }, name: string, more: object = {}) => {
  const { body } = await api(owner).get(`${one}/transcript-link`);
  const link = new URL(body.links.messages);
  const url = new URL(`${link.pathname}${name}`, await anApi());
  url.search = String(new URLSearchParams([...link.searchParams, ...Object.entries(more)]));
  return call('GET', url.href);
};

describe('The messages of a conversation', () => {
  it('are read a thousand at a time, the newest first and each page in order, and X-Next-Cursor leads to the rest', async () => {
    const world = await aLongOne(1100);
    const { page, guest } = world;
    for (const by of [world.owner, guest]) {
      const newest = await page('', by);
      expect(newest.status).to.equal(200);
      expect(textsOf(newest.body)).to.deep.equal([...times(999, (at) => `${at + 101}`), FIRST]);
      const next = newest.headers['x-next-cursor'];
      const rest = await page(`?cursor=${String(next)}`, by);
      expect(textsOf(rest.body)).to.deep.equal(times(101, (at) => `${at}`));
      expect(rest.headers).to.not.have.property('x-next-cursor');
    }
    const linked = await linkOf(world, '');
    expect(linked.body).to.have.length(1000);
    const { body } = await linkOf(world, '', { cursor: linked.headers['x-next-cursor'], limit: '60' });
    expect(textsOf(body)).to.deep.equal(times(60, (at) => `${at + 41}`));
    const txt = (await linkOf(world, '.txt')).text;
    expect(txt).to.include('Earlier messages are left out.').and.include(': 101\n').and.not.include(': 100\n');
  });

  it('are walked by pages of any size, each message once, those of one moment too', async () => {
    const { owner, agent, one } = await aConversation();
    await api(agent).post(
      `${one}/messages/multi`,
      times(99, (at) => ({ text: `${at}`, attributes: { clienttimestamp: JANUARY + Math.floor(at / 30) } })),
    );
    for (const limit of [7, 45]) {
      const walked: string[] = [];
      for (let next: string | undefined = ''; next !== undefined; ) {
        const { body, headers } = await api(owner).get(
          `${one}/messages?limit=${limit}${next ? `&cursor=${next}` : ''}`,
        );
        expect(body.length).to.be.at.most(limit);
        walked.unshift(...textsOf(body));
        next = headers['x-next-cursor'] as string | undefined;
      }
      expect(walked).to.deep.equal([...times(99, (at) => `${at}`), FIRST]);
    }
    for (const query of ['limit=0', 'limit=1001', 'cursor=x'])
      expect((await api(owner).get(`${one}/messages?${query}`)).status, query).to.equal(422);
  });

  it('are sent as they are read where they are many or large, twenty at a time; short ones cost one query and have an ETag', async () => {
    const long = await aLongOne(130);
    const large = await aLongOne(30, 'x'.repeat(30_000));
    for (const { page } of [long, large]) {
      let reply = await page();
      const commands = (await commandsDuring(async () => {
        reply = await page();
      })) as { batchSize?: number; getMore?: unknown; limit?: number }[];
      const read = commands.filter((command) => 'getMore' in command);
      expect(read.length).to.be.at.least(1);
      for (const { batchSize } of read) expect(batchSize).to.equal(20);
      expect(reply.headers).to.not.have.any.keys('etag', 'content-length');
      expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8');
    }
    const short = await aConversation();
    const path = `${short.one}/messages`;
    const { headers } = await api(short.owner).get(path);
    const held = await api(short.owner).get(path, { 'if-none-match': String(headers.etag) });
    expect(held.status).to.equal(304);
    const finds = (await commandsDuring(() => api(short.owner).get(path))) as { find?: string }[];
    expect(finds.filter(({ find }) => find === 'messages')).to.have.length(1);
  });
});

describe('The transcript of a closed conversation', () => {
  it('is answered by the call that closes it, and by no later closeg', async () => {
    const { guest, one } = await aConversation();
    expect((await api(guest).put(`${one}/closeg`, {})).body.transcript).to.include(FIRST);
    const again = await api(guest).put(`${one}/closeg`, {});
    expect(again.body).to.include({ status: 1000 }).and.not.have.property('transcript');
  });

  it('has at most 500,000 characters and says that earlier messages are left out', async () => {
    const { guest, one } = await aLongOne(20, 'x'.repeat(30_000));
    const { transcript } = (await api(guest).put(`${one}/closeg`, {})).body;
    expect(transcript.length).to.be.within(450_000, 500_100);
    expect(transcript.startsWith('(Earlier messages are left out.)\n')).to.equal(true);
    expect(transcript).to.include(FIRST);
  });
});
