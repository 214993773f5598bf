import { categoriesOf, tagsOf } from './categories.ts'
import { costOf, freeEntry } from './cost.ts'
import type { Draft, Named } from './draft.ts'
import { contact, plain, toHtml } from './html.ts'
import { at, num, type Row, rows, str, web } from './raw.ts'
import { textsOf } from './texts.ts'
import { oneTiming } from './timing.ts'

const picture = (base: string, file: unknown, name?: string): Row => {
  const url = `${base}${str(file, 'filename')}`.replace(/^\/\//, 'https://')
  const mimeType = /\.png\b/i.test(url) ? 'image/png' : 'image/jpeg'
  return { name, width: num(file, 'size.width'), height: num(file, 'size.height'), url, mimeType }
}

const imageOf = (event: unknown): Row | undefined => {
  const [main, base, files] = [at(event, 'image'), str(event, 'image.base'), rows(event, 'image.variants')]
  if (typeof main === 'string') return picture(str(event, 'originalImage') || main, null)
  // A static file is the placeholder for events without an image.
  if (!str(main, 'filename') || !base || base.includes('/static/')) return undefined
  const full = files.find((file) => str(file, 'type') === 'full') ?? main
  const others = [main, ...files].filter((file) => file !== full && num(file, 'size.width') && num(file, 'size.height'))
  return { ...picture(base, full), sizes: others.map((file) => picture(base, file, str(file, 'type') || 'medium')) }
}

// One of the files has only names, addresses and coordinates; all its places are in Seine-Maritime.
const placeOf = (place: unknown): Row & Named => {
  const [name, address, nation] = [plain(str(place, 'name')), plain(str(place, 'address')), str(place, 'countryCode')]
  const [, code, town] = /\b(\d{5}) (\D+)$/.exec(address) ?? []
  const described = textsOf({ title: { fr: name, en: name, es: name }, description: at(place, 'description') })
  const photo = str(place, 'image')
  return {
    first: 'fr',
    texts: { fr: { name }, ...described },
    address: address.replace(/^https?:.*|[ ,-]*(\b\d{5}\b.*)?$/g, ''),
    city: str(place, 'city') || town,
    zip: str(place, 'postalCode') || code,
    province: nation ? str(place, 'department') : 'Seine-Maritime',
    stateProvince: nation ? str(place, 'region') : 'Normandie',
    country: new Intl.DisplayNames('en', { type: 'region' }).of(nation.toUpperCase() || 'FR'),
    phone: str(place, 'phone')
      .replace(/^(?:00 ?|\+)33 ?/, '0')
      .replace(/^0[67].*/, ''),
    website: web([at(place, 'website'), ...rows(place, 'links')]),
    latitude: num(place, 'latitude'),
    longitude: num(place, 'longitude'),
    image: photo.startsWith('//') ? picture(photo, null) : undefined,
  }
}

export const fromOpenAgenda = (source: string, event: unknown): Draft => {
  const [place, agenda] = [at(event, 'location'), at(event, 'originAgenda') ?? at(event, 'origin')]
  const named = rows(event, 'tags').flatMap((tag) => str(tag, 'label').split(' / '))
  const labels = [...rows(event, 'keywords.fr'), ...named]
  const type = ['type-devenement', 'types-devenement', 'categories-agenda-metropolitain'].map((key) => at(event, key))
  const title = str(event, 'title.fr')
  const theme = { bd: 'bd', jep: 'patrimoine', many: 'patrimoine' }[source] ?? ''
  const categories = categoriesOf(type.join(''), `${title} ${labels.join(' ')}`, theme)
  const said = plain(`${str(event, 'tarif')} ; ${str(event, 'conditions.fr')}`)
  const free = freeEntry.test(said) || num(event, 'gratuite') === 66 || labels.includes('Gratuit')
  const slots = [...rows(event, 'timings'), at(event, 'nextTiming')].filter(Boolean)
  const zone = str(event, 'timezone') || str(place, 'timezone') || 'Europe/Paris'
  const about = { name: plain(str(agenda, 'title')), description: toHtml(str(agenda, 'description')) }
  const [french = '', english = ''] = ['fr', 'en'].map(
    (lang) => `${str(event, `longDescription.${lang}`)} ${str(event, `description.${lang}`)}`,
  )
  return {
    id: `${source}${at(event, 'uid')}`,
    first: 'fr',
    texts: textsOf(event),
    categories,
    image: imageOf(event),
    ...oneTiming(slots, zone, categories.includes('festivals')),
    venue: placeOf(place),
    cost: costOf(said, free, 4),
    organizer: { first: 'fr', texts: { fr: about }, website: web([at(agenda, 'url')]) },
    tags: tagsOf('fr', labels),
    website: web(rows(event, 'registration').map((item) => at(item, 'value') ?? item)),
    fit:
      (num(event, 'state') ?? 2) === 2 &&
      !/annul|report[ée]/i.test(title) &&
      french.slice(0, 60) !== english.slice(0, 60) &&
      `${french} ${english}`.search(contact) < 0,
  }
}
