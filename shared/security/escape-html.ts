const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for the content of HTML elements and for attributes in double quotes. */
export const escapeHtml = (text: unknown): string => String(text).replace(/[&<>"]/g, (sign) => ESCAPES[sign] as string);
