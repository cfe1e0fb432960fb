/** Attachments of received emails. */
import { expect } from 'chai';
import { request } from 'undici';
import { Message } from '#shared/models/message.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { anApi } from '../support/api.ts';
import { receive } from '../support/inbound.ts';
import { filePart, mailSource, multipart, textFile, textPart } from '../support/mail-formats/mime.ts';
import { headersOf } from '../support/mail-formats/special-mails.ts';
import { aProject } from '../support/people.ts';
import { anImage } from '../support/uploads.ts';

type Part = ReturnType<typeof textPart>;

describe('Attachments of received emails', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let picture: Buffer;
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');

  before(async () => {
    fixture = await aProject();
    picture = await anImage('png', { width: 20, height: 10 });
  });

  let mails = 0;
  const receiveParts = async (body: Part, isReply = false) => {
    mails += 1;
    const source = mailSource({ ...headersOf(`attachments ${mails}`, isReply) }, body);
    const reply = await receive(fixture, source);
    expect(reply.status, reply.text).to.equal(200);
    const message = await Message.findOne({ _id: reply.body.message_id, id_project: fixture.project.id })
      .orFail()
      .lean();
    const { attachments } = (message.metadata as { mail: { attachments: Record<string, string>[] } }).mail;
    return { text: message.text as string, attachments };
  };
  const names = (attachments: Record<string, string>[]) => attachments.map(({ name }) => name);
  const urlsIn = (text: string): string[] => text.match(/http\S+/g) ?? [];

  it('attachments are stored as chat files, and linked and listed in the message', async () => {
    const { text, attachments } = await receiveParts(
      multipart(
        'mixed',
        textPart('plain', 'See the bill.'),
        filePart({ name: 'bill.pdf', type: 'application/pdf', bytes: pdf }),
      ),
    );
    expect(text).to.match(/^See the bill\.\n\nAttachments:\n- bill\.pdf: http\S+$/);
    expect(attachments).to.have.lengthOf(1);
    expect(attachments[0]).to.include({ name: 'bill.pdf', type: 'application/pdf', size: pdf.length });
    const { pathname, search } = new URL(urlsIn(text)[0] as string);
    const { statusCode, body } = await request((await anApi()) + pathname + search);
    expect({ statusCode, bytes: await body.text() }).to.deep.equal({ statusCode: 200, bytes: String(pdf) });
    const file = await StoredFile.findOne({ id_project: fixture.project.id, name: 'bill.pdf' }).orFail().lean();
    expect(file).to.include({ kind: 'chat' });
  });

  it('inline pictures are stored, except, in a reply, those that only the quoted email contains', async () => {
    const html =
      '<p>Look: <img src="cid:new@x"></p><div class="gmail_quote">On 5 Jan 2026 at 10:12 Shop &lt;s@x.org&gt; wrote:' +
      '<blockquote><img src="cid:old@x">Hello</blockquote></div>';
    const related = multipart(
      'related',
      multipart('alternative', textPart('plain', 'Look:'), textPart('html', html)),
      filePart({ name: 'new.png', type: 'image/png', bytes: picture, cid: 'new@x' }),
      filePart({ name: 'old.png', type: 'image/png', bytes: picture, cid: 'old@x' }),
    );
    expect(names((await receiveParts(related, true)).attachments)).to.deep.equal(['new.png']);
    expect(names((await receiveParts(related)).attachments)).to.deep.equal(['new.png', 'old.png']);
  });

  it('attachments that the rules for chat files refuse are named in the message with the reason, cryptographic signatures are ignored, and other attachments are stored', async () => {
    const { text, attachments } = await receiveParts(
      multipart(
        'mixed',
        textPart('plain', 'Files'),
        filePart({ name: 'run.exe', type: 'application/octet-stream', bytes: Buffer.from('MZ') }),
        filePart({ name: 'false.png', type: 'image/png', bytes: Buffer.from('<html>') }),
        textFile('../up.txt'),
        filePart({ name: 'good.png', type: 'image/png', bytes: picture }),
        filePart({ name: 'smime.p7s', type: 'application/pkcs7-signature', bytes: Buffer.from('x') }),
      ),
    );
    const lines = text.split('\n').slice(3);
    expect(lines.slice(0, 3)).to.deep.equal([
      '- run.exe was not stored: File extension .exe is not allowed',
      '- false.png was not stored: File content does not match mimetype. Detected: unknown, provided: image/png',
      '- ../up.txt was not stored: The file name must not be empty, be a path or contain control characters',
    ]);
    expect(lines[3]).to.match(/^- good\.png: http/);
    expect(lines).to.have.lengthOf(4);
    expect(attachments.map(({ path }) => path !== undefined)).to.deep.equal([false, false, false, true]);
  });

  it('attachments beyond the twentieth are counted and not stored', async () => {
    const files = Array.from({ length: 23 }, (_, n) => textFile(`${n}.txt`));
    const { text, attachments } = await receiveParts(multipart('mixed', textPart('plain', 'Many'), ...files));
    expect(attachments).to.have.lengthOf(20);
    expect(text).to.match(/\n- Not stored: 3 more, because an email may have at most 20 attachments$/);
  });

  it('attachments of an email with a long text are listed below the text, which is truncated', async () => {
    const { text } = await receiveParts(
      multipart('mixed', textPart('plain', 'long '.repeat(10_000)), textFile('a.txt')),
    );
    expect(text.length).to.be.at.most(32_000);
    expect(text).to.match(/\[The text of the email was cut here\.\]\n\nAttachments:\n- a\.txt: http\S+$/);
  });

  it('attachments of an automatic email are not stored', async () => {
    const before = await StoredFile.countDocuments({ id_project: fixture.project.id });
    const body = multipart('mixed', textPart('plain', 'Away'), textFile('a.txt'));
    const source = mailSource({ ...headersOf('automatic', false), Precedence: 'bulk' }, body);
    expect((await receive(fixture, source)).body.result).to.equal('ignored');
    expect(await StoredFile.countDocuments({ id_project: fixture.project.id })).to.equal(before);
  });
});
