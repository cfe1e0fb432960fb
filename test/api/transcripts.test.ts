import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { config } from '#shared/config.ts';
import { Message } from '#shared/models/message.ts';
import { anApi, api, call, type Reply } from '../support/api.ts';
import { type ApiProcess, theDeployedClientsApi, theLimitedApi } from '../support/api-process.ts';
import { aBot } from '../support/bots.ts';
import { aConversation } from '../support/conversations.ts';

/** A closed conversation with every kind of message. `read` reads its transcripts through their signed links. */
const aTranscript = async (first: object = { text: '/start' }) => {
  const fixture = await aConversation(first);
  const { owner, guest, post, one, request_id } = fixture;
  await post(guest, { text: 'Where is <b>my</b> order & "bag"?' });
  await post(owner, { text: 'Let us lie to them', attributes: { subtype: 'private' } });
  await post(owner, { text: '=1+1', attributes: { userEmail: 'secret@example.com' } });
  await api(owner).put(`${one}/close`, {});
  const { body } = await api(owner).get(`${one}/transcript-link`);
  const link = (name: string): URL => {
    const url = new URL(body.links.messages);
    url.pathname = `/v3/public/requests/${request_id}/${name}`;
    return url;
  };
  const read = async (name: string, change: (url: URL) => void = () => undefined): Promise<Reply> => {
    const { pathname, searchParams } = link(name);
    const url = new URL(pathname, await anApi());
    url.search = String(searchParams);
    change(url);
    return call('GET', url.href);
  };
  return { ...fixture, links: body, read };
};

const withParameter = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value);
const TRANSCRIPT_FORMATS = ['', '.html', '.csv', '.txt', '.pdf'];

describe('Transcripts', () => {
  it('a transcript contains no message with a command, such as \\agent, with which a bot hands the conversation over to an agent', async () => {
    const { read, post, project } = await aTranscript();
    const bot = await aBot(project.id);
    await post(bot, { text: 'One moment \\agent' });
    await post(bot, { text: 'A colleague will answer' });
    for (const format of TRANSCRIPT_FORMATS.filter((each) => each !== '.pdf')) {
      const { text } = await read(`messages${format}`);
      expect(text, format).to.not.include('One moment');
      expect(text, format).to.include('A colleague will answer');
    }
  });

  it('a transcript is read through its signed links without credentials, and contains no private message and no email address', async () => {
    const { read, links, owner } = await aTranscript();
    expect(Date.parse(links.expiresAt)).to.be.greaterThan(Date.now());
    expect(Object.keys(links.links)).to.include.members([
      'messages',
      ...TRANSCRIPT_FORMATS.slice(1).map((of) => `messages${of}`),
    ]);
    for (const format of TRANSCRIPT_FORMATS) {
      const { status, text } = await read(`messages${format}`);
      expect(status, format).to.equal(200);
      expect(text, format).not.to.include('Let us lie').and.not.include('secret@').and.not.include('@example.com');
    }
    const { body } = await read('messages');
    const own = body.filter(({ sender }: { sender: string }) => sender !== 'system');
    expect(own.map(({ text }: { text: string }) => text)).to.deep.equal([
      '/start',
      'Where is <b>my</b> order & "bag"?',
      '=1+1',
    ]);
    expect(own.at(-1)).to.include({ sender: owner.id }).and.not.have.property('attributes');
  });

  it('the HTML transcript escapes messages and forbids scripts', async () => {
    const { text, headers } = await (await aTranscript()).read('messages.html');
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    const [, styles = ''] = /<style>([^]*)<\/style>/.exec(text) ?? [];
    const hash = createHash('sha256').update(styles).digest('base64');
    expect(headers['content-security-policy']).to.equal(
      `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; sandbox`,
    );
    expect(headers).not.to.have.property('content-disposition');
    expect(text).to.include('Where is &lt;b&gt;my&lt;/b&gt; order &amp; &quot;bag&quot;?').and.not.include('<b>');
    expect(text).not.to.include('/start').and.not.include('>Bot<');
  });

  it("the CSV transcript escapes spreadsheet formulas and has the conversation's id as its file name", async () => {
    const { read, request_id } = await aTranscript();
    const { text, headers } = await read('messages.csv');
    expect(headers['content-disposition']).to.equal(`attachment; filename="${request_id}.csv"`);
    const rows = parse<Record<string, string>>(text, { columns: true, delimiter: ';' });
    expect(Object.keys(rows[0] ?? {})).to.deep.equal(['createdAt', 'senderFullname', 'text']);
    expect(rows.map((row) => row.text)).to.deep.equal(['Where is <b>my</b> order & "bag"?', "'=1+1"]);
  });

  it('the text transcript contains every message that the visitor saw', async () => {
    const { text, headers } = await (await aTranscript()).read('messages.txt');
    expect(headers).to.include({ 'content-disposition': 'attachment; filename="transcript.txt"' });
    expect(text)
      .to.match(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] [^:]+: \/start\n/)
      .and.include('] Bot: ');
  });

  it('the PDF transcript has its content type and file name', async () => {
    const { read, request_id } = await aTranscript({ text: 'Привет, ışığı مرحبا بكم 123 שלום' });
    const { headers } = await read('messages.pdf');
    expect(headers).to.include({ 'content-type': 'application/pdf' });
    expect(headers['content-disposition']).to.equal(`attachment; filename="${request_id}.pdf"`);
  });

  it('a transcript shows times in the requested time zone', async () => {
    const { read, request_id, project } = await aTranscript();
    const createdAt = new Date('2026-07-01T22:30:00Z');
    await Message.updateMany(
      { id_project: project.id, recipient: request_id },
      { createdAt },
      { overwriteImmutable: true },
    );
    const times = async (...timeZones: [string, string][]) => {
      const { text } = await read('messages.txt', (url) =>
        timeZones.forEach(([name, zone]) => withParameter(name, zone)(url)),
      );
      return text.slice(1, 20);
    };
    expect(await times()).to.equal('2026-07-01 22:30:00');
    expect(await times(['tz', 'Europe/Rome'])).to.equal('2026-07-02 00:30:00');
    expect(await times(['timezone', 'America/New_York'])).to.equal('2026-07-01 18:30:00');
    expect((await read('messages.txt', withParameter('tz', 'Mars'))).status).to.equal(422);
  });

  it('the transcript without bots returns 404 when no person has written a message', async () => {
    const { read, request_id, project } = await aTranscript();
    for (const format of TRANSCRIPT_FORMATS.slice(1))
      expect((await read(`messages-user${format}`)).status, format).to.equal(200);
    expect((await read('messages-user.txt')).text).not.to.include('] Bot: ');
    await Message.deleteMany({ id_project: project.id, recipient: request_id, sender: { $ne: 'system' } });
    for (const format of TRANSCRIPT_FORMATS.slice(1)) {
      const { status, body } = await read(`messages-user${format}`);
      expect(status, format).to.equal(404);
      expect(body.error, format).to.include('leaves out system messages');
    }
    expect((await read('messages.html')).status).to.equal(200);
  });
});

