/** Recognizes the headers that mail programs, in many languages, write above a quoted or forwarded email. */
import { matches } from './marker-lines.ts';

const HEADER_LABELS = {
  from: 'from|von|de|da|van|från|fra|od|lähettäjä|от|差出人|发件人|寄件者|보낸 사람',
  sent: 'sent|date|gesendet|datum|envoyé|inviato|data|enviado|fecha|enviada|verzonden|skickat|sendt|dato|wysłano|lähetetty|отправлено|дата|送信日時|日時|日付|发送时间|寄件日期|보낸 날짜',
  to: 'to|an|à|a|para|aan|till|til|do|vastaanottaja|кому|宛先|收件人|收件者|받는 사람',
  subject: 'subject|betreff|objet|oggetto|asunto|assunto|onderwerp|ämne|emne|temat|aihe|тема|件名|主题|主旨|제목',
};

const labelled = (labels: string): RegExp => new RegExp(`^\\s*\\**(${labels})\\s?\\**\\s?[:：]`, 'iu');
const HEADER_LINES = Object.values(HEADER_LABELS).map(labelled);
const [FROM_LINE, SENT_LINE] = HEADER_LINES as [RegExp, RegExp];
const MAX_HEADER_LINES = 9;
const MIN_HEADERS = 3;

/** Whether the headers of an email begin at a line: the sender, and at least two of date, recipient and subject. */
export const isHeaderBlock = (lines: string[], first: number): boolean => {
  const line = lines[first] ?? '';
  if (!matches(line, FROM_LINE) && !matches(line, SENT_LINE)) return false;
  const block = lines.slice(first, first + MAX_HEADER_LINES);
  const found = HEADER_LINES.filter((header) => block.some((each) => matches(each, header)));
  return found.includes(FROM_LINE) && found.length >= MIN_HEADERS;
};
