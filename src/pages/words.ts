// What the pages say themselves; everything else on them is content. A language without words here gets the English ones.

export interface Words {
  readonly skip: string
  readonly languages: string
  readonly lead: string
  readonly comingEvents: string
  readonly noEvents: string
  readonly pages: string
  readonly pageOf: (page: number, pages: number) => string
  readonly previous: string
  readonly next: string
  readonly when: string
  readonly where: string
  readonly address: string
  readonly map: string
  readonly organizers: string
  readonly cost: string
  readonly free: string
  readonly tickets: string
  readonly website: string
  readonly phone: string
  readonly email: string
  readonly categories: string
  readonly tags: string
  readonly partOf: string
  readonly parts: string
  readonly within: string
  readonly over: string
  readonly unpublished: string
  /** `original` is the language that the record is shown in, by its name. */
  readonly untranslated: (original: string) => string
  readonly locked: string
  readonly password: string
  readonly open: string
  readonly wrongPassword: string
  readonly home: string
  readonly notFound: string
  readonly notPublic: string
  readonly gone: string
  readonly signIn: string
  readonly later: string
  readonly broken: string
  readonly unreadable: string
  readonly developers: string
  readonly graphql: string
  readonly tryGraphiql: string
  readonly rest: string
  readonly documentation: string
  readonly firstRequests: string
}

const en: Words = {
  skip: 'Skip to content',
  languages: 'Languages',
  lead: 'What is on, where, and who is behind it.',
  comingEvents: 'Coming events',
  noEvents: 'No coming events.',
  pages: 'Pages',
  pageOf: (page, pages) => `Page ${page} of ${pages}`,
  previous: 'Previous',
  next: 'Next',
  when: 'When',
  where: 'Where',
  address: 'Address',
  map: 'Map',
  organizers: 'Organizers',
  cost: 'Cost',
  free: 'Free',
  tickets: 'Tickets',
  website: 'Website',
  phone: 'Phone',
  email: 'Email',
  categories: 'Categories',
  tags: 'Tags',
  partOf: 'Part of',
  parts: 'Parts of this event',
  within: 'Within',
  over: 'This event is over.',
  unpublished: 'Not published: visitors do not see this page.',
  untranslated: (original) => `Not translated yet; shown in ${original}.`,
  locked: 'This page is protected. Enter its password to read it.',
  password: 'Password',
  open: 'Open',
  wrongPassword: 'That is not the password of this page.',
  home: 'To the calendar',
  notFound: 'There is nothing at this address.',
  notPublic: 'This page is not public.',
  gone: 'This page was taken away.',
  signIn: 'The login that was sent is not valid here.',
  later: 'Please try again later.',
  broken: 'Something went wrong here; it was logged.',
  unreadable: 'What was sent cannot be read here.',
  developers: 'For developers',
  graphql: 'Everything that is here, to query and to change, in one graph.',
  tryGraphiql: 'Try it in GraphiQL',
  rest: 'The same records as JSON, for clients of the legacy contract.',
  documentation: 'Documentation',
  firstRequests: 'First requests',
}

