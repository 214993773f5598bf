// Makes sample.json from a folder of public event data (see SOURCES.md): node prisma/seed/make.ts <raw-folder>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Lang = 'fr' | 'en' | 'es'
type Text = { name: string; description?: string; excerpt?: string }
type Named = { first: Lang; texts: Partial<Record<Lang, Text>>; website?: string }
type Row = Record<string, unknown>
type When = { start: string; end: string; timeZone: string; allDay?: true }
type Draft = Named & When & { id: string; fit: boolean; cost: string[]; image?: Row | undefined; venue: Row & Named
  organizer: Named; categories: string[]; tags: string[] }

// Key, English, French, Spanish, parent, and the words (lower case, no accents) that put an event there.
const CATEGORIES: [string, string, string, string, string, RegExp][] = [
  ['music', 'Music', 'Musique', 'Música', '', /\b(musi|jazz|flamenco|opera\b|zarzuela|coro\b|chorale|swing|hip hop)/],
  ['concerts', 'Concerts', 'Concerts', 'Conciertos', 'music', /\b(concert|concierto|orquesta|orchestre)/],
  ['stage', 'Performing arts', 'Spectacle vivant', 'Artes escénicas', '', /\b(spectac|espectac|circo|cirque|magia)/],
  ['theatre', 'Theatre', 'Théâtre', 'Teatro', 'stage', /\b(theatr|teatr|comedia|monologo)/],
  ['dance', 'Dance', 'Danse', 'Danza', 'stage', /\b(danse|danza|baile|ballet)/],
  ['exhibitions', 'Exhibitions', 'Expositions', 'Exposiciones', '', /\b(exposi|vernissage)/],
  ['cinema', 'Cinema', 'Cinéma', 'Cine', '', /\b(cine\b|cinema|films?\b|pelicula|projection|documental\b)/],
  ['comics', 'Comics', 'Bande dessinée', 'Cómic', '', /\b(bd|bandes? dessinees?|comics?|mangas?)\b/],
  ['heritage', 'Heritage', 'Patrimoine', 'Patrimonio', '', /\b(visit|patrimoi?n|itinerario|paseo|balade|museo\b)/],
  ['workshops', 'Workshops', 'Ateliers', 'Talleres', '', /\b(atelier|taller|cursos?\b|stage de|masterclass)/],
  ['talks', 'Talks', 'Conférences', 'Charlas', '', /\b(conferenc|rencontre|charla|encuentro|coloquio|debat|jornada)/],
  ['books', 'Books', 'Livres', 'Libros', '', /\b(lectur|livres?\b|libros?\b|poe[ts]|litera)/],
  ['children', 'Children', 'Enfants', 'Niños', '',
    /\b(jeune public|enfant|infantil|ninos|familia|titeres|cuenta|contes)/],
  ['sport', 'Sport', 'Sport', 'Deporte', '', /\b(sport|deport|yoga|tournoi|carreras|natacion|ciclismo|senderis)/],
  ['nature', 'Nature', 'Nature', 'Naturaleza', '', /\b(natur|ambiental|ornitolog|huerto|jardi|biodiversi|ecologi)/],
  ['festivals', 'Festivals', 'Festivals', 'Festivales', '', /\b(festival|fiestas?\b|carnaval|fete\b|[0-9]+distritos)/],
  ['markets', 'Markets', 'Marchés', 'Mercados', '', /\b(marche de|mercad|salon d|braderie|ferias\b)/]
]
const pairs = (text: string): Map<string, string> =>
  new Map(text.split(' ').map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]))
// The three agendas number their event types in ranges that do not meet.
const TYPES = pairs('1:children 3:workshops 5:heritage 9:stage 10:heritage 11:heritage 43:workshops 45:cinema'
  + ' 46:concerts 47:talks 48:talks 51:sport 52:exhibitions 53:festivals 54:markets 55:heritage 56:books 57:markets'
  + ' 58:talks 59:stage 60:nature 682:workshops 685:talks 686:exhibitions 688:books 704:books 705:books 706:cinema'
  + ' 707:talks 708:stage 709:festivals 771:workshops')
