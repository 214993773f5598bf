import type { TranslationMessages } from './en.ts'

export const es: TranslationMessages = {
  into: 'Traducir a',
  tab: (language, count) => `${language} (${count})`,
  state: 'Pendiente',
  anyState: 'Todo',
  states: { MISSING: 'Falta', OUTDATED: 'Anticuada', IN_REVIEW: 'Por revisar' },
  stateHelp: {
    MISSING: 'Aún no hay texto',
    OUTDATED: 'El original cambió después de la traducción',
    IN_REVIEW: 'Alguien debe revisarla',
  },
  kinds: { EVENT: 'Evento', VENUE: 'Lugar', ORGANIZER: 'Organizador', CATEGORY: 'Categoría', TAG: 'Etiqueta' },
  found: (count) => `Pendientes: ${count}`,
  done: 'Todo está traducido.',
  oneLanguage: 'El sitio tiene un solo idioma.',
  back: 'Todas las traducciones',
  title: (name) => `Traducir «${name}»`,
  missing: 'Ya no existe.',
  noRight: 'Puede consultarlo, pero no traducirlo.',
  from: 'Desde',
  fields: { name: 'Nombre o título', excerpt: 'Resumen', description: 'Descripción' },
  inLanguage: (field, language) => `${field} (${language})`,
  fallback: 'El texto gris es el que ve el público mientras el campo está vacío.',
  save: 'Guardar',
  review: 'Guardar para revisar',
  saved: (name, language) => `«${name}» se ha guardado en ${language}.`,
  next: 'Siguiente',
  conflict:
    'Alguien lo ha modificado después de que usted lo abriera. Copie su texto, cargue la versión actual y péguelo.',
  load: 'Cargar la versión actual',
}
