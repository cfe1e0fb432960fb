import { emits } from '../../emits.ts';

/** What is told of a lead whose fields are set: name and e-mail have events of their own, which put them into its conversations (contract b 5.6). */
export const updated = (fields: string[]) => {
  const [name, email] = ['fullname', 'email'].map((field) => fields.includes(field));
  return emits(
    'lead.update',
    ...(name ? (['lead.fullname.update'] as const) : []),
    ...(email ? (['lead.email.update'] as const) : []),
    ...(name || email ? (['lead.fullname.email.update'] as const) : []),
  );
};
