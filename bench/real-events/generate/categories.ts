import type { Lang } from './draft.ts'
import { plain } from './html.ts'
import { fold, pairs } from './raw.ts'

// Key, English, French, Spanish, parent, and the words (lower case, no accents) that assign an event to the category.
export const categories: [string, string, string, string, string, RegExp][] = [
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
  [
    'children',
    'Children',
    'Enfants',
    'Niños',
    '',
    /\b(jeune public|enfant|infantil|ninos|familia|titeres|cuenta|contes)/,
  ],
  ['sport', 'Sport', 'Sport', 'Deporte', '', /\b(sport|deport|yoga|tournoi|carreras|natacion|ciclismo|senderis)/],
  ['nature', 'Nature', 'Nature', 'Naturaleza', '', /\b(natur|ambiental|ornitolog|huerto|jardi|biodiversi|ecologi)/],
  ['festivals', 'Festivals', 'Festivals', 'Festivales', '', /\b(festival|fiestas?\b|carnaval|fete\b|[0-9]+distritos)/],
  ['markets', 'Markets', 'Marchés', 'Mercados', '', /\b(marche de|mercad|salon d|braderie|ferias\b)/],
]

// The event type IDs of the three agendas do not overlap.
const categoryOfType = pairs(
  '1:children 3:workshops 5:heritage 9:stage 10:heritage 11:heritage 43:workshops 45:cinema' +
    ' 46:concerts 47:talks 48:talks 51:sport 52:exhibitions 53:festivals 54:markets 55:heritage 56:books 57:markets' +
    ' 58:talks 59:stage 60:nature 682:workshops 685:talks 686:exhibitions 688:books 704:books 705:books 706:cinema' +
    ' 707:talks 708:stage 709:festivals 771:workshops',
)

export const categoriesOf = (type: string, ...texts: string[]): string[] => {
  const named = texts.flatMap((text) => categories.filter((row) => row[5].test(fold(text))).map((row) => row[0]))
  const all = [categoryOfType.get(type) ?? '', ...named].filter(Boolean)
  const parents = categories.filter((row) => all.includes(row[0])).map((row) => row[4])
  return [...new Set(all)].filter((key) => !parents.includes(key)).slice(0, 2)
}

export const tagsOf = (lang: Lang, list: unknown[]): string[] =>
  list
    .map((item) =>
      plain(`${item ?? ''}`)
        .toLowerCase()
        .replace(/^#+|["«».]/g, '')
        .trim(),
    )
    .filter((item) => /^[^@:/,]{3,30}$/.test(item) && /\p{L}/u.test(item))
    .map((item) => `${lang}:${item}`)