describe('Transcript links', () => {
  it('a changed transcript link returns 404, as does a link used for another project', async () => {
    const { read, request_id, links } = await aTranscript();
    const other = await aConversation();
    const expires = Number(new URL(links.links.messages).searchParams.get('expires'));
    const forged: ((url: URL) => void)[] = [
      (url) => url.searchParams.delete('signature'),
      withParameter('signature', 'x'),
      withParameter('signature', 'é'.repeat(43)),
      withParameter('expires', String(expires + 1)),
      withParameter('project', other.project.id),
      (url) => {
        url.pathname = url.pathname.replace(request_id, other.request_id);
      },
    ];
    expect((await read('messages.html')).status).to.equal(200);
    for (const [index, change] of forged.entries())
      for (const format of TRANSCRIPT_FORMATS)
        expect((await read(`messages${format}`, change)).status, `${index}`).to.equal(404);
  });

  it('a transcript link is created for teammates and bots only', async () => {
    const { guest, one } = await aConversation();
    expect((await api(guest).get(`${one}/transcript-link`)).status).to.equal(403);
    expect((await api().get(`${one}/transcript-link`)).status).to.equal(401);
  });
});

describe('Transcript settings', () => {
  let open: ApiProcess;
  let off: ApiProcess;
  const { TRANSCRIPT_LINK_TTL_SECONDS } = config;

  before(async () => {
    [open, off] = await Promise.all([theDeployedClientsApi(), theLimitedApi()]);
  });
  afterEach(() => {
    config.TRANSCRIPT_LINK_TTL_SECONDS = TRANSCRIPT_LINK_TTL_SECONDS;
  });

  const as = ({ authorization }: { authorization: string }) => ({ headers: { authorization } });

  it('with WIRE_PROFILE=deployed-clients, a transcript needs no signature unless two projects use the same request_id', async () => {
    const [{ request_id }, other] = await Promise.all([aConversation({ text: 'Hello' }), aConversation()]);
    const path = `/v3/public/requests/${request_id}/messages.txt`;
    expect((await call('GET', open.url + path)).text).to.include(': Hello');
    expect((await call('GET', (await anApi()) + path)).status).to.equal(404);
    const again = { first_text: 'Mine', request_id, sender: other.guest.id };
    expect((await api(other.owner).post(other.root, again)).status).to.equal(200);
    expect((await call('GET', open.url + path)).status).to.equal(404);
  });

  it('an expired transcript link is rejected (403)', async () => {
    const { owner, one } = await aConversation();
    config.TRANSCRIPT_LINK_TTL_SECONDS = 0.001;
    const { body } = await api(owner).get(`${one}/transcript-link`);
    const { pathname, search } = new URL(body.links['messages.html']);
    const { status, body: refused } = await api().get(pathname + search);
    expect({ status, code: refused.code }).to.deep.equal({ status: 403, code: 'LINK_EXPIRED' });
  });

  it('PUBLIC_TRANSCRIPTS=off disables transcripts and their links', async () => {
    const { owner, one, request_id } = await aConversation();
    const { body } = await api(owner).get(`${one}/transcript-link`);
    const { search } = new URL(body.links.messages);
    for (const query of ['', search])
      expect((await call('GET', `${off.url}/v3/public/requests/${request_id}/messages${query}`)).status).to.equal(404);
    expect((await call('GET', `${off.url}${one}/transcript-link`, as(owner))).status).to.equal(404);
  });
});
