/** Charsets, each with an encoded text (its bytes as base64) and the text that is expected after decoding. */
export const CHARSETS: [charset: string, base64: string, text: string][] = [
  ['iso-8859-1', 'R3L832UgYXVzIE38bmNoZW4sIHZvaWzg', 'Grüße aus München, voilà'],
  ['windows-1252', 'k0RhbmtllCCWIDIwIIAgZvxyIMZyZ2Vy', '“Danke” – 20 € für Ærger'],
  ['iso-8859-15', 'MjAgpCwgZ3L832U=', '20 €, grüße'],
  ['iso-8859-2', 'RHpp6mt1auosIL/zs3c=', 'Dziękuję, żółw'],
  ['koi8-r', '58TFIM3PyiDawcvB2j8=', 'Где мой заказ?'],
  ['windows-1251', '0e/g8ejh7iDn4CDu8uLl8g==', 'Спасибо за ответ'],
  ['Shift_JIS', 'ko2VtoLNgseCsYLFgreCqYFC', '注文はどこですか。'],
  ['ISO-2022-JP', 'GyRCQ21KOCRPJEkkMyRHJDkkKyEjGyhC', '注文はどこですか。'],
  ['euc-kr', 'wda5rsC6IL7utfC/oSDA1r3AtM+x7g==', '주문은 어디에 있습니까'],
  ['gb2312', 'ztK1xLaptaXU2sTEwO+jvw==', '我的订单在哪里？'],
  ['big5', 'p9qquq1xs+amYq3+uMyhSA==', '我的訂單在哪裡？'],
  // UTF-7 is never decoded, because it could hide markup.
  ['utf-7', Buffer.from('+ADw-b+AD4- Hello').toString('base64'), '+ADw-b+AD4- Hello'],
  ['x-unknown', Buffer.from('Grüße').toString('base64'), 'Grüße'],
];
