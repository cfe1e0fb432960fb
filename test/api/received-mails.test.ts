/** Emails in the formats of many mail programs: their texts, and the conversations that they open or continue. */
import { expect } from 'chai';
import { recordMail } from '#shared/domain/mails/mail-threads.ts';
import { Message } from '#shared/models/message.ts';
import { api } from '../support/api.ts';
import { receive } from '../support/inbound.ts';
import { type Language, MAILERS, type Mailer } from '../support/mail-formats/mailers.ts';
import { LANGUAGES } from '../support/mail-formats/languages.ts';
import { mailSource } from '../support/mail-formats/mime.ts';
import { ANSWERED_ID, headersOf, type MailCase, SPECIAL_MAILS } from '../support/mail-formats/special-mails.ts';
import { aProject } from '../support/people.ts';

const TEXTS: Record<Language, string> = {
  en: 'Order 17, please.\n\nThanks',
  de: 'Die Bestellung 17, für Österreich.\n\nGrüße',
  fr: "C'est la commande 17.\n\nÀ bientôt",
  it: "È l'ordine 17.\n\nGrazie",
  es: '¿El pedido 17?\n\nGracias',
};

/** A reply in the format of a mail program. */
const replyOf = (mailer: Mailer, language: Language): MailCase => {
  const title = `${mailer} (${language})`;
  const text = TEXTS[language];
  const source = mailSource(headersOf(title, true), MAILERS[mailer]({ text, language }));
  return { title, source, text, isReply: true };
};

const REPLIES = (Object.keys(MAILERS) as Mailer[]).flatMap((mailer) =>
  (Object.keys(LANGUAGES) as Language[]).map((language) => replyOf(mailer, language)),
);

describe('Received emails', () => {
  const request_id = 'answered';
  let fixture: Awaited<ReturnType<typeof aProject>>;

  before(async () => {
    fixture = await aProject();
    const id_project = fixture.project.id;
    const path = `/v3/${id_project}/requests/${request_id}/messages`;
    await api(fixture.guest).post(path, { text: 'Where is my order?', email: 'vera@example.org' });
    await recordMail({
      id_project,
      request_id,
      messageIdHeader: ANSWERED_ID,
      direction: 'out',
      address: 'vera@example.org',
    });
  });

  for (const { title, source, text, isReply } of [...REPLIES, ...SPECIAL_MAILS])
    it(`the email "${title}" ${isReply ? 'continues the conversation' : 'opens a conversation'} with the text that the author of the email wrote`, async () => {
      const { body, text: answer } = await receive(fixture, source);
      const message = await Message.findOne({ _id: body.message_id, id_project: fixture.project.id }).lean();
      const conversation = body.request_id === request_id ? request_id : 'new';
      expect({ result: body.result, conversation, text: message?.text }, answer).to.deep.equal({
        result: isReply ? 'message' : 'conversation',
        conversation: isReply ? request_id : 'new',
        text,
      });
    });

  it('at least 100 emails are tested', () => {
    expect(REPLIES.length + SPECIAL_MAILS.length).to.be.at.least(100);
  });
});
