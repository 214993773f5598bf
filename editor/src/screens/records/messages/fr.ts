import type { RecordMessages } from './en.ts'

export const fr: RecordMessages = {
  new: {
    venues: 'Nouveau lieu',
    organizers: 'Nouvel organisateur',
    categories: 'Nouvelle catégorie',
    tags: 'Nouveau mot-clé',
  },
  search: 'Rechercher',
  found: (count) => `Résultats : ${count}`,
  none: 'Aucun résultat.',
  events: (count) => `Événements : ${count}`,
  missing: 'Cet élément n’existe plus. Il a peut-être été supprimé ou fusionné.',
  noRight: 'Vous pouvez consulter cet élément, mais pas le modifier.',
  noParent: 'Aucune',
  saved: (name) => `« ${name} » est enregistré.`,
  minor: 'Petite correction : les traductions restent à jour',
  conflict:
    'Quelqu’un a modifié cet élément après que vous l’avez ouvert. Chargez la version actuelle, puis refaites votre modification.',
  load: 'Charger la version actuelle',
  trash: 'Mettre à la corbeille',
  trashed: (name) => `« ${name} » est dans la corbeille.`,
  restored: (name) => `« ${name} » est restauré.`,
  delete: 'Supprimer',
  deleteTitle: (name) => `Supprimer « ${name} »`,
  deleteText: 'Les événements ne l’auront plus. Cette suppression est irréversible.',
  deleted: (name) => `« ${name} » est supprimé.`,
  view: 'Voir la page',
  translate: 'Traduire',
  duplicates: 'Doublons possibles',
  duplicatesHelp:
    'Ces éléments désignent peut-être la même chose. Fusionnez-les pour que le public trouve tous les événements au même endroit.',
  compare: 'Comparer',
  mergeTitle: 'Est-ce la même chose ?',
  keep: 'Lequel faut-il garder ?',
  mergeText:
    'Ses champs ne changent pas. Les événements de l’autre lui sont rattachés, et les anciens liens y mènent. Cette fusion est irréversible.',
  merge: 'Fusionner',
  merged: (name) => `Fusionné dans « ${name} ».`,
  different: 'Ce n’est pas la même chose',
}
