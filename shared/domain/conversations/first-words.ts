/** First words of a message without any. */
const WORDLESS: Record<string, string> = { image: 'Image', frame: 'Frame' };

/** What a conversation is about when it begins with this message; nothing where a text is empty. */
export const firstWords = ({ text, type = 'text' }: { text?: string | null; type?: string }): string | undefined =>
  text || WORDLESS[type] || (type === 'text' ? undefined : type);
