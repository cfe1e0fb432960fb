/**
 * How mail programs, in many languages, mark quoted and forwarded mails: the line before a quoted mail, separators, and
 * blocks of headers.
 */

/** A line of a quoted mail in plain text. */
export const isQuotedLine = (line: string): boolean => /^ {0,3}>/.test(line);

/** Longer lines are never markers. The limit also keeps the patterns below fast on hostile texts. */
const MAX_MARKER_CHARACTERS = 400;
const MAX_ATTRIBUTION_LINES = 4;

const matches = (line: string, pattern: RegExp): boolean => line.length <= MAX_MARKER_CHARACTERS && pattern.test(line);

/** The verb of an attribution such as `On 5 January, Ann wrote:`. In some languages it is the end of a word. */
const ATTRIBUTION_VERB =
  /(^|[\s,)>\]])(wrote|writes|schrieb|schreibt|geschrieben|a écrit|ha scritto|escribió|escreveu|schreef|geschreven|skrev|kirjoitti|napsala?|napisała?|pisze|írta|a scris|έγραψε|yazdı|написала?|пишет|писал)(?=[\s:：(,])|(のメール|書きました|写道|寫道|작성)\s*[:：]$/iu;

/** The beginning of an attribution that may continue in the next lines. */
const ATTRIBUTION_START =
  /^((on|am|le|il|el|em|op|den|w dniu|dnia|no dia|il giorno|dne)\s|(пн|вт|ср|чт|пт|сб|вс),|\p{L}{2,4}\.?,? \d{1,2}\b|\d{1,4}[./年-])/iu;

const CLOCK_TIME = /\d{1,2}[:.]\d{2}/;
const BRACKETED_ADDRESS = /[<([][^<>()[\]\s]+@[^<>()[\]\s]+[>)\]]/;

const hasBalancedBrackets = (text: string): boolean =>
  (text.match(/</g)?.length ?? 0) === (text.match(/>/g)?.length ?? 0);

/** Whether a text is the line that introduces a quoted mail. */
const isAttribution = (text: string): boolean =>
  text.length <= MAX_MARKER_CHARACTERS &&
  /[:：]$/.test(text) &&
  hasBalancedBrackets(text) &&
  (ATTRIBUTION_VERB.test(text) ? /[\d@]/.test(text) : CLOCK_TIME.test(text) && BRACKETED_ADDRESS.test(text));

/** The line that introduces a quoted mail; mail programs wrap it, so it may be several lines of the text. */
export interface Attribution {
  first: number;
  last: number;
  /** Whether it names a time and an address, so that unmarked text after it is a quoted mail, too. */
  isSpecific: boolean;
}

const joinLines = (lines: string[], first: number, last: number): string =>
  lines
    .slice(first, last + 1)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the attribution that ends in a line, or null. */
export const attributionEndingAt = (lines: string[], last: number): Attribution | null => {
  if (!matches(lines[last] ?? '', /[:：]\s*$/)) return null;
  const candidates: { first: number; text: string }[] = [];
  for (let first = last; first > last - MAX_ATTRIBUTION_LINES && first >= 0; first -= 1) {
    const line = lines[first] as string;
    const isOver = line.length > MAX_MARKER_CHARACTERS || !line.trim() || (isQuotedLine(line) && first !== last);
    if (isOver) break;
    const text = joinLines(lines, first, last);
    if (isAttribution(text)) candidates.push({ first, text });
  }
  const found = candidates.find(({ text }) => ATTRIBUTION_START.test(text)) ?? candidates[0];
  if (!found) return null;
  const isSpecific = CLOCK_TIME.test(found.text) && BRACKETED_ADDRESS.test(found.text);
  return { first: found.first, last, isSpecific };
};

const ORIGINAL_MESSAGE =
  /^\s*-{2,}\s*(original message|original appointment|ursprüngliche nachricht|originalnachricht|message d['’]origine|message original|messaggio originale|mensaje original|mensagem original|oorspronkelijke? bericht|oprindelig meddelelse|original besked|ursprungligt meddelande|originalmeddelande|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|исходное сообщение|original-nachricht|元のメッセージ|原始邮件|原始郵件)\s*-{2,}\s*$/i;

/** Whether a line separates a reply from the mail below it, as Outlook and phones write it. */
export const isOriginalMessageLine = (line: string): boolean => matches(line, ORIGINAL_MESSAGE);

const FORWARDED_MESSAGE =
  /^\s*-{2,}\s*(forwarded message|forwarded by .{1,80}|weitergeleitete nachricht|message transféré|message transmis|messaggio inoltrato|mensaje reenviado|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat meddelande|videresendt meddelelse|videresendt melding|wiadomość przekazana dalej|пересылаемое сообщение|転送メッセージ|转发的邮件|轉寄的郵件)\s*-{2,}\s*$/i;
const FORWARDED_HEADING =
  /^\s*(begin forwarded message|anfang der weitergeleiteten (nachricht|e-mail)|début du message (réexpédié|transféré)|inizio messaggio inoltrato|inicio del mensaje reenviado|início da mensagem encaminhada|begin doorgestuurd bericht|vidarebefordrat brev)\s?:\s*$/i;

/** Whether a line begins a forwarded mail. */
export const isForwardLine = (line: string): boolean =>
  matches(line, FORWARDED_MESSAGE) || matches(line, FORWARDED_HEADING);

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

/**
 * Whether the headers of a quoted or forwarded mail begin in a line: the sender, and two of date, recipient and subject.
 */
export const isHeaderBlock = (lines: string[], first: number): boolean => {
  const line = lines[first] ?? '';
  if (!matches(line, FROM_LINE) && !matches(line, SENT_LINE)) return false;
  const block = lines.slice(first, first + MAX_HEADER_LINES);
  const found = HEADER_LINES.filter((header) => block.some((each) => matches(each, header)));
  return found.includes(FROM_LINE) && found.length >= MIN_HEADERS;
};

/** Whether a line only separates: underscores, dashes or nothing. */
export const isRuleOrBlank = (line: string): boolean => matches(line.trim(), /^([_*=-]{3,})?$/);

/** Prefixes of the subject of a reply. */
const REPLY_PREFIX =
  /^\s*(re|aw|antw|antwort|sv|r|rif|réf|rép|res|odp|vs|ynt|vá|ответ|回复|回覆|返信|답장)(\[\d+\])?\s?[:：]/iu;
/** Prefixes of the subject of a forwarded mail. */
const FORWARD_PREFIX =
  /^\s*(fwd?|wg|wtr|tr|rv|i|enc|doorst|fw|vb|vidarebefordrat|vl|pd|ilt|továbbítás|пересл|转发|轉寄|転送)(\[\d+\])?\s?[:：]/iu;

export const isReplySubject = (subject: string): boolean => REPLY_PREFIX.test(subject);
export const isForwardSubject = (subject: string): boolean => FORWARD_PREFIX.test(subject);
