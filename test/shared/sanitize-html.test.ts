import { expect } from 'chai';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
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
  ...[
    '<noscript>',
    '<form>',
    '<svg><style>',
    '<title>',
    '<xmp>',
    ' srcset=',
    ' href=',
    ' src=',
    '<plaintext>',
    '<select>',
  ],
];

/** Inputs that have bypassed other sanitizers. */
const BYPASSES = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<div><noscript></div><a title="</noscript><img src=x onerror=alert(1)>">x</a>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<style><style/><img src=x onerror=alert(1)>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<title><p title="</title><img src=x onerror=alert(1)>">',
  '<textarea><a title="</textarea><img src=x onerror=alert(1)>">',
  '<select><template><img src=x onerror=alert(1)></template></select>',
  '<template><script>alert(1)</script></template>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<!-- <img src=x onerror=alert(1)>',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><img src=x onerror=alert(1)>',
  '<form><div></form><form><input formaction="javascript:alert(1)" type=submit>',
  '<form action="javascript:alert(1)"><form><button>x</button></form></form>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" \t\njavascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java\0script:alert(1)">x</a>',
  '<a href="java&#0;script:alert(1)">x</a>',
  '<a href="java&Tab;script&colon;alert(1)">x</a>',
  '<a href="&#106&#97&#118&#97&#115&#99&#114&#105&#112&#116&#58alert(1)">x</a>',
  '<a href="&#x6A;&#x61;vascript&#x3A;alert(1)">x</a>',
  '<a href="&amp;#106;avascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="blob:https://a.example/1">x</a>',
  '<a href="view-source:javascript:alert(1)">x</a>',
  '<a href=javascript&#58;alert(1) href="https://a.example/">x</a>',
  '<a href="//evil.example">x</a><a href="\\\\evil.example">x</a><a href="/\\evil.example">x</a>',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<img src="javascript:alert(1)" lowsrc="javascript:alert(1)" dynsrc="javascript:alert(1)">',
  '<img srcset="javascript:alert(1) 1x, data:text/html,x 2x" sizes=x onerror=alert(1)>',
  '<img src="https://a.example/x.png"onerror=alert(1)>',
  '<img src=`x`onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)>',
  '<img title="`><img src=x onerror=alert(1)>">',
  '<img """><script>alert(1)</script>">',
  '<<script>alert(1)//<</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<b <script>alert(1)</script>>x</b>',
  '<p/onclick=alert(1)>x',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<a target="_blank" rel="opener" href="https://a.example/">x</a>',
  '<base href="javascript:alert(1)//"><meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)"><link rel=stylesheet href="javascript:alert(1)">',
  '<x-widget onclick=alert(1)>x</x-widget>',
];

type Element = DefaultTreeAdapterTypes.Element;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;

const elementsOf = (parent: ParentNode): Element[] =>
  parent.childNodes.flatMap((node) => ('tagName' in node ? [node, ...elementsOf(node)] : []));

/** Parses HTML as a browser does and asserts that it contains only allowed elements, attributes and URLs. */
function expectSafe(html: string, scriptingEnabled: boolean): void {
  for (const { tagName, attrs, namespaceURI } of elementsOf(parseFragment(html, { scriptingEnabled }))) {
    expect(namespaceURI).to.equal('http://www.w3.org/1999/xhtml');
    expect(tagName).to.match(/^(a|img|b|br|div|em|i|p|small|span|strong|u)$/);
    for (const { name, value } of attrs) {
      expect(name).to.match(/^(href|title|target|src|alt|width|height|rel)$/);
      if (name === 'href' || name === 'src') expect(URL.parse(value)?.protocol).to.match(/^(https?|mailto):$/);
      if (name === 'rel') expect(value).to.equal('noopener noreferrer');
    }
  }
}

describe('HTML sanitizer', () => {
  it('sanitizeHtml keeps a link with its image', () => {
    expect(
      sanitizeHtml(
        '<a target="_blank" href="https://a.example/?a=1&b=2"><img src="https://a.example/l.png" alt="A"/> <b>Acme</b></a>',
      ),
    ).to.equal(
      '<a target="_blank" href="https://a.example/?a=1&amp;b=2" rel="noopener noreferrer"><img src="https://a.example/l.png" alt="A" /> <b>Acme</b></a>',
    );
  });

  it('sanitizeHtml removes scripts and SVG with their content, but only the tags of headings', () => {
    const cases: [string, string][] = [
      ['<script>alert(1)</script>x', 'x'],
      ['<img src=x onerror=alert(1)>', '<img />'],
      ['<a href="javascript:alert(1)">x</a>', '<a rel="noopener noreferrer">x</a>'],
      ['<a href=" jAva&#x0A;script:alert(1)">x</a>', '<a rel="noopener noreferrer">x</a>'],
      ['<a href="/account">x</a>', '<a rel="noopener noreferrer">x</a>'],
      ['<svg><a href="https://a.example">x</a></svg>y', 'y'],
      ['<b onclick="x()" style="position:fixed">x', '<b>x</b>'],
      ['<h1>Title</h1>', 'Title'],
      ['1 < 2 & "3"', '1 &lt; 2 &amp; "3"'],
    ];
    for (const [html, sanitized] of cases) expect(sanitizeHtml(html), html).to.equal(sanitized);
  });

  for (const html of BYPASSES)
    it(`a browser finds nothing dangerous in the sanitized form of ${JSON.stringify(html)}`, () => {
      const sanitized = sanitizeHtml(html);
      for (const scriptingEnabled of [true, false]) expectSafe(sanitized, scriptingEnabled);
      expect(sanitizeHtml(sanitized)).to.equal(sanitized);
    });

  it('a browser finds only allowed elements, attributes and URLs in sanitized HTML, and sanitizing it again changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...HTML_PIECES, ...BYPASSES), fc.string())),
        fc.boolean(),
        (pieces, scriptingEnabled) => {
          const sanitized = sanitizeHtml(pieces.join(''));
          expect(sanitizeHtml(sanitized)).to.equal(sanitized);
          expectSafe(sanitized, scriptingEnabled);
        },
      ),
      { numRuns: 300 },
    );
  });
});
