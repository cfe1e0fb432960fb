/** Finds signatures: text that mail programs add to the end of an email. */

const DELIMITER = /^--\s*$/;
const MAX_LINES = 15;
/** A longer line is never an advertisement (see ADVERTISEMENT). */
const MAX_LINE_CHARACTERS = 200;

/** Lines that mail programs on phones, and some services, add to every email. */
const ADVERTISEMENT =
  /^\s*(sent (from|with|via) (my |the )?.{2,60}|(get|télécharger|scarica|obtener|obter|download|hämta) outlook (for|pour|per|para|voor|för) .{2,60}|von meinem .{2,40} gesendet|gesendet (von|mit|über) .{2,60}|outlook für .{2,60} (herunterladen|beziehen)|envoyé de(puis)? mon .{2,40}|envoyé (depuis|à partir) d.{2,60}|inviato da(l mio)? .{2,40}|enviado (desde|do|de) mi?e?u? ?.{2,40}|verzonden vanaf mijn .{2,40}|verstuurd vanaf mijn .{2,40}|skickat från min .{2,40}|sendt fra min .{2,40}|wysłane z .{2,40}|отправлено с .{2,40}|iPhoneから送信|发自我的.{2,30})\s*$/i;

const withoutBlankEnd = (lines: string[]): string[] => {
  const end = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, end + 1);
};

const signatureStart = (lines: string[]): number => {
  const delimiter = lines.findLastIndex((line) => DELIMITER.test(line));
  if (delimiter >= 0 && lines.length - delimiter <= MAX_LINES) return delimiter;
  const last = lines.at(-1) ?? '';
  return last.length <= MAX_LINE_CHARACTERS && ADVERTISEMENT.test(last) ? lines.length - 1 : lines.length;
};

/** Whether lines consist only of a signature. */
export const isSignature = (lines: string[]): boolean => {
  const own = withoutBlankEnd(lines);
  return own.slice(0, signatureStart(own)).every((line) => /^([_-]{3,})?$/.test(line.trim()));
};

/** Removes the signature from the end of a string. Text that consists only of a signature is left unchanged. */
export const cutSignature = (text: string): string => {
  const lines = withoutBlankEnd(text.split('\n'));
  const kept = withoutBlankEnd(lines.slice(0, signatureStart(lines)));
  return kept.length ? kept.join('\n') : text;
};
