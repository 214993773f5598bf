// Unicode normalization in time that stays in proportion to the text.

/** Marks that combine with the character before them; to put a long run in order takes time that grows with its square. */
const longRun = /[\p{M}--\u034f]{30}(?=[\p{M}--\u034f])/gv

/** As String.normalize; runs of more than 30 marks are parted (Unicode Standard Annex 15, Stream-Safe Text Format). */
export const normalize = (text: string, form: 'NFC' | 'NFKD'): string =>
  text.replace(longRun, '$&\u034f').normalize(form)
