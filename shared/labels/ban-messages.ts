/** The message to a banned visitor. All texts except the English one are machine translations. */
export const BAN_MESSAGES = {
  EN: 'You can no longer write to us here',
  IT: 'Non puoi più scriverci qui',
  FR: 'Vous ne pouvez plus nous écrire ici',
  ES: 'Ya no puedes escribirnos aquí',
  DE: 'Sie können uns hier nicht mehr schreiben',
  PT: 'Já não pode escrever-nos aqui',
  RU: 'Вы больше не можете писать нам здесь',
  TR: 'Artık bize buradan yazamazsınız',
  SR: 'Više ne možete da nam pišete ovde',
  AR: 'لم يعد بإمكانك الكتابة إلينا هنا',
  UK: 'Ви більше не можете писати нам тут',
  SV: 'Du kan inte längre skriva till oss här',
  KK: 'Енді бізге осы жерден жаза алмайсыз',
  UZ: 'Endi bizga bu yerdan yoza olmaysiz',
  AZ: 'Artıq bizə buradan yaza bilməzsiniz',
} as const;
