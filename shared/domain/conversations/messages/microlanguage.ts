/** Parses the markup of bot replies: a line can describe an image, a frame (an embedded page), a video or a button. */

/** A parsed reply: the text without markup, the image or frame (a video is a frame), and the buttons. */
export interface ParsedReply {
  text: string;
  type?: 'image' | 'frame';
  metadata?: Record<string, unknown>;
  buttons: Record<string, unknown>[];
}

type ParsedLine = Partial<Pick<ParsedReply, 'type' | 'metadata'>> & { button?: Record<string, unknown> };

const DEFAULT_SIZE = 200;

const mediaMetadata = (src: string, width?: string, height?: string) => ({
  src,
  ...(width && { width: Number(width) }),
  ...(height && { height: Number(height) }),
});

/** Parses a button label. A suffix such as `tdAction:name` makes it an action button. */
const buttonOf = (label: string): Record<string, unknown> => {
  const [, value = label, suffix, action] =
    /^(.*\S)\s+td(Action|ActionShowEcho|Intent|IntentNoEcho):(\S+)$/.exec(label) ?? [];
  if (action) return { type: 'action', value, action, show_echo: suffix === 'ActionShowEcho' || suffix === 'Intent' };
  return { type: 'text', value: label };
};

const LINK_TARGETS: Record<string, string> = { '*': 'blank', '>': 'self', '<': 'parent' };

const linkOf = (sign: string, value: string, link: string) => ({
  type: 'url',
  value,
  link,
  target: LINK_TARGETS[sign],
});

/** Only http(s) URLs are accepted. Any other URL remains part of the text or of the label of a button. */
const WEB_URL = 'https?:\\/\\/\\S+';
const SIZE_PATTERN = '(?:,\\s*[wW]?(\\d{1,5})\\s+[hH]?(\\d{1,5}))?';

/** Line patterns and their parsers. The first pattern that matches applies. */
const LINE_PATTERNS: [line: RegExp, read: (...groups: string[]) => ParsedLine][] = [
  [
    new RegExp(`^tdImage${SIZE_PATTERN}:\\s*(${WEB_URL})$`),
    (w, h, src = '') => ({ type: 'image', metadata: mediaMetadata(src, w, h) }),
  ],
  [
    /^\\image(?::(\d{1,5})-(\d{1,5}))?:\s*(https?:\/\/\S+)$/,
    (w = `${DEFAULT_SIZE}`, h = `${DEFAULT_SIZE}`, src = '') => ({ type: 'image', metadata: mediaMetadata(src, w, h) }),
  ],
  [
    new RegExp(`^tdFrame${SIZE_PATTERN}:\\s*(${WEB_URL})$`),
    (w, h, src = '') => ({ type: 'frame', metadata: mediaMetadata(src, w, h) }),
  ],
  [
    new RegExp(`^tdVideo${SIZE_PATTERN}:\\s*(${WEB_URL})$`),
    (w, h, src = '') => ({ type: 'frame', metadata: { ...mediaMetadata(src, w, h), type: 'video' } }),
  ],
  [
    /^([*<>])\s*(\S(?:.*\S)?)\s+(https?:\/\/\S+)$/,
    (sign = '', value = '', link = '') => ({ button: linkOf(sign, value, link) }),
  ],
  [/^\*\s*(\S.*)$/, (label = '') => ({ button: buttonOf(label) })],
];

const parseLine = (line: string): ParsedLine | null => {
  for (const [pattern, read] of LINE_PATTERNS) {
    const match = pattern.exec(line);
    if (match) return read(...match.slice(1));
  }
  return null;
};

/** Parses a reply. If it has several images or frames, the last one applies. */
export const parse = (markup: string): ParsedReply => {
  const textLines: string[] = [];
  const reply: ParsedReply = { text: '', buttons: [] };
  for (const line of markup.split(/\r?\n/)) {
    const part = parseLine(line.trim());
    if (!part) textLines.push(line);
    else if (part.button) reply.buttons.push(part.button);
    else Object.assign(reply, part);
  }
  return { ...reply, text: textLines.join('\n').trim() };
};
