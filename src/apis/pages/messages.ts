// Texts of the pages, by language. Other languages get the English texts.

interface StatusTexts {
  readonly label: string
  /** A sentence. */
  readonly text: string
}

export interface Messages {
  readonly skip: string
  readonly languages: string
  readonly calendar: string
  readonly breadcrumbs: string
  readonly contact: string
  readonly lead: string
  readonly upcomingEvents: string
  readonly search: string
  readonly find: string
  readonly searchResults: (text: string) => string
  readonly noResults: string
  readonly similar: string
  readonly events: string
  readonly eventCount: (count: number) => string
  readonly moreEvents: (count: number) => string
  readonly months: string
  readonly today: string
  readonly thisMonth: string
  readonly wholeMonth: string
  readonly shortcuts: string
  readonly thisWeekend: string
  readonly noEventsInMonth: string
  readonly noEventsOnDay: string
  readonly noEventsOnDays: string
  readonly followingEvents: string
  readonly view: string
  readonly monthView: string
  readonly listView: string
  readonly filter: string
  readonly filtersSet: (count: number) => string
  readonly filters: Readonly<Record<'category' | 'city' | 'price' | 'language' | 'month', string>>
  readonly activeFilters: string
  readonly removeFilter: (label: string) => string
  readonly paid: string
  readonly noSuchEvents: string
  readonly noEvents: string
  readonly pages: string
  readonly pageOf: (page: number, pages: number) => string
  readonly previous: string
  readonly next: string
  readonly browse: string
  readonly lists: Readonly<Record<'venues' | 'organizers' | 'categories' | 'tags', string>>
  readonly upcomingCount: (count: number) => string
  readonly emptyList: string
  readonly nothingFound: (text: string) => string
  readonly showAll: string
  readonly where: string
  readonly address: string
  readonly map: string
  readonly organizers: string
  readonly cost: string
  readonly free: string
  readonly tickets: string
  readonly addToCalendar: string
  readonly subscribe: string
  readonly downloadCalendar: string
  readonly website: string
  readonly phone: string
  readonly email: string
  readonly categories: string
  readonly tags: string
  readonly partOf: string
  readonly parts: string
  readonly within: string
  readonly relatedEvents: string
  readonly otherEvents: string
  readonly previousEvent: string
  readonly nextEvent: string
  readonly fullSize: string
  readonly photoCredit: (credit: string) => string
  readonly attendance: string
  readonly attendanceModes: Readonly<Record<'ONLINE' | 'MIXED', string>>
  readonly statuses: Readonly<Record<'CANCELLED' | 'POSTPONED' | 'RESCHEDULED' | 'MOVED_ONLINE', StatusTexts>>
  readonly beforeTitle: (label: string) => string
  /** With its colon. */
  readonly previousDate: string
  readonly over: string
  readonly unpublished: string
  /** `original` is the name of the language that the record is shown in. */
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
  readonly starting: string
  readonly opensByItself: string
  readonly retry: string
  readonly unreadable: string
  readonly developers: string
  readonly graphql: string
  readonly tryGraphiql: string
  readonly rest: string
  readonly documentation: string
  readonly firstRequests: string
}

