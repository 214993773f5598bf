const amount = /(?<![\d.,])(\d+(?:[.,]\d\d?)?)(?=\s*(?:(?:à|a|et|y|-|–|\/)\s*\d+(?:[.,]\d\d?)?\s*)*(?:€|euros?\b))/gi

export const freeEntry = /gratui|(?:entr|antr|acc)\S* (?:et gratuite )?libre|^libre$/i

export const costOf = (text: string, free: boolean, maxCount: number): string[] => {
  const found = [...text.matchAll(amount)].map((match) => `${Number(match[1]?.replace(',', '.'))} €`)
  return found.length === 0 && free
    ? ['0 €']
    : [...new Set(found)].filter((_item, _index, all) => all.length <= maxCount)
}
