/** Shows each message of a conversation once, in chronological order. */
import { element, timeText } from './elements.js';

/** Whether the message is not for people to read: a command to a bot, or a notification for the client of an agent. */
const isHidden = ({ attributes }) => attributes?.subtype === 'info';
const isSystem = ({ sender }) => sender === 'system';

/** Returns the URL of a file uploaded to this server; undefined for any other address, which must not be loaded. */
const ownFile = (address) => {
  const url = URL.parse(address ?? '', location.href);
  return url?.origin === location.origin && url.pathname === '/v3/files' ? url : undefined;
};

const picture = ({ metadata }) => {
  const url = ownFile(metadata?.src);
  if (!url) return;
  return element(
    'a',
    { href: url.href, target: '_blank', rel: 'noopener' },
    element('img', { src: url.href, alt: metadata.name ?? 'Image', width: metadata.width ?? 200, loading: 'lazy' }),
  );
};

const fileLink = ({ metadata }) => {
  const url = ownFile(metadata?.src);
  return url && element('a', { href: url.href, download: metadata.name ?? '' }, metadata.name ?? 'File');
};

const sources = ({ attributes }) => {
  const { citations } = attributes ?? {};
  if (!Array.isArray(citations) || citations.length === 0) return;
  const names = citations.map(({ source_id, source_name }) => element('li', {}, `[${source_id}] ${source_name}`));
  return element('ul', { className: 'sources', ariaLabel: 'Sources' }, ...names);
};

const buttonsOf = ({ attributes }) => attributes?.attachment?.buttons ?? [];

const MEDIA = { image: picture, file: fileLink };

export class MessageList {
  #list;
  #self;
  #onButton;
  #shownIds = new Set();

  /** `self(message)` returns whether the reader sent the message; `onButton(text)` sends the text of a bot's button. */
  constructor({ list, self, onButton }) {
    this.#list = list;
    this.#self = self;
    this.#onButton = onButton;
  }

  clear() {
    this.#shownIds.clear();
    this.#list.replaceChildren();
  }

  add(messages) {
    for (const message of [messages].flat()) {
      this.dropPending(message.client_message_id);
      if (this.#shownIds.has(message._id) || isHidden(message)) continue;
      this.#shownIds.add(message._id);
      this.#insert(message);
    }
  }

  /** Shows a message that is being sent. */
  addPending(id, text) {
    this.#list.append(element('li', { className: 'mine pending', dataset: { client: id } }, element('p', {}, text)));
    this.#scroll();
  }

  /** Removes a message that was being sent. */
  dropPending(id) {
    if (id) this.#list.querySelector(`[data-client="${CSS.escape(id)}"]`)?.remove();
  }

  #insert(message) {
    const side = isSystem(message) ? 'system' : this.#self(message) ? 'mine' : 'theirs';
    const item = element(
      'li',
      { className: side, dataset: { time: message.createdAt, id: message._id } },
      side === 'theirs' && element('b', {}, message.senderFullname ?? 'Unknown'),
      MEDIA[message.type]?.(message),
      message.text && element('p', {}, message.text),
      sources(message),
      ...this.#buttons(message),
      side !== 'system' && element('time', { dateTime: message.createdAt }, timeText(message.createdAt)),
    );
    const later = [...this.#list.children].find((other) => (other.dataset.time ?? '~') > message.createdAt);
    this.#list.insertBefore(item, later ?? null);
    this.#scroll();
  }

  #buttons(message) {
    if (!this.#onButton) return [];
    return buttonsOf(message)
      .filter(({ type }) => type === 'text')
      .map(({ value }) =>
        element('button', { type: 'button', className: 'choice', onclick: () => this.#onButton(value) }, value),
      );
  }

  #scroll() {
    this.#list.scrollTop = this.#list.scrollHeight;
  }
}