const en: Messages = {
  skip: 'Skip to content',
  languages: 'Languages',
  calendar: 'Calendar',
  breadcrumbs: 'You are here',
  contact: 'Contact',
  lead: 'What is on, where, and who organizes it.',
  upcomingEvents: 'Upcoming events',
  search: 'Search events',
  find: 'Search',
  searchResults: (text) => `Upcoming events with “${text}”`,
  noResults: 'No upcoming events match.',
  similar: 'No event has exactly these words. These have similar ones.',
  events: 'Events',
  eventCount: (count) => (count === 1 ? '1 event' : `${count.toLocaleString('en')} events`),
  moreEvents: (count) => `+ ${count} more`,
  months: 'Months',
  today: 'Today',
  thisMonth: 'This month',
  wholeMonth: 'Show the whole month',
  shortcuts: 'What many look for',
  thisWeekend: 'This weekend',
  noEventsInMonth: 'No events in this month.',
  noEventsOnDay: 'No events on this day.',
  noEventsOnDays: 'No events on these days.',
  followingEvents: 'Next events',
  view: 'View',
  monthView: 'Month',
  listView: 'List',
  filter: 'Filter',
  filtersSet: (count) => (count === 0 ? 'Filters' : `Filters (${count})`),
  filters: { category: 'Category', city: 'Place', price: 'Price', language: 'Language', month: 'Month' },
  activeFilters: 'Active filters',
  removeFilter: (label) => `Remove filter: ${label}`,
  paid: 'With entrance fee',
  noSuchEvents: 'No events.',
  noEvents: 'No upcoming events.',
  pages: 'Pages',
  pageOf: (page, pages) => `Page ${page} of ${pages}`,
  previous: 'Previous',
  next: 'Next',
  browse: 'Browse',
  lists: { venues: 'Venues', organizers: 'Organizers', categories: 'Categories', tags: 'Tags' },
  upcomingCount: (count) => (count === 1 ? '1 upcoming event' : `${count.toLocaleString('en')} upcoming events`),
  emptyList: 'Nothing is listed here yet.',
  nothingFound: (text) => `Nothing found for “${text}”.`,
  showAll: 'Show all',
  where: 'Where',
  address: 'Address',
  map: 'Map',
  organizers: 'Organizers',
  cost: 'Cost',
  free: 'Free',
  tickets: 'Tickets',
  addToCalendar: 'Add to calendar',
  subscribe: 'Subscribe in a calendar',
  downloadCalendar: 'Download (.ics)',
  website: 'Website',
  phone: 'Phone',
  email: 'Email',
  categories: 'Categories',
  tags: 'Tags',
  partOf: 'Part of',
  parts: 'Parts of this event',
  within: 'Within',
  relatedEvents: 'You may also like',
  otherEvents: 'Other events',
  previousEvent: 'Previous event',
  nextEvent: 'Next event',
  fullSize: 'Open the picture in full size',
  photoCredit: (credit) => `Photo: ${credit}`,
  attendance: 'Attendance',
  attendanceModes: { ONLINE: 'Online', MIXED: 'On site and online' },
  statuses: {
    CANCELLED: { label: 'Cancelled', text: 'This event does not take place.' },
    POSTPONED: { label: 'Postponed', text: 'The new date is not known yet.' },
    RESCHEDULED: { label: 'New date', text: 'This event was moved to another date.' },
    MOVED_ONLINE: { label: 'Moved online', text: 'This event takes place online instead of on site.' },
  },
  beforeTitle: (label) => `${label}:`,
  previousDate: 'Previous date:',
  over: 'This event is over.',
  unpublished: 'Not published: visitors do not see this page.',
  untranslated: (original) => `Not translated yet; shown in ${original}.`,
  locked: 'This page is protected. Enter its password to read it.',
  password: 'Password',
  open: 'Open',
  wrongPassword: 'The password is wrong.',
  home: 'Go to the calendar',
  notFound: 'Page not found.',
  notPublic: 'This page is not public.',
  gone: 'This page was removed.',
  signIn: 'The login or password is not valid.',
  later: 'Please try again later.',
  broken: 'Internal error. The server has logged it.',
  starting: 'The calendar is starting',
  retry: 'Try again',
  opensByItself:
    'This page opens by itself as soon as the calendar is ready. The very first start takes up to a minute.',
  unreadable: 'The form data cannot be processed.',
  developers: 'For developers',
  graphql: 'Query and change all content through one GraphQL schema.',
  tryGraphiql: 'Try it in GraphiQL',
  rest: 'The same records as JSON, for clients of the legacy contract.',
  documentation: 'Documentation',
  firstRequests: 'First requests',
}

