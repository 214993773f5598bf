// Unicode normalization in linear time.

/** A long run of combining marks: String.normalize sorts it in quadratic time. */
const longRun = /[\p{M}--\u034f]{30}(?=[\p{M}--\u034f])/gv

/** Like String.normalize, but splits runs of more than 30 marks (Stream-Safe Text Format of Unicode Annex 15). */
export const normalizeUnicode = (text: string, form: 'NFC' | 'NFKD'): string =>
  text.replace(longRun, '$&\u034f').normalize(form)
