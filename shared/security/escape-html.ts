const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a string for the content of HTML elements and for attributes in quotes. */
export const escapeHtml = (text: unknown): string =>
  String(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign] as string);

/** Escapes a string for the content of HTML elements, and keeps its line breaks. */
export const escapeLines = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>\n');