const ENTITIES = pairs('amp:& lt:< gt:> quot:" apos:\' nbsp:\u00a0 hellip:… rsquo:’ laquo:« raquo:» euro:€')
const ACCENTS = pairs('musica:música natacion:natación jovenes:jóvenes')
// Machine translations in the source that read badly are kept, but not in the first weeks.
const AWKWARD = /^(jep(59107970|52795663|20936032|52907535|65571290|7302483|33261904|61220279)|many93795127)$/
const CONTACT = /[\w.+-]+@[\w-]+\.[\w.-]*\w|(?:\+33 ?|\b0)[67](?:[ .-]?\d{2}){4}\b|\b6\d{2}(?:[ .]?\d{3}){2}\b/g

const at = (row: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Row | null | undefined)?.[key], row)
const str = (row: unknown, path: string): string => [at(row, path)].find((value) => typeof value === 'string') ?? ''
const num = (row: unknown, path: string): number | undefined =>
  [at(row, path)].find((value) => typeof value === 'number')
const rows = (row: unknown, path: string): unknown[] => [at(row, path)].find((value) => Array.isArray(value)) ?? []
const web = (items: unknown[]): string | undefined =>
  items.map((item) => `${item ?? ''}`.trim()).find((item) => /^https?:\/\//i.test(item) && URL.canParse(item))
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const slug = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')

const decode = (text: string): string => text.replace(/&(?:#(\d+)|([a-z]+));/gi, (all, code, name) =>
  code ? String.fromCodePoint(Number(code)) : ENTITIES.get(name.toLowerCase()) ?? all)
const markTags = (text: string): string => text.replace(/<(script|style|iframe)\b[\s\S]*?<\/\1>/gi, '')
  .replace(/<br\s*\/?>/gi, '\n').replace(/<\/(p|div|h\d|ul)>/gi, '\n\n').replace(/<li[^>]*>/gi, '\n* ')
  .replace(/<\/?(?:b|strong)>/gi, '**').replace(/<\/?[a-z][^>]*>/gi, '')
const tidy = (text: string): string => decode(decode(markTags(text))).replace(/\r\n?/g, '\n').replace(/\uf0b7/g, '•')
  .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\ufeff\ue000-\uf8ff\ufffd]/g, '').replace(CONTACT, '')
  .replace(/[\t\u00a0\u2000-\u200a\u202f ]+/g, ' ').replace(/:" /g, ': "').replace(/ (?=[,)])|[ ¡¿]+$/gm, '').trim()
const plain = (text: string): string => tidy(text).replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*\*|`/g, '')
  .replace(/(?<![\p{L}\d\\])_(.+?)_(?![\p{L}\d])/gu, '$1').replace(/\\(?=[!-/:-@[-`{-~])/g, '').replace(/\s+/g, ' ')
const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

