/** What messages and new conversations are made of, as callers send it. */
import { z } from 'zod';
import { MOST_PARTICIPANTS } from '#shared/domain/conversations/participants.ts';
import { cut } from '#shared/lenient.ts';
import { FreeObject } from '#shared/view.ts';
import { LIMITS } from '../limits.ts';

/** A field that may be absent, or null as known clients send it. */
export const given = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

/** A text of at most so many characters. */
export const text = (most: number) => given(z.string().max(most));

/** Who takes part: user ids, and `bot_` with a bot's id. */
export const Member = z.string().min(1).max(LIMITS.visitorId);
export const Members = z.array(Member).max(MOST_PARTICIPANTS);

const name = text(LIMITS.name);

/** Keys that the service itself keeps: they say what happened to a conversation, and routing reads them. */
const RESERVED = new Set(['last_message', 'abandoned_by_project_users', 'fully_abandoned']);

/** Attributes of a conversation; reserved keys are ignored. */
export const Attributes = FreeObject.transform((values) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !RESERVED.has(key))),
);

/** What a conversation may be opened with, whether by its first message or by itself. */
export const opening = {
  sender: given(Member),
  senderFullname: name,
  email: text(LIMITS.email),
  department: name,
  departmentid: name.meta({ description: 'Other name of `department`' }),
  subject: given(cut(LIMITS.conversationText)),
  sourcePage: given(cut(LIMITS.conversationText)),
  language: name,
  userAgent: given(cut(LIMITS.conversationText)),
  priority: name,
  channel: given(z.object({ name: z.string().min(1).max(LIMITS.name) })),
  location: given(FreeObject),
  attributes: given(Attributes),
  participants: given(Members),
  followers: given(z.array(Member).max(LIMITS.followers)),
};

/** The department under either of its names. */
export const departmentOf = <G extends { department?: string; departmentid?: string }>({
  department,
  departmentid,
  ...rest
}: G) => ({ ...rest, department: department ?? departmentid });
