/** Recognizes replies and forwarded emails by the prefixes of their subjects, in many languages. */

/** Prefixes of the subject of a reply. */
const REPLY_PREFIX =
  /^\s*(re|aw|antw|antwort|sv|r|rif|réf|rép|res|odp|vs|ynt|vá|ответ|回复|回覆|返信|답장)(\[\d+\])?\s?[:：]/iu;
/** Prefixes of the subject of a forwarded email. */
const FORWARD_PREFIX =
  /^\s*(fwd?|wg|wtr|tr|rv|i|enc|doorst|fw|vb|vidarebefordrat|vl|pd|ilt|továbbítás|пересл|转发|轉寄|転送)(\[\d+\])?\s?[:：]/iu;

/** Whether a subject has a reply prefix. */
export const isReplySubject = (subject: string): boolean => REPLY_PREFIX.test(subject);
/** Whether a subject has a forward prefix. */
export const isForwardSubject = (subject: string): boolean => FORWARD_PREFIX.test(subject);
