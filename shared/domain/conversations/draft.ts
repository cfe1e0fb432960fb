/** Draft mode, in which a conversation tests a bot that has not been published. */

/** Whether the URL of the page that opened a conversation puts the conversation in draft mode. */
export const isDraftPage = (sourcePage: unknown): boolean => String(sourcePage ?? '').includes('td_draft=true');
