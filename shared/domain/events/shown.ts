/** Records as the API shows them, many at once: what events carry. */
import mongoose, { type Types } from 'mongoose';
import type { z } from 'zod';
import { DepartmentView } from '../../models/department.ts';
import { FiredEventView } from '../../models/event.ts';
import { KbNamespaceView } from '../../models/kb-namespace.ts';
import { MessageEventView } from '../../models/message.ts';
import { ToldProjectView } from '../../models/project.ts';
import { ToldTeammateView } from '../../models/project-user.ts';
import { RequestView } from '../../models/request.ts';
import { fieldsOf } from '../../view.ts';
import * as customEvents from './custom-events.ts';
import * as departments from '../team/departments.ts';
import * as members from '../team/members.ts';
import * as messages from '../conversations/messages.ts';
import * as namespaces from '../knowledge/namespaces.ts';
import * as projects from '../projects/projects.ts';
import * as requests from '../conversations/requests.ts';

/** A record's `_id` in its collection. */
export type Key = Types.ObjectId | string;

/** A record as teammates see it; where it belongs to a visitor's conversation, whose, and what that visitor may see of it. */
export interface Shown {
  key: Key;
  shown: object;
  visitor?: string;
  visitor_shown?: object;
}

/** Those of the records that are there, in any order. */
export type Reader = (keys: Key[]) => Promise<Shown[]>;

/** Views that are more than a choice of stored fields. */
const readers = new Map<z.ZodObject, Reader>([
  [ToldProjectView, projects.shownOf],
  [ToldTeammateView, members.shownOf],
  [DepartmentView, departments.shownOf],
  [KbNamespaceView, namespaces.shownOf],
  [RequestView, requests.shownOf],
  [FiredEventView, customEvents.shownOf],
  [MessageEventView, messages.shownOf],
]);

const plainReader =
  (collection: string, view: z.ZodObject): Reader =>
  async (keys) => {
    const fields = { ...fieldsOf(view), _id: 1 } as const;
    const options = { anyProject: true }; // the relay's: it knows by the record whose it is
    const found = await mongoose
      .model(collection)
      .find({ _id: { $in: keys } }, fields, options)
      .lean<{ _id: Key }[]>();
    return found.map(({ _id: key, ...rest }) => ({ key, shown: '_id' in view.shape ? { _id: key, ...rest } : rest }));
  };

/** How the records of a collection are read as `view` has them. */
export const readerOf = (collection: string, view: z.ZodObject): Reader =>
  readers.get(view) ?? plainReader(collection, view);
