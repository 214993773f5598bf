/** What a column of the file can be, with words that its heading may have: those of docs/spreadsheets.md, and usual ones. */
const words = {
  title: ['title', 'titre', 'titulo', 'event', 'evenement', 'evento', 'name', 'nom', 'nombre'],
  start: [
    'start',
    'start_date',
    'date',
    'begin',
    'debut',
    'inicio',
    'fecha',
    'date_de_debut',
    'fecha_de_inicio',
    'day',
  ],
  startTime: ['start_time', 'time', 'heure', 'hora', 'heure_de_debut', 'hora_de_inicio'],
  end: ['end', 'end_date', 'fin', 'date_de_fin', 'fecha_de_fin'],
  endTime: ['end_time', 'heure_de_fin', 'hora_de_fin'],
  venue: ['venues', 'venue', 'place', 'lieu', 'lugar', 'location', 'salle', 'sala', 'salle_lieu'],
  address: ['venue_address', 'address', 'adresse', 'direccion'],
  city: ['venue_city', 'city', 'ville', 'ciudad', 'commune', 'municipio'],
  organizer: ['organizers', 'organizer', 'organisateur', 'organizador'],
  categories: ['categories', 'category', 'categorie', 'categoria', 'categorias', 'type', 'tipo', 'rubrique'],
  tags: ['tags', 'tag', 'mots-cles', 'mots_cles', 'etiquettes', 'etiquetas', 'keywords'],
  cost: ['cost', 'price', 'prix', 'tarif', 'precio', 'tarifs'],
  website: ['website', 'url', 'site', 'site_web', 'lien', 'web', 'sitio_web', 'enlace', 'link'],
  excerpt: ['excerpt', 'summary', 'resume', 'resumen', 'chapo'],
  description: ['description', 'descriptif', 'descripcion', 'text', 'texte', 'texto'],
} as const

export type Target = keyof typeof words
export const targets = Object.keys(words) as readonly Target[]
export const required: readonly Target[] = ['title', 'start']

const normalize = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // The language of a text, as in `title:fr`.
    .replace(/:[a-z-]+$/, '')
    .trim()
    .replace(/[\s/]+/g, '_')

/** The index of the column for each target, as far as the headings say. */
export function guessColumns(headings: readonly string[]): Partial<Record<Target, number>> {
  const names = headings.map(normalize)
  const found = targets.flatMap((target) => {
    const index = words[target].map((word) => names.indexOf(word)).find((position) => position >= 0)
    return index === undefined ? [] : [[target, index] as const]
  })
  return Object.fromEntries(found)
}
