/** A person, and the ids, addresses, phone numbers and names by which the data of the person are found. */

/** The person to erase or to export: an account, or a visitor with the visitor's leads. */
export interface Person {
  /** The projects to search; undefined: all of them. */
  projects?: string[];
  /** Ids of accounts. */
  accounts: string[];
  /** Ids of visitors. The id of an account that has also written as a visitor is only in `accounts`. */
  visitors: string[];
  leads: { _id: string; id_project: string; lead_id: string }[];
  memberships: { _id: string; id_project: string; isVisitor: boolean }[];
  conversations: { _id: string; id_project: string; request_id: string }[];
  files: { _id: string; id_project: string }[];
  emails: string[];
  phones: string[];
  /** Full names. They are replaced in log files, and in records that contain other data of the person. */
  names: string[];
}

/** The ids and email addresses of a person, as sets. */
export interface PersonIds {
  /** The ids of the person's accounts, leads, memberships and files, and the ids in `visitor`. */
  person: Set<string>;
  visitor: Set<string>;
  conversation: Set<string>;
  /** Email addresses, in lower case. */
  address: Set<string>;
}

/** Returns the ids and email addresses of a person as sets. */
export const idsOf = ({ accounts, visitors, leads, memberships, conversations, files, emails }: Person): PersonIds => {
  const records = [...leads, ...memberships, ...files].map(({ _id }) => _id);
  return {
    person: new Set([...accounts, ...visitors, ...records]),
    visitor: new Set(visitors),
    conversation: new Set(conversations.flatMap(({ _id, request_id }) => [_id, request_id])),
    address: new Set(emails.map((email) => email.toLowerCase())),
  };
};
