import { categoriesOf, tagsOf } from './categories.ts'
import { costOf } from './cost.ts'
import type { Draft, Named, When } from './draft.ts'
import { contact, plain } from './html.ts'
import { at, num, pairs, str, web } from './raw.ts'
import { textsOf } from './texts.ts'
import { dayAfter, wholeDays } from './timing.ts'

const madridTiming = (event: unknown): When => {
  const [time, days, from] = [str(event, 'time'), str(event, 'recurrence.days'), str(event, 'dtstart')]
  const open = [0, 1, 2, 3, 4, 5, 6]
    .map((count) => dayAfter(from, count))
    .find((date) => days.includes('SUMOTUWETHFRSA'.slice(new Date(date).getUTCDay() * 2).slice(0, 2)))
  const [day, to] = [open ?? dayAfter(from, 0), dayAfter(str(event, 'dtend'), 0)]
  const last = !days && to < dayAfter(day, 4) ? to : day
  if (!time) return wholeDays(`${day}T00:00:00`, `${last}T23:59:00`, 'Europe/Madrid')
  // The source has no end time (always 23:59), so it is computed from the duration in the text, or two hours.
  const length = /Duraci[oó]n[^:.]{0,20}: *(\d+) *(min|h|’|')/i.exec(str(event, 'description'))
  const minutes = length ? Number(length[1]) * (length[2] === 'h' ? 60 : 1) : 120
  const end = new Date(Date.parse(`${day}T${time}Z`) + minutes * 6e4).toISOString().slice(0, 19)
  return { start: `${day}T${time}:00`, end, timeZone: 'Europe/Madrid' }
}

const accents = pairs('musica:música natacion:natación jovenes:jóvenes')

// Paragraphs end with two or more spaces. Exactly two can also be a remainder of italics.
const lostBreak = /\s{3,}|(?<=[.!?…:;»”)'"\d])\s{2}|\s{2}(?=\p{Lu}[\p{L} ]{3,25}:)/gu
const titleCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(?<!\p{L})(?!(?:del?|las?|el|los|y|s\/n)(?!\p{L}))\p{L}/gu, (letter) => letter.toUpperCase())

export const fromMadrid = (event: unknown): Draft => {
  const type = str(event, '@type')
    .replace(/.*\//, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
  const [audience, text] = [str(event, 'audience'), str(event, 'description')]
  const words = [...audience.toLowerCase().split(','), type.replace(/ .*|^(programacion|1ciudad|actividades).*/, '')]
  const name = plain(str(event, 'organization.organization-name'))
  const house: Named = { first: 'es', texts: { es: { name } } }
  return {
    id: `madrid${str(event, 'id')}`,
    first: 'es',
    ...madridTiming(event),
    website: web([at(event, 'link')]),
    texts: textsOf({ title: { es: str(event, 'title') }, description: { es: text.replace(lostBreak, '\n\n') } }),
    cost: num(event, 'free') === 1 ? ['0 €'] : costOf(str(event, 'price').replace(/.*desde.*/i, ''), false, 1),
    venue: {
      ...house,
      address: titleCase(str(event, 'address.area.street-address')),
      city: 'Madrid',
      country: 'Spain',
      province: 'Madrid',
      stateProvince: 'Comunidad de Madrid',
      zip: str(event, 'address.area.postal-code'),
      latitude: num(event, 'location.latitude'),
      longitude: num(event, 'location.longitude'),
    },
    organizer: house,
    categories: categoriesOf('', type, str(event, 'title'), audience, text.slice(0, 150)),
    tags: tagsOf(
      'es',
      words.map((word) => accents.get(word) ?? word),
    ),
    fit: text.search(contact) < 0,
  }
}
