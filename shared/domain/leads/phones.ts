/** Telephone numbers as they are kept (contract b 5.1). */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The international form where the country is told, the digits otherwise; a text without any stays as it is. */
export const phoneOf = (text: string): string =>
  parsePhoneNumberFromString(text)?.number ?? (text.replace(/\D/g, '') || text);
