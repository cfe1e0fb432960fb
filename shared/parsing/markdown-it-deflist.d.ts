/** Types of the plugin, which has no types of its own. */
declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';

  export default function deflist(md: MarkdownIt): void;
}
