/** The visitor's pane: a minimal web widget. */
import { apiClient, CLOSED_STATUS } from './api.js';
import { connectComposer } from './composer.js';
import { element } from './elements.js';
import { LiveSocket } from './live-socket.js';
import { MessageList } from './message-list.js';
import { announceTyping, TypingStatus } from './typing.js';

const RATINGS = [1, 2, 3, 4, 5];

const newConversationId = (project) => `support-group-${project}-${crypto.randomUUID().replaceAll('-', '')}`;

/**
 * Returns the visitor of this tab. Signs the visitor in only once: the tab keeps the sign-in when the page is reloaded.
 */
export const ensureVisitor = async (project) => {
  const key = `demo-visitor-${project}`;
  const stored = sessionStorage.getItem(key);
  if (stored) return JSON.parse(stored);
  const { token, user } = await apiClient().call('POST /v3/auth/signinAnonymously', {
    body: { id_project: project, firstname: 'Visitor' },
  });
  const visitor = { token, id: user._id, conversation: newConversationId(project) };
  sessionStorage.setItem(key, JSON.stringify(visitor));
  return visitor;
};

const rateForm = (onRate) =>
  element(
    'div',
    { className: 'rating', role: 'group', ariaLabel: 'Rate the conversation' },
    element('span', {}, 'How was it?'),
    ...RATINGS.map((rating) =>
      element('button', { type: 'button', ariaLabel: `${rating} of 5`, onclick: () => onRate(rating) }, '★'),
    ),
  );

/** Starts the pane. */
export const startVisitor = async (pane, project) => {
  const visitor = await ensureVisitor(project);
  const client = apiClient(visitor.token);
  const end = pane.querySelector('.end');
  const messages = new MessageList({
    list: pane.querySelector('ol'),
    self: ({ sender }) => sender === visitor.id,
    onButton: (text) => composer.sendText(text),
  });
  const typing = new TypingStatus({
    status: pane.querySelector('.typing'),
    nameOf: ({ user }) => user.firstname ?? 'Somebody',
  });
  const form = pane.querySelector('form');
  let isOpened = false;
  announceTyping({
    ...{ form, client, project, writer: visitor.id },
    conversation: () => isOpened && visitor.conversation,
  });
  const composer = connectComposer({
    ...{ form, client, project, messages },
    conversation: () => visitor.conversation,
    fields: () => ({ sourcePage: location.origin + location.pathname, userAgent: navigator.userAgent }),
  });
  const path = { project_id: project, request_id: visitor.conversation };
  const rate = (rating) =>
    client.call('PATCH /v3/{project_id}/requests/{request_id}/rating', { path, body: { rating } }).then(
      () => end.replaceChildren(`Thank you for ${rating} of 5.`),
      ({ message }) => end.replaceChildren(`The rating was not saved (${message}). `, rateForm(rate)),
    );
  const showStatus = (conversation) => {
    isOpened = Boolean(conversation);
    const isClosed = conversation?.status === CLOSED_STATUS;
    end.hidden = !isClosed;
    if (!isClosed) return end.replaceChildren();
    if (conversation.rating) return end.replaceChildren(`Thank you for ${conversation.rating} of 5.`);
    if (!end.hasChildNodes()) end.append('The conversation is closed. ', rateForm(rate));
  };
  const socket = new LiveSocket({ client, project, onState: (isOpen) => pane.classList.toggle('offline', !isOpen) });
  socket.follow(`requests/${visitor.conversation}/messages`, (message) => {
    messages.add(message);
    typing.hideSenders(message);
  });
  socket.follow(`requests/${visitor.conversation}/typing`, (event) => typing.show(event));
  socket.follow(`requests/${visitor.conversation}`, showStatus);
};
