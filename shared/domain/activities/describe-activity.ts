/** Describes activities as sentences. */
import type { StoredActivity } from './activities.ts';
import type { PayloadFields } from './activity-draft.ts';

/** The supported languages. */
export type Language = 'en' | 'it';

const SENTENCES: Record<Language, Record<string, string>> = {
  en: {
    REQUEST_CREATE: '{actor} started conversation {target}',
    REQUEST_CLOSE: '{actor} closed conversation {target}',
    REQUEST_ASSIGNED_AUTO: 'Conversation {target} was assigned to {related}',
    REQUEST_ASSIGNED_SELF: '{actor} took conversation {target}',
    REQUEST_ASSIGNED_MANUAL: '{actor} assigned conversation {target} to {related}',
    REQUEST_UNASSIGNED: '{actor} unassigned conversation {target}',
    LEAVE_CONVERSATION: '{related} left conversation {target}',
    PROJECT_USER_INVITE: '{actor} invited {target} as {role}',
    PROJECT_USER_UPDATE: '{actor} changed the membership of {target}',
    PROJECT_USER_AVAILABILITY_SELF: '{target} is now {availability}',
    PROJECT_USER_AVAILABILITY_SYSTEM: '{target} was made {availability}',
    PROJECT_USER_DELETE: '{actor} removed {target} from the team',
    KB_NAMESPACE_CREATE: '{actor} added the knowledge base {target}',
    KB_NAMESPACE_DELETE: '{actor} removed the knowledge base {target}',
    KB_CONTENTS_ADD: '{actor} added contents to the knowledge base {target} ({count})',
    KB_CONTENTS_DELETE: '{actor} removed the contents of the knowledge base {target} ({count})',
    KB_CONTENT_DELETE: '{actor} removed {target} from a knowledge base',
    FAQ_KB_CREATE: '{actor} added the bot {target}',
    FAQ_KB_DELETE: '{actor} removed the bot {target}',
    FAQ_KB_PUBLISH: '{actor} published the bot {target}',
    PROJECT_SMTP_FAILED: 'The SMTP server of {target} is failing',
    EMAIL_ADDRESS_BLOCKED: 'Emails to {target} were returned; no more will be sent',
  },
  it: {
    REQUEST_CREATE: '{actor} ha iniziato la conversazione {target}',
    REQUEST_CLOSE: '{actor} ha chiuso la conversazione {target}',
    REQUEST_ASSIGNED_AUTO: 'La conversazione {target} è stata assegnata a {related}',
    REQUEST_ASSIGNED_SELF: '{actor} ha preso la conversazione {target}',
    REQUEST_ASSIGNED_MANUAL: '{actor} ha assegnato la conversazione {target} a {related}',
    REQUEST_UNASSIGNED: "{actor} ha annullato l'assegnazione della conversazione {target}",
    LEAVE_CONVERSATION: '{related} ha lasciato la conversazione {target}',
    PROJECT_USER_INVITE: '{actor} ha invitato {target} come {role}',
    PROJECT_USER_UPDATE: '{actor} ha modificato i dati di {target}',
    PROJECT_USER_AVAILABILITY_SELF: '{target} ora è {availability}',
    PROJECT_USER_AVAILABILITY_SYSTEM: '{target} è ora {availability} per opera del sistema',
    PROJECT_USER_DELETE: '{actor} ha rimosso {target} dal team',
    KB_NAMESPACE_CREATE: '{actor} ha aggiunto la base di conoscenza {target}',
    KB_NAMESPACE_DELETE: '{actor} ha eliminato la base di conoscenza {target}',
    KB_CONTENTS_ADD: '{actor} ha aggiunto contenuti alla base di conoscenza {target} ({count})',
    KB_CONTENTS_DELETE: '{actor} ha eliminato i contenuti della base di conoscenza {target} ({count})',
    KB_CONTENT_DELETE: '{actor} ha eliminato {target} da una base di conoscenza',
    FAQ_KB_CREATE: '{actor} ha aggiunto il bot {target}',
    FAQ_KB_DELETE: '{actor} ha eliminato il bot {target}',
    FAQ_KB_PUBLISH: '{actor} ha pubblicato il bot {target}',
    PROJECT_SMTP_FAILED: 'Il server SMTP di {target} non funziona',
    EMAIL_ADDRESS_BLOCKED: 'Le email a {target} sono state respinte; non ne vengono inviate altre',
  },
};

/** All activity verbs. */
export const describedVerbs: string[] = Object.keys(SENTENCES.en);

const AVAILABILITY = { en: ['unavailable', 'available'], it: ['non disponibile', 'disponibile'] } as const;

/** Returns the id, name and email of the person in a membership or invitation. */
export const personOf = ({ id_user, firstname, lastname, email }: PayloadFields) => {
  const person = (id_user ?? { firstname, lastname, email }) as Record<
    '_id' | 'firstname' | 'lastname' | 'email',
    unknown
  >;
  const fullname = [person.firstname, person.lastname].filter(Boolean).join(' ');
  return { id: person._id, fullname, email: person.email };
};

const describeTarget = ({ target: { id, object } }: StoredActivity): unknown => {
  const { fullname, email } = personOf(object);
  if (typeof object.ticket_id === 'number') return `#${object.ticket_id}`;
  return fullname || email || object.name || object.request_id || id;
};

/** Describes an activity as a sentence in the given language. */
export const describeActivity = (activity: StoredActivity, language: Language = 'en'): string => {
  const { verb, actor, related, actionObj } = activity;
  const values: PayloadFields = {
    actor: actor.name || actor.id,
    related: related?.name || related?.id,
    target: describeTarget(activity),
    role: actionObj.role,
    count: actionObj.count ?? actionObj.deletedCount,
    availability: AVAILABILITY[language][actionObj.user_available ? 1 : 0],
  };
  const template = SENTENCES[language][verb] ?? `{actor}: ${verb}`;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
};