const fr: Messages = {
  skip: 'Aller au contenu',
  languages: 'Langues',
  calendar: 'Agenda',
  breadcrumbs: 'Vous êtes ici',
  contact: 'Contact',
  lead: 'Ce qui se passe, où, et par qui.',
  upcomingEvents: 'Événements à venir',
  noEvents: 'Aucun événement à venir.',
  search: 'Rechercher des événements',
  find: 'Rechercher',
  searchResults: (text) => `Événements à venir avec «\u00a0${text}\u00a0»`,
  noResults: 'Aucun événement à venir ne correspond.',
  similar: 'Aucun événement ne contient exactement ces mots. Ceux-ci en contiennent de semblables.',
  events: 'Événements',
  eventCount: (count) => (count < 2 ? `${count} événement` : `${count.toLocaleString('fr')} événements`),
  moreEvents: (count) => (count === 1 ? '+ 1 autre' : `+ ${count} autres`),
  months: 'Mois',
  today: 'Aujourd’hui',
  thisMonth: 'Ce mois-ci',
  wholeMonth: 'Afficher tout le mois',
  shortcuts: 'Souvent recherché',
  thisWeekend: 'Ce week-end',
  noEventsInMonth: 'Aucun événement ce mois-ci.',
  noEventsOnDay: 'Aucun événement ce jour-là.',
  noEventsOnDays: 'Aucun événement ces jours-là.',
  followingEvents: 'Prochains événements',
  view: 'Affichage',
  monthView: 'Mois',
  listView: 'Liste',
  filter: 'Filtrer',
  filtersSet: (count) => (count === 0 ? 'Filtres' : `Filtres (${count})`),
  filters: { category: 'Catégorie', city: 'Lieu', price: 'Tarif', language: 'Langue', month: 'Mois' },
  activeFilters: 'Filtres actifs',
  removeFilter: (label) => `Retirer le filtre\u00a0: ${label}`,
  paid: 'Payant',
  noSuchEvents: 'Aucun événement.',
  pages: 'Pages',
  pageOf: (page, pages) => `Page ${page} sur ${pages}`,
  previous: 'Précédente',
  next: 'Suivante',
  browse: 'Parcourir',
  lists: { venues: 'Lieux', organizers: 'Organisateurs', categories: 'Catégories', tags: 'Mots-clés' },
  upcomingCount: (count) =>
    count < 2 ? `${count} événement à venir` : `${count.toLocaleString('fr')} événements à venir`,
  emptyList: 'Rien n’est répertorié ici pour le moment.',
  nothingFound: (text) => `Aucun résultat pour «\u00a0${text}\u00a0».`,
  showAll: 'Tout afficher',
  where: 'Où',
  address: 'Adresse',
  map: 'Carte',
  organizers: 'Organisation',
  cost: 'Tarif',
  free: 'Gratuit',
  tickets: 'Billets',
  addToCalendar: 'Ajouter à l’agenda',
  subscribe: 'S’abonner dans un agenda',
  downloadCalendar: 'Télécharger (.ics)',
  website: 'Site web',
  phone: 'Téléphone',
  email: 'E-mail',
  categories: 'Catégories',
  tags: 'Mots-clés',
  partOf: 'Fait partie de',
  parts: 'Au programme de cet événement',
  within: 'Sous-catégories',
  relatedEvents: 'À découvrir aussi',
  otherEvents: 'Autres événements',
  previousEvent: 'Événement précédent',
  nextEvent: 'Événement suivant',
  fullSize: 'Ouvrir l’image en taille réelle',
  photoCredit: (credit) => `Photo\u00a0: ${credit}`,
  attendance: 'Participation',
  attendanceModes: { ONLINE: 'En ligne', MIXED: 'Sur place et en ligne' },
  statuses: {
    CANCELLED: { label: 'Annulé', text: 'Cet événement n’a pas lieu.' },
    POSTPONED: { label: 'Reporté', text: 'La nouvelle date n’est pas encore connue.' },
    RESCHEDULED: { label: 'Nouvelle date', text: 'Cet événement a été déplacé à une autre date.' },
    MOVED_ONLINE: { label: 'Désormais en ligne', text: 'Cet événement a lieu en ligne et non sur place.' },
  },
  beforeTitle: (label) => `${label}\u00a0:`,
  previousDate: 'Date précédente\u00a0:',
  over: 'Cet événement est terminé.',
  unpublished: 'Non publié\u00a0: les visiteurs ne voient pas cette page.',
  untranslated: (original) => `Pas encore traduit ; affiché en ${original}.`,
  locked: 'Cette page est protégée. Saisissez son mot de passe pour la lire.',
  password: 'Mot de passe',
  open: 'Ouvrir',
  wrongPassword: 'Le mot de passe est incorrect.',
  home: 'Aller à l’agenda',
  notFound: 'Page introuvable.',
  notPublic: 'Cette page n’est pas publique.',
  gone: 'Cette page a été supprimée.',
  signIn: 'L’identifiant ou le mot de passe n’est pas valable.',
  later: 'Réessayez plus tard.',
  broken: 'Erreur interne. Le serveur l’a enregistrée.',
  starting: 'L’agenda démarre',
  retry: 'Réessayer',
  opensByItself:
    'Cette page s’ouvre d’elle-même dès que l’agenda est prêt. Le tout premier démarrage dure jusqu’à une minute.',
  unreadable: 'Les données du formulaire ne peuvent pas être traitées.',
  developers: 'Pour les développeurs',
  graphql: 'Lire et modifier tous les contenus avec un seul schéma GraphQL.',
  tryGraphiql: 'Essayer dans GraphiQL',
  rest: 'Les mêmes fiches en JSON, pour les clients du contrat historique.',
  documentation: 'Documentation',
  firstRequests: 'Premières requêtes',
}

