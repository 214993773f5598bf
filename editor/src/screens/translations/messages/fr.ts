import type { TranslationMessages } from './en.ts'

export const fr: TranslationMessages = {
  into: 'Traduire en',
  tab: (language, count) => `${language} (${count})`,
  state: 'À faire',
  anyState: 'Tout',
  states: { MISSING: 'Absente', OUTDATED: 'Dépassée', IN_REVIEW: 'À relire' },
  stateHelp: {
    MISSING: 'Pas encore de texte',
    OUTDATED: 'L’original a été modifié après la traduction',
    IN_REVIEW: 'Quelqu’un doit la relire',
  },
  kinds: { EVENT: 'Événement', VENUE: 'Lieu', ORGANIZER: 'Organisateur', CATEGORY: 'Catégorie', TAG: 'Mot-clé' },
  found: (count) => `À faire : ${count}`,
  done: 'Tout est traduit.',
  oneLanguage: 'Le site n’a qu’une langue.',
  back: 'Toutes les traductions',
  title: (name) => `Traduire « ${name} »`,
  missing: 'Cet élément n’existe plus.',
  noRight: 'Vous pouvez consulter cet élément, mais pas le traduire.',
  from: 'À partir de',
  fields: { name: 'Nom ou titre', excerpt: 'Résumé', description: 'Description' },
  inLanguage: (field, language) => `${field} (${language})`,
  fallback: 'Le texte gris est celui que le public voit tant que le champ est vide.',
  save: 'Enregistrer',
  review: 'Enregistrer, à relire',
  saved: (name, language) => `« ${name} » est enregistré en ${language}.`,
  next: 'Suivant',
  conflict:
    'Quelqu’un a modifié cet élément après que vous l’avez ouvert. Copiez votre texte, chargez la version actuelle et collez-le.',
  load: 'Charger la version actuelle',
}
