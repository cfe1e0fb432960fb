/** The mark-up that bots write their replies in: lines that stand for an image, a frame or a button (contract c 6.12). */

/** What a marked-up text says, beside the words that are left of it. */
export interface Reply {
  text: string;
  type?: 'image' | 'frame';
  metadata?: Record<string, unknown>;
  buttons: Record<string, unknown>[];
}

type Part = Partial<Pick<Reply, 'type' | 'metadata'>> & { button?: Record<string, unknown> };

const DEFAULT_SIZE = 200;

const sized = (src: string, width?: string, height?: string) => ({
  src,
  ...(width && { width: Number(width) }),
  ...(height && { height: Number(height) }),
});

/** What the text of a button leads to, by the word or address at its end. */
const buttonOf = (label: string): Record<string, unknown> => {
  const [, value = label, word, action] =
    /^(.*\S)\s+td(Action|ActionShowEcho|Intent|IntentNoEcho):(\S+)$/.exec(label) ?? [];
  if (action) return { type: 'action', value, action, show_echo: word === 'ActionShowEcho' || word === 'Intent' };
  return { type: 'text', value: label };
};

const TARGETS: Record<string, string> = { '*': 'blank', '>': 'self', '<': 'parent' };

const linkOf = (sign: string, value: string, link: string) => ({ type: 'url', value, link, target: TARGETS[sign] });

/** An address of the web; a line with any other stays a text. */
const ADDRESS = 'https?:\\/\\/\\S+';
const SIZE = '(?:,\\s*[wW]?(\\d{1,5})\\s+[hH]?(\\d{1,5}))?';

/** Each kind of line and what it stands for; the first that fits counts. */
const LINES: [line: RegExp, read: (...found: string[]) => Part][] = [
  [
    new RegExp(`^tdImage${SIZE}:\\s*(${ADDRESS})$`),
    (w, h, src = '') => ({ type: 'image', metadata: sized(src, w, h) }),
  ],
  [
    /^\\image(?::(\d{1,5})-(\d{1,5}))?:\s*(https?:\/\/\S+)$/,
    (w = `${DEFAULT_SIZE}`, h = `${DEFAULT_SIZE}`, src = '') => ({ type: 'image', metadata: sized(src, w, h) }),
  ],
  [
    new RegExp(`^tdFrame${SIZE}:\\s*(${ADDRESS})$`),
    (w, h, src = '') => ({ type: 'frame', metadata: sized(src, w, h) }),
  ],
  [
    new RegExp(`^tdVideo${SIZE}:\\s*(${ADDRESS})$`),
    (w, h, src = '') => ({ type: 'frame', metadata: { ...sized(src, w, h), type: 'video' } }),
  ],
  [
    /^([*<>])\s*(\S(?:.*\S)?)\s+(https?:\/\/\S+)$/,
    (sign = '', value = '', link = '') => ({ button: linkOf(sign, value, link) }),
  ],
  [/^\*\s*(\S.*)$/, (label = '') => ({ button: buttonOf(label) })],
];

const partOf = (line: string): Part | null => {
  for (const [pattern, read] of LINES) {
    const found = pattern.exec(line);
    if (found) return read(...found.slice(1));
  }
  return null;
};

/** Read a marked-up text; the last image or frame counts. */
export const read = (marked: string): Reply => {
  const words: string[] = [];
  const reply: Reply = { text: '', buttons: [] };
  for (const line of marked.split(/\r?\n/)) {
    const part = partOf(line.trim());
    if (!part) words.push(line);
    else if (part.button) reply.buttons.push(part.button);
    else Object.assign(reply, part);
  }
  return { ...reply, text: words.join('\n').trim() };
};
