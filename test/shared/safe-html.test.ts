import { expect } from 'chai';
import fc from 'fast-check';
import { DOMParser } from 'linkedom';
import { sanitizeHtml } from '#shared/security/sanitize-html.ts';

const HTML_PIECES = [
  ...[
    '<a href="',
    '<img src=x onerror=',
    '<svg/onload=',
    '<script>',
    '</script>',
    '<style>',
    '<b',
    '>',
    '<',
    '"',
    "'",
    '/',
  ],
  ...[
    'javascript:alert(1)',
    'java\tscript:',
    '&#106;avascript:',
    'data:text/html,',
    'https://a.example/',
    ' onclick=',
    '<!--',
    '-->',
  ],
  ...[
    '<![CDATA[',
    ']]>',
    '</a>',
    '<math><mi>',
    '<template>',
    '<textarea>',
    '</textarea>',
    '<iframe srcdoc=',
    '&lt;',
    'text',
    '\0',
    '<p>',
    '</div>',
  ],
];

describe('HTML sanitizer', () => {
  it('sanitizeHtml keeps a link with its image', () => {
    expect(
      sanitizeHtml(
        '<a target="_blank" href="https://a.example/?a=1&b=2"><img src="https://a.example/l.png" alt="A"/> <b>Acme</b></a>',
      ),
    ).to.equal(
      '<a target="_blank" href="https://a.example/?a=1&amp;b=2" rel="noopener noreferrer"><img src="https://a.example/l.png" alt="A"> <b>Acme</b></a>',
    );
  });

  it('sanitizeHtml removes scripts and keeps the text of unknown elements', () => {
    const cases: [string, string][] = [
      ['<script>alert(1)</script>x', 'x'],
      ['<img src=x onerror=alert(1)>', '<img>'],
      ['<a href="javascript:alert(1)">x</a>', '<a rel="noopener noreferrer">x</a>'],
      ['<a href=" jAva&#x0A;script:alert(1)">x</a>', '<a rel="noopener noreferrer">x</a>'],
      ['<svg><a href="https://a.example">x</a></svg>y', 'y'],
      ['<b onclick="x()" style="position:fixed">x', '<b>x</b>'],
      ['<h1>Title</h1>', 'Title'],
      ['1 < 2 & "3"', '1 &lt; 2 &amp; &quot;3&quot;'],
    ];
    for (const [html, sanitized] of cases) expect(sanitizeHtml(html), html).to.equal(sanitized);
  });

  it('the output of sanitizeHtml has only allowed elements and attributes, and sanitizing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...HTML_PIECES), fc.string())), (pieces) => {
        const safe = sanitizeHtml(pieces.join(''));
        expect(sanitizeHtml(safe)).to.equal(safe);
        const document = new DOMParser().parseFromString(`<main>${safe}</main>`, 'text/html');
        for (const element of document.querySelectorAll('main *')) {
          expect(element.localName).to.match(/^(a|img|b|br|div|em|i|p|small|span|strong|u)$/);
          for (const { name, value } of element.attributes) {
            expect(name).to.match(/^(href|title|target|src|alt|width|height|rel)$/);
            if (name === 'href' || name === 'src') expect(value.trim()).to.match(/^(https?|mailto):/i);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