// A markdown escape ("\*") is one private-use character until the marks around it have been read.
const hide = (text: string): string =>
  text.replace(/\\([!-/:-@[-`{-~])/g, (_all, sign: string) => String.fromCharCode(0xe000 + sign.charCodeAt(0)))
const reveal = (text: string): string =>
  text.replace(/[\ue000-\ue07f]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000))
const inline = (raw: string): string => {
  const links: string[] = []
  const marked = raw.replace(/!?\[([^\]]*)\]\(\s*([^)\s]+)[^)]*\)/g, (_all, label: string, target: string) => {
    const href = web([reveal(target)])
    return href && label.trim() ? `${String.fromCharCode(0xe200 + links.push(href))}${label}\ue1ff` : label
  })
  return escapeHtml(marked).replace(/_\*\*([^_*]+)\*\*_/g, '**_$1_**')
    .replace(/(?<![\p{L}\d])_(\s*)([^_*\ue1ff-\uf8ff]+?)(\s*)_(?![\p{L}\d])/gu, '$1<em>$2</em>$3')
    .replace(/(?<![\p{L}\d])_|_(?![\p{L}\d])|(?<=\s)\ue05f|\ue05f(?=[\s….,])/gu, '')
    .replace(/\*\*(\s*)(.+?)(\s*)\*\*/g, '$1<strong>$2</strong>$3').replace(/\*\*|`|[\ue02a\ue05f]{2,}/g, '')
    .replace(/<(strong|em)>\s*<\/\1>/g, '').replace(/\ue1ff/g, '</a>').replace(/[\ue201-\uf8ff]/g, (sign) =>
      `<a href="${escapeHtml(links[sign.charCodeAt(0) - 0xe201] ?? '').replace(/"/g, '%22')}">`)
    .replace(/[\ue000-\ue07f]/g, (sign) => escapeHtml(reveal(sign))).replace(/ {2,}/g, ' ').trim()
}

const ITEM = '^(?:[-*+•●▪◦►➤➡‣·–✓\ue02a\ue02b\ue02d]|\ue02d\ue02d|[=\ue03d]?[>\ue03e]{1,2}) +'
const SENTENCES = /(.{450,}?[\p{Ll}\d)»”][.!?…]) (?=[\p{Lu}«¿¡“])/gu
const block = (lines: string[]): string[] => {
  const [, marks, title = ''] = /^(#{1,6}) +(.+?) *#*$/.exec(lines[0] ?? '') ?? []
  const items = lines.map((line) => line.replace(new RegExp(ITEM), ''))
  if (marks) return [`<h3>${inline(title).replace(/<.?strong>/g, '')}</h3>`.replace(/h3/g, marks[3] ? 'h4' : 'h3')]
  if (items.length > 1 && items.every((item, index) => item !== lines[index])) {
    return [`<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`]
  }
  if (lines.length === 0) return []
  if (lines.every((line) => line.length <= 160)) return [`<p>${lines.map(inline).join('<br>')}</p>`]
  return lines.flatMap((line) => line.replace(SENTENCES, '$1\n').split('\n')).map((line) => `<p>${inline(line)}</p>`)
}
const toHtml = (text: string): string => {
  const spaced = hide(tidy(text)).replace(/^ +| +$/gm, '').replace(/(?<=^|\n\n)([^\n]+)\n(?:-{3,}|={3,})$/gm, '### $1')
    .replace(new RegExp(`(?:${ITEM}.+(?:\n+|$(?!.))){2,}`, 'gm'), (run) => `\n\n${run.replace(/\n+/g, '\n')}\n\n`)
    .replace(/^#{1,6} .*$/gm, '\n\n$&\n\n')
  const lines = (part: string): string[] => part.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(reveal(line)))
  let size = 0
  return spaced.split(/\n{2,}/).flatMap((part) => block(lines(part))).filter((html) => (size += html.length) <= 2500)
    .join('').replace(/(<h(\d)>((?!<h).)*<\/h\2>)+$/, '')
}

const dayAfter = (time: string, count: number): string =>
  new Date(Date.parse(time.slice(0, 10)) + count * 864e5).toISOString().slice(0, 10)
const wall = (instant: string, timeZone: string): string => new Intl.DateTimeFormat('sv-SE',
  { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(instant)).replace(' ', 'T')
const wholeDays = (start: string, end: string, timeZone: string): When => {
  const midnight = end.endsWith('T00:00:00')
  const [day, last] = [dayAfter(start, 0), dayAfter(end, midnight ? -1 : 0)]
  const whole = start.slice(11) <= '00:30:00' && last >= day && (midnight || end.slice(11) >= '23:30:00')
  if (!whole) return { start, end, timeZone }
  return { start: `${day}T00:00:00`, end: `${last}T23:59:59`, timeZone, allDay: true }
}
// The first timing, with those that follow it without a gap; a festival of two to four days is one event.
const oneTiming = (slots: unknown[], zone: string, festival: boolean): When => {
  const begins = slots.map((slot) => wall(str(slot, 'begin') || str(slot, 'start'), zone))
  const ends = slots.map((slot) => wall(str(slot, 'end'), zone))
  let [[start = ''], [end = '']] = [begins, ends]
  const day = dayAfter(start, 0)
  for (const [index, to] of ends.entries()) if (begins[index] === end && to.startsWith(day)) end = to
  const last = ends.at(-1) ?? ''
  return wholeDays(start, festival && last > end && last < dayAfter(day, 4) ? last : end, zone)
}
const madridTiming = (event: unknown): When => {
  const [time, days, from] = [str(event, 'time'), str(event, 'recurrence.days'), str(event, 'dtstart')]
  const open = [0, 1, 2, 3, 4, 5, 6].map((count) => dayAfter(from, count)).find((date) =>
    days.includes('SUMOTUWETHFRSA'.slice(new Date(date).getUTCDay() * 2).slice(0, 2)))
  const [day, to] = [open ?? dayAfter(from, 0), dayAfter(str(event, 'dtend'), 0)]
  const last = !days && to < dayAfter(day, 4) ? to : day
  if (!time) return wholeDays(`${day}T00:00:00`, `${last}T23:59:00`, 'Europe/Madrid')
  // The source has no end time (23:59 stands there): the length named in the text, or else two hours.
  const length = /Duraci[oó]n[^:.]{0,20}: *(\d+) *(min|h|’|')/i.exec(str(event, 'description'))
  const minutes = length ? Number(length[1]) * (length[2] === 'h' ? 60 : 1) : 120
  const end = new Date(Date.parse(`${day}T${time}Z`) + minutes * 6e4).toISOString().slice(0, 19)
  return { start: `${day}T${time}:00`, end, timeZone: 'Europe/Madrid' }
}

const AMOUNT = /(?<![\d.,])(\d+(?:[.,]\d\d?)?)(?=\s*(?:(?:à|a|et|y|-|–|\/)\s*\d+(?:[.,]\d\d?)?\s*)*(?:€|euros?\b))/gi
const FREE = /gratui|(?:entr|antr|acc)\S* (?:et gratuite )?libre|^libre$/i
const costOf = (said: string, free: boolean, most: number): string[] => {
  const found = [...said.matchAll(AMOUNT)].map((match) => `${Number(match[1]?.replace(',', '.'))} €`)
  return found.length === 0 && free ? ['0 €'] : [...new Set(found)].filter((_item, _index, all) => all.length <= most)
}
const categoriesOf = (type: string, ...texts: string[]): string[] => {
  const named = texts.flatMap((text) => CATEGORIES.filter((row) => row[5].test(fold(text))).map((row) => row[0]))
  const all = [TYPES.get(type) ?? '', ...named].filter(Boolean)
  const parents = CATEGORIES.filter((row) => all.includes(row[0])).map((row) => row[4])
  return [...new Set(all)].filter((key) => !parents.includes(key)).slice(0, 2)
}
const tagsOf = (lang: Lang, list: unknown[]): string[] => list
  .map((item) => plain(`${item ?? ''}`).toLowerCase().replace(/^#+|["«».]/g, '').trim())
  .filter((item) => /^[^@:/,]{3,30}$/.test(item) && /\p{L}/u.test(item)).map((item) => `${lang}:${item}`)
// The 2018 translations offer "word(other word)": the first of the two is kept.
const wording = (row: unknown, path: string, lang: Lang): string =>
  str(row, `${path}.${lang}`).replace(lang === 'fr' ? /$^/ : /(?<=\p{L})\((?:\p{L}[\p{L}, ]+)\)/gu, '')
const textsOf = (row: unknown): Named['texts'] => Object.fromEntries((['fr', 'en', 'es'] as const).map((lang) => {
  const [name, long] = [plain(wording(row, 'title', lang)), toHtml(wording(row, 'longDescription', lang))]
  // The source cuts the short text at 200 characters.
  const short = wording(row, 'description', lang).replace(/^(?=.{190,200}$)(.+)\s\S*[^.!?»")…]$/s, '$1…')
  return [lang, { name, description: long || toHtml(short), excerpt: long && plain(short) }] as const
}).filter(([, text]) => text.name && text.description))

const picture = (base: string, file: unknown, name?: string): Row => {
  const url = `${base}${str(file, 'filename')}`.replace(/^\/\//, 'https://')
  const mimeType = /\.png\b/i.test(url) ? 'image/png' : 'image/jpeg'
  return { name, width: num(file, 'size.width'), height: num(file, 'size.height'), url, mimeType }
}
const imageOf = (event: unknown): Row | undefined => {
  const [main, base, files] = [at(event, 'image'), str(event, 'image.base'), rows(event, 'image.variants')]
  if (typeof main === 'string') return picture(str(event, 'originalImage') || main, null)
  // A static file is the grey logo that stands for "no image".
  if (!str(main, 'filename') || !base || base.includes('/static/')) return undefined
  const full = files.find((file) => str(file, 'type') === 'full') ?? main
  const others = [main, ...files].filter((file) => file !== full && num(file, 'size.width') && num(file, 'size.height'))
  return { ...picture(base, full), sizes: others.map((file) => picture(base, file, str(file, 'type') || 'medium')) }
}
// One of the files gives no more than name, address and coordinates; all its places are in Seine-Maritime.
const placeOf = (place: unknown): Row & Named => {
  const [name, address, nation] = [plain(str(place, 'name')), plain(str(place, 'address')), str(place, 'countryCode')]
  const [, code, town] = /\b(\d{5}) (\D+)$/.exec(address) ?? []
  const described = textsOf({ title: { fr: name, en: name, es: name }, description: at(place, 'description') })
  const photo = str(place, 'image')
  return {
    first: 'fr', texts: { fr: { name }, ...described },
    address: address.replace(/^https?:.*|[ ,-]*(\b\d{5}\b.*)?$/g, ''), city: str(place, 'city') || town,
    zip: str(place, 'postalCode') || code,
    province: nation ? str(place, 'department') : 'Seine-Maritime',
    stateProvince: nation ? str(place, 'region') : 'Normandie',
    country: new Intl.DisplayNames('en', { type: 'region' }).of(nation.toUpperCase() || 'FR'),
    phone: str(place, 'phone').replace(/^(?:00 ?|\+)33 ?/, '0').replace(/^0[67].*/, ''),
    website: web([at(place, 'website'), ...rows(place, 'links')]),
    latitude: num(place, 'latitude'), longitude: num(place, 'longitude'),
    image: photo.startsWith('//') ? picture(photo, null) : undefined
  }
}
const fromOpenAgenda = (source: string, event: unknown): Draft => {
  const [place, agenda] = [at(event, 'location'), at(event, 'originAgenda') ?? at(event, 'origin')]
  const named = rows(event, 'tags').flatMap((tag) => str(tag, 'label').split(' / '))
  const labels = [...rows(event, 'keywords.fr'), ...named]
  const type = ['type-devenement', 'types-devenement', 'categories-agenda-metropolitain'].map((key) => at(event, key))
  const title = str(event, 'title.fr')
  const theme = { bd: 'bd', jep: 'patrimoine', many: 'patrimoine' }[source] ?? ''
  const categories = categoriesOf(type.join(''), `${title} ${labels.join(' ')}`, theme)
  const said = plain(`${str(event, 'tarif')} ; ${str(event, 'conditions.fr')}`)
  const free = FREE.test(said) || num(event, 'gratuite') === 66 || labels.includes('Gratuit')
  const slots = [...rows(event, 'timings'), at(event, 'nextTiming')].filter(Boolean)
  const zone = str(event, 'timezone') || str(place, 'timezone') || 'Europe/Paris'
  const about = { name: plain(str(agenda, 'title')), description: toHtml(str(agenda, 'description')) }
  const [french = '', english = ''] = ['fr', 'en'].map((lang) =>
    `${str(event, `longDescription.${lang}`)} ${str(event, `description.${lang}`)}`)
  return {
    id: `${source}${at(event, 'uid')}`, first: 'fr', texts: textsOf(event), categories, image: imageOf(event),
    ...oneTiming(slots, zone, categories.includes('festivals')), venue: placeOf(place), cost: costOf(said, free, 4),
    organizer: { first: 'fr', texts: { fr: about }, website: web([at(agenda, 'url')]) }, tags: tagsOf('fr', labels),
    website: web(rows(event, 'registration').map((item) => at(item, 'value') ?? item)),
    fit: (num(event, 'state') ?? 2) === 2 && !/annul|report[ée]/i.test(title)
      && french.slice(0, 60) !== english.slice(0, 60) && `${french} ${english}`.search(CONTACT) < 0
  }
}
// Madrid's paragraphs end in two or more spaces; two alone may also be what is left of italics.
const LOST_BREAK = /\s{3,}|(?<=[.!?…:;»”)'"\d])\s{2}|\s{2}(?=\p{Lu}[\p{L} ]{3,25}:)/gu
const titleCase = (text: string): string => text.toLowerCase()
  .replace(/(?<!\p{L})(?!(?:del?|las?|el|los|y|s\/n)(?!\p{L}))\p{L}/gu, (letter) => letter.toUpperCase())
const fromMadrid = (event: unknown): Draft => {
  const type = str(event, '@type').replace(/.*\//, '').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase()
  const [audience, text] = [str(event, 'audience'), str(event, 'description')]
  const words = [...audience.toLowerCase().split(','), type.replace(/ .*|^(programacion|1ciudad|actividades).*/, '')]
  const name = plain(str(event, 'organization.organization-name'))
  const house: Named = { first: 'es', texts: { es: { name } } }
  return {
    id: `madrid${str(event, 'id')}`, first: 'es', ...madridTiming(event), website: web([at(event, 'link')]),
    texts: textsOf({ title: { es: str(event, 'title') }, description: { es: text.replace(LOST_BREAK, '\n\n') } }),
    cost: num(event, 'free') === 1 ? ['0 €'] : costOf(str(event, 'price').replace(/.*desde.*/i, ''), false, 1),
    venue: { ...house, address: titleCase(str(event, 'address.area.street-address')), city: 'Madrid', country: 'Spain',
      province: 'Madrid', stateProvince: 'Comunidad de Madrid', zip: str(event, 'address.area.postal-code'),
      latitude: num(event, 'location.latitude'), longitude: num(event, 'location.longitude') },
    organizer: house, categories: categoriesOf('', type, str(event, 'title'), audience, text.slice(0, 150)),
    tags: tagsOf('es', words.map((word) => ACCENTS.get(word) ?? word)), fit: text.search(CONTACT) < 0
  }
}

const nameOf = (item: Named): string => item.texts[item.first]?.name ?? ''
// The best of the rest again and again, where what was taken before (kind, town, place, length, title) counts less.
const pick = (drafts: Draft[], count: number): Draft[] => {
  const seen = new Map<string, number>()
  const rest = drafts.map((draft) => {
    const { venue, image, categories, tags, texts, first } = draft
    const length = Math.min(4, Math.ceil((texts[first]?.description?.length ?? 0) / 250))
    const value = (image ? 3 : 0) + (num(venue, 'latitude') ? 3 : 0) + length / 2 + (tags.length > 0 ? 0.5 : 0)
    const traits = { [categories.join()]: 0.1, [`in ${venue.city}`]: 0.2, [`at ${nameOf(venue)}`]: 0.4, [length]: 0.04 }
    const all = Object.entries({ ...traits, [slug(nameOf(draft))]: 9 })
    return { draft, value: categories.length > 0 ? value : -9, traits: all }
  })
  const worth = ({ value, traits }: (typeof rest)[0]): number =>
    traits.reduce((sum, [key, weight]) => sum - weight * (seen.get(key) ?? 0), value)
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const best = rest.reduce((left, right) => worth(right) > worth(left) ? right : left)
    for (const [key] of best.traits) seen.set(key, (seen.get(key) ?? 0) + 1)
    return rest.splice(rest.indexOf(best), 1)
  }).flatMap((found) => found.map((item) => item.draft))
}
const inLangs = (drafts: Draft[], langs: string): Draft[] => [...new Map(drafts
  .filter((draft) => Object.keys(draft.texts).join() === langs && draft.end > draft.start)
  .map((draft) => [`${slug(nameOf(draft))} ${draft.start}`, draft])).values()]
const telling = (draft: Draft): boolean =>
  Object.values(draft.texts).every((text) => (text.description ?? '').length > 90)
const fit = (drafts: Draft[], langs: string, count: number): Draft[] =>
  pick(inLangs(drafts, langs).filter((draft) => draft.fit && telling(draft)), count)

const folder = process.argv[2] ?? '.'
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8').replace(/[\0-\x1f]/g, ' '))
const openAgenda = (source: string, list: unknown): Draft[] =>
  rows({ list }, 'list').map((event) => fromOpenAgenda(source, event))
const many = read('openagenda/manyEvents.response.json')
const comics = openAgenda('bd', read('openagenda/bd2020.events.json'))
const three = pick(inLangs([...openAgenda('jep', rows(read('openagenda/jep-2018-grand-est.json'), 'events')), ...comics,
  ...openAgenda('many', [...rows(many, 'from0.events'), ...rows(many, 'from20.events')])], 'fr,en,es'), 99)
const early = three.filter((draft) => !AWKWARD.test(draft.id)).slice(0, 32)
const groups = [three.filter((draft) => !early.includes(draft)), fit(comics, 'fr,en', 170),
  fit(openAgenda('bordeaux', read('openagenda/bordeaux-metropole.events.json')), 'fr', 60),
  fit(rows(read('madrid-agenda/madrid-events.json'), '@graph').map(fromMadrid), 'es', 125)]
const rest = groups.flatMap((group, turn) =>
  group.map((draft, index) => ({ draft, week: 3 + Math.floor((index + turn / 4) * 50 / group.length) })))
const planned = [...early.map((draft, index) => ({ draft, week: index % 7 < 4 ? 1 : 2 })), ...rest]
  .sort((left, right) => left.week - right.week)

const sample: Record<string, Row[]> = { images: [], venues: [], organizers: [], categories: [], tags: [], events: [] }
const keys = new Map<string, string>()
const put = (kind: string, id: string, row: Row | undefined): string => {
  const key = keys.get(`${kind} ${id}`) ?? `${kind[0]}${(sample[kind]?.length ?? 0) + 1}`
  if (row && !keys.has(`${kind} ${id}`)) sample[kind]?.push({ key, ...row })
  if (row) keys.set(`${kind} ${id}`, key)
  return row ? key : ''
}
const known = (kind: string, ids: string[]): string[] =>
  [...new Set(ids.map((id) => keys.get(`${kind} ${id}`) ?? ''))].filter(Boolean)
for (const [id, en, fr, es, parent] of CATEGORIES) {
  const texts = { en: { name: en }, fr: { name: fr }, es: { name: es } }
  put('categories', id, { first: 'en', texts, parent: keys.get(`categories ${parent}`) })
}
const uses = Map.groupBy(planned.flatMap(({ draft }) => draft.tags).sort(), (tag) => tag)
for (const [tag] of [...uses].sort((left, right) => right[1].length - left[1].length).slice(0, 60)) {
  put('tags', tag, { first: tag.slice(0, 2), texts: { [tag.slice(0, 2)]: { name: tag.slice(3) } } })
}
for (const [index, { draft, week }] of planned.entries()) {
  const { first, texts, start, end, timeZone, allDay, cost, website, venue, organizer } = draft
  const [image, photo] = [draft.image, venue.image as Row].map((item) => put('images', str(item, 'url'), item))
  const place = nameOf(venue) && put('venues', slug(`${nameOf(venue)} ${venue.city}`), { ...venue, image: photo })
  const host = nameOf(organizer) && put('organizers', slug(nameOf(organizer)), organizer)
  sample.events?.push({ first, texts, week, start, end, timeZone, allDay, cost, website, image,
    venues: [place].filter(Boolean), organizers: [host].filter(Boolean),
    categories: known('categories', draft.categories), tags: known('tags', draft.tags),
    featured: index % 33 === 0 || index === 5 || undefined })
}
const filled = (_key: string, value: unknown): unknown =>
  value === '' || (Array.isArray(value) && value.length === 0) ? undefined
    : typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value
const sections = Object.entries(sample).map(([kind, list]) =>
  `"${kind}": [\n${list.map((row) => JSON.stringify(row, filled)).join(',\n')}\n]`)
writeFileSync(join(import.meta.dirname, 'sample.json'), `{\n${sections.join(',\n')}\n}\n`)
