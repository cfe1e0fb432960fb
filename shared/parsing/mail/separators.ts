/** Recognizes lines such as `-- Original Message --`, which mail programs write above a quoted or forwarded email. */
import { matches } from './marker-lines.ts';

const ORIGINAL_MESSAGE =
  /^\s*-{2,}\s*(original message|original appointment|ursprüngliche nachricht|originalnachricht|message d['’]origine|message original|messaggio originale|mensaje original|mensagem original|oorspronkelijke? bericht|oprindelig meddelelse|original besked|ursprungligt meddelande|originalmeddelande|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|исходное сообщение|original-nachricht|元のメッセージ|原始邮件|原始郵件)\s*-{2,}\s*$/i;

/** Whether a line separates a reply from the email below it, in a form that Outlook or phones use. */
export const isOriginalMessageLine = (line: string): boolean => matches(line, ORIGINAL_MESSAGE);

const FORWARDED_MESSAGE =
  /^\s*-{2,}\s*(forwarded message|forwarded by .{1,80}|weitergeleitete nachricht|message transféré|message transmis|messaggio inoltrato|mensaje reenviado|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat meddelande|videresendt meddelelse|videresendt melding|wiadomość przekazana dalej|пересылаемое сообщение|転送メッセージ|转发的邮件|轉寄的郵件)\s*-{2,}\s*$/i;
const FORWARDED_HEADING =
  /^\s*(begin forwarded message|anfang der weitergeleiteten (nachricht|e-mail)|début du message (réexpédié|transféré)|inizio messaggio inoltrato|inicio del mensaje reenviado|início da mensagem encaminhada|begin doorgestuurd bericht|vidarebefordrat brev)\s?:\s*$/i;

/** Whether a line begins a forwarded email. */
export const isForwardLine = (line: string): boolean =>
  matches(line, FORWARDED_MESSAGE) || matches(line, FORWARDED_HEADING);

/** Whether a line is blank, or a rule of underscores, asterisks, equals signs or dashes. */
export const isRuleOrBlank = (line: string): boolean => matches(line.trim(), /^([_*=-]{3,})?$/);
