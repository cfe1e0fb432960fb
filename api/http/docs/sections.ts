/** The sections of the API reference. Each section contains the endpoints whose path matches its pattern. */

interface Section {
  name: string;
  description: string;
  /** An endpoint belongs to the first section whose pattern matches its path. */
  path: RegExp;
}

const SECTIONS: Section[] = [
  {
    name: 'Analytics',
    description: 'Figures about conversations, messages, visitors and custom events.',
    path: /\/(public)?analytics\//,
  },
  {
    name: 'Sign-in and tokens',
    description: 'Sign-up, sign-in, tokens and project keys.',
    path: /^\/v3\/auth\/|\/(jwt\/history|chat21|keys)\b/,
  },
  { name: 'Files', description: 'Uploads, downloads and avatars.', path: /\/(files|images)\b/ },
  { name: 'Accounts', description: 'The account of the caller.', path: /^\/v3\/users/ },
  { name: 'Projects', description: 'Projects, their settings, bans and operating hours.', path: /^\/v3\/projects/ },
  { name: 'Transcripts', description: 'Conversations as HTML, text, CSV or PDF.', path: /transcript|^\/v3\/public\// },
  {
    name: 'Messages',
    description: 'Messages in conversations, direct messages and emails.',
    path: /\/(messages|emails?)\b/,
  },
  { name: 'Conversations', description: 'On the wire a conversation is a `request`.', path: /\/requests(_util)?\b/ },
  { name: 'Leads', description: 'Contacts, their properties and segments.', path: /\/(leads|properties|segments)\b/ },
  { name: 'Knowledge bases', description: 'Contents, and questions about them.', path: /\/kb\b/ },
  {
    name: 'Teammates',
    description: 'On the wire a teammate is a `project_user`. Includes invitations.',
    path: /\/(project_users|pendinginvitations|users)\b/,
  },
  {
    name: 'Departments and groups',
    description: 'How conversations are distributed among agents.',
    path: /\/(departments|groups)\b/,
  },
  {
    name: 'Bots and subscriptions',
    description: 'Programs that act in a project.',
    path: /\/(bots|faq_kb|faq|intents|subscriptions)\b/,
  },
  { name: 'Triggers', description: 'Actions that follow an event of the project.', path: /\/modules\/triggers\b/ },
  {
    name: 'Tags and canned responses',
    description: 'Tags and prepared replies from which agents choose.',
    path: /\/(tags|canned)\b/,
  },
  { name: 'Widgets and labels', description: 'Settings and texts of web clients.', path: /\/(widgets|labels)\b/ },
  {
    name: 'Events',
    description: 'The changes log, its stream, custom events and activities.',
    path: /\/(changes|stream|ws|events|activities)\b/,
  },
];

/** Name and description of each section, in the order of the reference. */
export const sections = SECTIONS.map(({ name, description }) => ({ name, description }));

const pathNoun = (route: string): string =>
  route.split('/').find((part) => part && part !== 'v3' && !part.startsWith(':')) ?? 'other';

/** The section of an endpoint; for a path that no section matches, its first segment other than `v3` or a parameter. */
export const sectionOf = (route: string): string =>
  SECTIONS.find(({ path }) => path.test(route))?.name ?? pathNoun(route);
