// What may not be as intended in a schedule, in words.
import type { ExpandedSchedule } from './expand-schedule.ts'

interface Texts {
  readonly skipped: (days: string, time: string, isOne: boolean) => string
  readonly unused: (days: string, isOne: boolean) => string
  readonly noDate: string
  readonly cut: (day: string) => string
  readonly otherDays: (count: number) => string
}

const textsByLanguage: Readonly<Record<string, Texts>> = {
  en: {
    skipped: (days, time, isOne) =>
      `There is no date on ${days}: the clocks are set forward, and ${time} does not exist on ${isOne ? 'that day' : 'those days'}.`,
    unused: (days, isOne) => `The series has no date on ${days}, which ${isOne ? 'is' : 'are'} excluded.`,
    noDate: 'The schedule has no date.',
    cut: (day) => `The schedule has dates after ${day}, which the preview leaves out: there are too many.`,
    otherDays: (count) => `${count} other days`,
  },
  fr: {
    skipped: (days, time, isOne) =>
      `Il n’y a pas de date ${isOne ? 'le' : 'les'} ${days} : les horloges sont avancées, et ${time} n’existe pas ${isOne ? 'ce jour-là' : 'ces jours-là'}.`,
    unused: (days, isOne) =>
      isOne
        ? `La série n’a pas de date le ${days}, jour qui est exclu.`
        : `La série n’a pas de date les ${days}, jours qui sont exclus.`,
    noDate: 'La série n’a aucune date.',
    cut: (day) => `La série a des dates après le ${day}, que l’aperçu ne montre pas : elles sont trop nombreuses.`,
    otherDays: (count) => `${count} autres jours`,
  },
  es: {
    skipped: (days, time, isOne) =>
      `No hay fecha ${isOne ? 'el' : 'los días'} ${days}: se adelantan los relojes, y las ${time} no existen ${isOne ? 'ese día' : 'esos días'}.`,
    unused: (days, isOne) =>
      isOne
        ? `La serie no tiene fecha el ${days}, día que está excluido.`
        : `La serie no tiene fecha los días ${days}, que están excluidos.`,
    noDate: 'La serie no tiene ninguna fecha.',
    cut: (day) => `La serie tiene fechas después del ${day}, que la vista previa no muestra: son demasiadas.`,
    otherDays: (count) => `${count} días más`,
  },
}

const maxListed = 3

/** Describes what may not be as intended in a language; in English if it has no texts for the language. */
export function describeWarnings(
  { skipped, unusedExclusions, computedUntil, isEndless, dates }: ExpandedSchedule,
  language: string,
): string[] {
  const tag = textsByLanguage[language.slice(0, 2)] ? language.slice(0, 2) : 'en'
  const texts = textsByLanguage[tag] as Texts
  const skippedAt = Map.groupBy(skipped, (local) => local.slice(11, 16))
  return [
    ...[...skippedAt].map(([time, locals]) =>
      texts.skipped(listDays(locals.map((local) => local.slice(0, 10))), time, locals.length === 1),
    ),
    ...(unusedExclusions.length > 0 ? [texts.unused(listDays(unusedExclusions), unusedExclusions.length === 1)] : []),
    ...(dates.length === 0 ? [texts.noDate] : []),
    ...(computedUntil && !isEndless ? [texts.cut(computedUntil.slice(0, 10))] : []),
  ]

  /** Names the first days, and counts the others. */
  function listDays(days: readonly string[]): string {
    const others = days.length - maxListed
    const listed = others > 1 ? [...days.slice(0, maxListed), texts.otherDays(others)] : days
    return new Intl.ListFormat(tag === 'en' ? 'en-GB' : tag).format(listed)
  }
}
