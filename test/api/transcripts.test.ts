import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { Message } from '#shared/models/message.ts';
import { anApi, api, call, type Reply } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aConversation } from '../support/conversations.ts';

/** A conversation with something of everything in it, and short ways to read its transcripts by their signed links. */
const aTranscript = async (first: object = { text: '/start' }) => {
  const world = await aConversation(first);
  const { owner, guest, post, one, request_id } = world;
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
  return { ...world, links: body, read };
};

const set = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value);
const FORMATS = ['', '.html', '.csv', '.txt', '.pdf'];

describe('The transcript of a conversation', () => {
  it('is read without credentials by its links, never with what is said between teammates, nor with an e-mail', async () => {
    const { read, links, owner } = await aTranscript();
    expect(Date.parse(links.expiresAt)).to.be.greaterThan(Date.now());
    expect(Object.keys(links.links)).to.include.members(['messages', ...FORMATS.slice(1).map((of) => `messages${of}`)]);
    for (const format of FORMATS) {
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

  it('is a page in which nothing runs, whatever was said', async () => {
    const { text, headers } = await (await aTranscript()).read('messages.html');
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    );
    expect(headers).not.to.have.property('content-disposition');
    expect(text).to.include('Where is &lt;b&gt;my&lt;/b&gt; order &amp; &quot;bag&quot;?').and.not.include('<b>');
    expect(text).not.to.include('/start').and.not.include('>Bot<');
  });

  it('is a table that can not run in a spreadsheet, under the name of the conversation', async () => {
    const { read, request_id } = await aTranscript();
    const { text, headers } = await read('messages.csv');
    expect(headers['content-disposition']).to.equal(`attachment; filename="${request_id}.csv"`);
    const rows = parse<Record<string, string>>(text, { columns: true, delimiter: ';' });
    expect(Object.keys(rows[0] ?? {})).to.deep.equal(['createdAt', 'senderFullname', 'text']);
    expect(rows.map((row) => row.text)).to.deep.equal(['Where is <b>my</b> order & "bag"?', "'=1+1"]);
  });

  it('is a text with everything in it that the visitor was shown', async () => {
    const { text, headers } = await (await aTranscript()).read('messages.txt');
    expect(headers).to.include({ 'content-disposition': 'attachment; filename="transcript.txt"' });
    expect(text)
      .to.match(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] [^:]+: \/start\n/)
      .and.include('] Bot: ');
  });

  it('is a PDF with the letters of other alphabets', async () => {
    const { read, request_id } = await aTranscript({ text: 'Привет, ışığı مرحبا بكم 123 שלום' });
    const { headers } = await read('messages.pdf');
    expect(headers).to.include({ 'content-type': 'application/pdf' });
    expect(headers['content-disposition']).to.equal(`attachment; filename="${request_id}.pdf"`);
  });

  it('tells the time by the clock that is asked for', async () => {
    const { read, request_id, project } = await aTranscript();
    const createdAt = new Date('2026-07-01T22:30:00Z');
    await Message.updateMany(
      { id_project: project.id, recipient: request_id },
      { createdAt },
      { overwriteImmutable: true },
    );
    const times = async (...by: [string, string][]) => {
      const { text } = await read('messages.txt', (url) => by.forEach(([name, zone]) => set(name, zone)(url)));
      return text.slice(1, 20);
    };
    expect(await times()).to.equal('2026-07-01 22:30:00');
    expect(await times(['tz', 'Europe/Rome'])).to.equal('2026-07-02 00:30:00');
    expect(await times(['timezone', 'America/New_York'])).to.equal('2026-07-01 18:30:00');
    expect((await read('messages.txt', set('tz', 'Mars'))).status).to.equal(422);
  });

  it('of people alone is not there where none of them has said anything', async () => {
    const { read, request_id, project } = await aTranscript();
    for (const format of FORMATS.slice(1)) expect((await read(`messages-user${format}`)).status, format).to.equal(200);
    expect((await read('messages-user.txt')).text).not.to.include('] Bot: ');
    await Message.deleteMany({ id_project: project.id, recipient: request_id, sender: { $ne: 'system' } });
    for (const format of FORMATS.slice(1)) expect((await read(`messages-user${format}`)).status, format).to.equal(404);
    expect((await read('messages.html')).status).to.equal(200);
  });
});

describe('A signed link to a transcript', () => {
  it('opens nothing once a sign of it is changed, and nothing of another project', async () => {
    const { read, request_id, links } = await aTranscript();
    const other = await aConversation();
    const expires = Number(new URL(links.links.messages).searchParams.get('expires'));
    const forged: ((url: URL) => void)[] = [
      (url) => url.searchParams.delete('signature'),
      set('signature', 'x'),
      set('signature', 'é'.repeat(43)),
      set('expires', String(expires + 1)),
      set('project', other.project.id),
      (url) => {
        url.pathname = url.pathname.replace(request_id, other.request_id);
      },
    ];
    expect((await read('messages.html')).status).to.equal(200);
    for (const [at, change] of forged.entries())
      for (const format of FORMATS) expect((await read(`messages${format}`, change)).status, `${at}`).to.equal(404);
  });

  it('is made for teammates and programs only', async () => {
    const { guest, one } = await aConversation();
    expect((await api(guest).get(`${one}/transcript-link`)).status).to.equal(403);
    expect((await api().get(`${one}/transcript-link`)).status).to.equal(401);
  });
});

describe('Transcripts by setting', () => {
  type Process = Awaited<ReturnType<typeof anApiProcess>>;
  let open: Process;
  let off: Process;

  before(async () => {
    [open, off] = await Promise.all([
      anApiProcess({ WIRE_PROFILE: 'deployed-clients', TRANSCRIPT_LINK_TTL: '0.001' }),
      anApiProcess({ PUBLIC_TRANSCRIPTS: 'off' }),
    ]);
  });
  after(() => Promise.all([open.stop(), off.stop()]));

  const as = ({ authorization }: { authorization: string }) => ({ headers: { authorization } });

  it('are open to whoever knows the conversation, unless another project has one of that name', async () => {
    const [{ request_id, project }, other] = await Promise.all([aConversation({ text: 'Hello' }), aConversation()]);
    const path = `/v3/public/requests/${request_id}/messages.txt`;
    expect((await call('GET', open.url + path)).text).to.include(': Hello');
    expect((await call('GET', (await anApi()) + path)).status).to.equal(404);
    const again = { first_text: 'Mine', request_id, sender: other.guest.id };
    expect((await api(other.owner).post(other.root, again)).status).to.equal(200);
    expect((await call('GET', open.url + path)).status).to.equal(404);
    expect(project.id).not.to.equal(other.project.id);
  });

  it('are read by a link for a while, and by none afterwards (403)', async () => {
    const { owner, one } = await aConversation();
    const { body } = await call('GET', `${open.url}${one}/transcript-link`, as(owner));
    const { pathname, search } = new URL(body.links['messages.html']);
    const { status, body: refused } = await call('GET', (await anApi()) + pathname + search);
    expect({ status, code: refused.code }).to.deep.equal({ status: 403, code: 'EXPIRED' });
  });

  it('are nowhere where they are off, and neither are links', async () => {
    const { owner, one, request_id } = await aConversation();
    const { body } = await api(owner).get(`${one}/transcript-link`);
    const { search } = new URL(body.links.messages);
    for (const query of ['', search])
      expect((await call('GET', `${off.url}/v3/public/requests/${request_id}/messages${query}`)).status).to.equal(404);
    expect((await call('GET', `${off.url}${one}/transcript-link`, as(owner))).status).to.equal(404);
  });
});