const fr: Words = {
  skip: 'Aller au contenu',
  languages: 'Langues',
  lead: 'Ce qui se passe, où, et par qui.',
  comingEvents: 'Événements à venir',
  noEvents: 'Aucun événement à venir.',
  pages: 'Pages',
  pageOf: (page, pages) => `Page ${page} sur ${pages}`,
  previous: 'Précédente',
  next: 'Suivante',
  when: 'Quand',
  where: 'Où',
  address: 'Adresse',
  map: 'Carte',
  organizers: 'Organisation',
  cost: 'Tarif',
  free: 'Gratuit',
  tickets: 'Billets',
  website: 'Site web',
  phone: 'Téléphone',
  email: 'E-mail',
  categories: 'Catégories',
  tags: 'Mots-clés',
  partOf: 'Fait partie de',
  parts: 'Au programme de cet événement',
  within: 'Sous-catégories',
  over: 'Cet événement est terminé.',
  unpublished: 'Non publié : les visiteurs ne voient pas cette page.',
  untranslated: (original) => `Pas encore traduit ; affiché en ${original}.`,
  locked: 'Cette page est protégée. Saisissez son mot de passe pour la lire.',
  password: 'Mot de passe',
  open: 'Ouvrir',
  wrongPassword: 'Ce n’est pas le mot de passe de cette page.',
  home: 'Vers l’agenda',
  notFound: 'Il n’y a rien à cette adresse.',
  notPublic: 'Cette page n’est pas publique.',
  gone: 'Cette page a été retirée.',
  signIn: 'L’identifiant envoyé n’est pas valable ici.',
  later: 'Réessayez plus tard.',
  broken: 'Une erreur s’est produite ici ; elle a été consignée.',
  unreadable: 'Ce qui a été envoyé ne peut pas être lu ici.',
  developers: 'Pour les développeurs',
  graphql: 'Tout ce qui est ici, à lire et à modifier, dans un seul graphe.',
  tryGraphiql: 'Essayer dans GraphiQL',
  rest: 'Les mêmes fiches en JSON, pour les clients du contrat historique.',
  documentation: 'Documentation',
  firstRequests: 'Premières requêtes',
}

const es: Words = {
  skip: 'Ir al contenido',
  languages: 'Idiomas',
  lead: 'Qué hay, dónde y quién lo organiza.',
  comingEvents: 'Próximos eventos',
  noEvents: 'No hay próximos eventos.',
  pages: 'Páginas',
  pageOf: (page, pages) => `Página ${page} de ${pages}`,
  previous: 'Anterior',
  next: 'Siguiente',
  when: 'Cuándo',
  where: 'Dónde',
  address: 'Dirección',
  map: 'Mapa',
  organizers: 'Organización',
  cost: 'Precio',
  free: 'Gratis',
  tickets: 'Entradas',
  website: 'Sitio web',
  phone: 'Teléfono',
  email: 'Correo electrónico',
  categories: 'Categorías',
  tags: 'Etiquetas',
  partOf: 'Forma parte de',
  parts: 'Partes de este evento',
  within: 'Subcategorías',
  over: 'Este evento ya ha terminado.',
  unpublished: 'Sin publicar: los visitantes no ven esta página.',
  untranslated: (original) => `Aún sin traducir; se muestra en ${original}.`,
  locked: 'Esta página está protegida. Introduzca su contraseña para leerla.',
  password: 'Contraseña',
  open: 'Abrir',
  wrongPassword: 'Esa no es la contraseña de esta página.',
  home: 'Ir al calendario',
  notFound: 'No hay nada en esta dirección.',
  notPublic: 'Esta página no es pública.',
  gone: 'Esta página se ha retirado.',
  signIn: 'Las credenciales enviadas no son válidas aquí.',
  later: 'Inténtelo más tarde.',
  broken: 'Algo ha fallado aquí; ha quedado registrado.',
  unreadable: 'Lo que se envió no se puede leer aquí.',
  developers: 'Para desarrolladores',
  graphql: 'Todo lo que hay aquí, para consultar y cambiar, en un solo grafo.',
  tryGraphiql: 'Probar en GraphiQL',
  rest: 'Los mismos registros en JSON, para clientes del contrato heredado.',
  documentation: 'Documentación',
  firstRequests: 'Primeras peticiones',
}

const known: Readonly<Record<string, Words>> = { en, fr, es }

/** A regional language, such as `fr-ca`, has the words of its language. */
export const wordsOf = (language: string): Words => known[language] ?? known[language.split('-')[0] ?? ''] ?? en

/** Its name in itself: `français`. */
export const nameOf = (language: string, inLanguage = language): string =>
  new Intl.DisplayNames(inLanguage, { type: 'language' }).of(language) ?? language
