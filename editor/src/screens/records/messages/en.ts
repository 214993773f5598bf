import type { Widened } from '../../../messages/en.ts'

export const en = {
  new: { venues: 'New venue', organizers: 'New organizer', categories: 'New category', tags: 'New tag' },
  search: 'Search',
  found: (count: string) => `Found: ${count}`,
  none: 'Nothing matches.',
  events: (count: string) => `Events: ${count}`,
  missing: 'This no longer exists. It may have been deleted or merged.',
  noRight: 'You may read this, but not change it.',
  noParent: 'None',
  saved: (name: string) => `“${name}” is saved.`,
  minor: 'Small correction: translations stay current',
  conflict: 'Somebody changed this after you opened it. Load the current version, then repeat your change.',
  load: 'Load the current version',
  trash: 'Move to trash',
  trashed: (name: string) => `“${name}” is in the trash.`,
  restored: (name: string) => `“${name}” is back.`,
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete “${name}”`,
  deleteText: 'Events lose it. This cannot be undone.',
  deleted: (name: string) => `“${name}” is deleted.`,
  view: 'View the page',
  translate: 'Translate',
  duplicates: 'Possible duplicates',
  duplicatesHelp: 'These may be the same. Merge them, so that visitors find all events in one place.',
  compare: 'Compare',
  mergeTitle: 'Are these the same?',
  keep: 'Which one stays?',
  mergeText:
    'Its fields stay as they are. The events of the other one move to it, and old links lead to it. This cannot be undone.',
  merge: 'Merge',
  merged: (name: string) => `Merged into “${name}”.`,
  different: 'They are different',
}

export type RecordMessages = Widened<typeof en>