const es: Messages = {
  skip: 'Ir al contenido',
  languages: 'Idiomas',
  calendar: 'Calendario',
  breadcrumbs: 'Está aquí',
  contact: 'Contacto',
  lead: 'Qué hay, dónde y quién lo organiza.',
  upcomingEvents: 'Próximos eventos',
  noEvents: 'No hay próximos eventos.',
  search: 'Buscar eventos',
  find: 'Buscar',
  searchResults: (text) => `Próximos eventos con «${text}»`,
  noResults: 'Ningún próximo evento coincide.',
  similar: 'Ningún evento contiene exactamente esas palabras. Estos contienen otras parecidas.',
  events: 'Eventos',
  eventCount: (count) => (count === 1 ? '1 evento' : `${count.toLocaleString('es')} eventos`),
  moreEvents: (count) => `+ ${count} más`,
  months: 'Meses',
  today: 'Hoy',
  thisMonth: 'Este mes',
  wholeMonth: 'Mostrar todo el mes',
  shortcuts: 'Lo más buscado',
  thisWeekend: 'Este fin de semana',
  noEventsInMonth: 'No hay eventos este mes.',
  noEventsOnDay: 'No hay eventos ese día.',
  noEventsOnDays: 'No hay eventos esos días.',
  followingEvents: 'Próximos eventos',
  view: 'Vista',
  monthView: 'Mes',
  listView: 'Lista',
  filter: 'Filtrar',
  filtersSet: (count) => (count === 0 ? 'Filtros' : `Filtros (${count})`),
  filters: { category: 'Categoría', city: 'Lugar', price: 'Precio', language: 'Idioma', month: 'Mes' },
  activeFilters: 'Filtros activos',
  removeFilter: (label) => `Quitar el filtro: ${label}`,
  paid: 'De pago',
  noSuchEvents: 'Ningún evento.',
  pages: 'Páginas',
  pageOf: (page, pages) => `Página ${page} de ${pages}`,
  previous: 'Anterior',
  next: 'Siguiente',
  browse: 'Explorar',
  lists: { venues: 'Lugares', organizers: 'Organizadores', categories: 'Categorías', tags: 'Etiquetas' },
  upcomingCount: (count) => (count === 1 ? '1 próximo evento' : `${count.toLocaleString('es')} próximos eventos`),
  emptyList: 'Todavía no hay nada aquí.',
  nothingFound: (text) => `No hay resultados para «${text}».`,
  showAll: 'Mostrar todo',
  where: 'Dónde',
  address: 'Dirección',
  map: 'Mapa',
  organizers: 'Organización',
  cost: 'Precio',
  free: 'Gratis',
  tickets: 'Entradas',
  addToCalendar: 'Añadir al calendario',
  subscribe: 'Suscribirse en un calendario',
  downloadCalendar: 'Descargar (.ics)',
  website: 'Sitio web',
  phone: 'Teléfono',
  email: 'Correo electrónico',
  categories: 'Categorías',
  tags: 'Etiquetas',
  partOf: 'Forma parte de',
  parts: 'Partes de este evento',
  within: 'Subcategorías',
  relatedEvents: 'También le puede interesar',
  otherEvents: 'Otros eventos',
  previousEvent: 'Evento anterior',
  nextEvent: 'Evento siguiente',
  fullSize: 'Abrir la imagen a tamaño completo',
  photoCredit: (credit) => `Foto: ${credit}`,
  attendance: 'Asistencia',
  attendanceModes: { ONLINE: 'En línea', MIXED: 'Presencial y en línea' },
  statuses: {
    CANCELLED: { label: 'Cancelado', text: 'Este evento no se celebra.' },
    POSTPONED: { label: 'Aplazado', text: 'La nueva fecha aún no se conoce.' },
    RESCHEDULED: { label: 'Nueva fecha', text: 'Este evento se ha trasladado a otra fecha.' },
    MOVED_ONLINE: { label: 'Ahora en línea', text: 'Este evento se celebra en línea y no de forma presencial.' },
  },
  beforeTitle: (label) => `${label}:`,
  previousDate: 'Fecha anterior:',
  over: 'Este evento ya ha terminado.',
  unpublished: 'Sin publicar: los visitantes no ven esta página.',
  untranslated: (original) => `Aún sin traducir; se muestra en ${original}.`,
  locked: 'Esta página está protegida. Introduzca su contraseña para leerla.',
  password: 'Contraseña',
  open: 'Abrir',
  wrongPassword: 'La contraseña es incorrecta.',
  home: 'Ir al calendario',
  notFound: 'Página no encontrada.',
  notPublic: 'Esta página no es pública.',
  gone: 'Esta página se ha eliminado.',
  signIn: 'El usuario o la contraseña no son válidos.',
  later: 'Inténtelo más tarde.',
  broken: 'Error interno. El servidor lo ha registrado.',
  starting: 'La agenda se está iniciando',
  retry: 'Reintentar',
  opensByItself: 'Esta página se abre sola en cuanto la agenda esté lista. El primer inicio tarda hasta un minuto.',
  unreadable: 'Los datos del formulario no se pueden procesar.',
  developers: 'Para desarrolladores',
  graphql: 'Consulte y modifique todo el contenido con un único esquema GraphQL.',
  tryGraphiql: 'Probar en GraphiQL',
  rest: 'Los mismos registros en JSON, para clientes del contrato heredado.',
  documentation: 'Documentación',
  firstRequests: 'Primeras peticiones',
}

const messagesByLanguage: Readonly<Record<string, Messages>> = { en, fr, es }

/** A regional language, such as `fr-ca`, has the texts of its base language. */
export const messagesOf = (language: string): Messages =>
  messagesByLanguage[language] ?? messagesByLanguage[language.split('-')[0] ?? ''] ?? en

/** Name of a language, in that language by default: `français`. */
export const languageName = (language: string, inLanguage = language): string =>
  new Intl.DisplayNames(inLanguage, { type: 'language' }).of(language) ?? language
