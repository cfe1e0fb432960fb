/** Changing a conversation by its fields (contract b 1.8, 1.16, 1.17). */
import { AppError } from '../../errors.ts';
import type { REQUEST } from '../../models/request.ts';
import { FreeObject } from '../../view.ts';
import * as leads from './leads.ts';
import { type GivenNote, replacing as replacingNotes } from './notes.ts';
import {
  type Change,
  type Conversation,
  change,
  isOwn,
  type Speaker,
  type StoredRequest,
  unknown,
} from './requests.ts';
import { type GivenTag, replacing as replacingTags } from './tagging.ts';
import { moved } from './transitions.ts';

/** How content a visitor was. */
export interface Rating {
  /** 0 to 5. */
  rating?: number;
  rating_message?: string;
}

/** What may be changed of a conversation; what is absent stays as it is. */
export interface Patch extends Rating {
  first_text?: string;
  /** The lead's `_id`. */
  lead?: string;
  status?: (typeof REQUEST)[keyof typeof REQUEST];
  tags?: GivenTag[];
  notes?: GivenNote[];
  sourcePage?: string;
  language?: string;
  subject?: string;
  priority?: string;
  location?: Record<string, unknown>;
  smartAssignment?: boolean;
  workingStatus?: string;
  channelName?: string;
}

const tellsOf = (patch: Patch): Change['tells'] => {
  const tells: Change['tells'] = ['request.update', ['request.updated', { comment: 'PATCH', patch: { ...patch } }]];
  if (patch.workingStatus !== undefined) tells.push(['request.workingStatus.update', {}]);
  if (patch.rating !== undefined) tells.push('request.satisfaction');
  return tells;
};

/** How what is given of a conversation is kept; tags, notes and the lead are prepared before, for a transaction may run twice. */
const keeping = async ({ id_project }: Conversation, patch: Patch, by: Speaker) => {
  const { lead: _id, tags, notes, status, channelName, ...fields } = patch;
  const lead = _id === undefined ? undefined : await leads.find({ id_project, _id });
  const tagged = tags && replacingTags(tags);
  const noted = notes && replacingNotes(notes, by);
  return (before: StoredRequest): Change['set'] => ({
    ...fields,
    ...(lead && { lead: String(lead._id), 'snapshot.lead': lead }),
    ...(tagged && { tags: tagged(before) }),
    ...(noted && { notes: noted(before) }),
    ...(status && { status: moved('patch the status', before.status, status) }),
    ...(channelName && { channel: { name: channelName } }),
  });
};

/**
 * Set what is given of a conversation; a status has no effect but that loads follow (decision 17).
 * Errors: 404 for a lead that the project has not, 403 for notes by an agent who takes no part.
 */
export const patch = async (where: Conversation, given: Patch, by: Speaker): Promise<StoredRequest> => {
  const kept = await keeping(where, given, by);
  const isEmpty = !Object.keys(given).length;
  return change(where, (before) => (isEmpty ? null : { set: kept(before), tells: tellsOf(given) }));
};

/** Rate one's own conversation; that of another visitor is not there. */
export const rate = (where: Conversation, rating: Rating, by: Speaker): Promise<StoredRequest> =>
  change(where, (before) => {
    if (!isOwn(before, by)) throw unknown(where);
    return Object.keys(rating).length ? { set: { ...rating }, tells: tellsOf(rating) } : null;
  });

const refuseTooMuch = ({ attributes }: StoredRequest, given: Record<string, unknown>): void => {
  const { last_message: _, ...own } = attributes ?? {};
  const { error } = FreeObject.safeParse({ ...own, ...given });
  if (error) throw new AppError(422, 'INVALID', `attributes: ${error.issues[0]?.message}`);
};

/** Lay some keys over the attributes; 422 where they would grow too large. */
export const mergeAttributes = (where: Conversation, given: Record<string, unknown>): Promise<StoredRequest> => {
  const set = Object.fromEntries(Object.entries(given).map(([key, value]) => [`attributes.${key}`, value]));
  return change(where, (before) => {
    refuseTooMuch(before, given);
    if (!Object.keys(set).length) return null;
    return {
      set,
      tells: [
        'request.update',
        ['request.updated', { comment: 'ATTRIBUTES_PATCH', patch: given }],
        'request.attributes.update',
      ],
    };
  });
};
