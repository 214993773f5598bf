import type { Widened } from '../../../messages/en.ts'

export const en = {
  into: 'Translate into',
  tab: (language: string, count: string) => `${language} (${count})`,
  state: 'To do',
  anyState: 'Everything',
  states: { MISSING: 'Missing', OUTDATED: 'Outdated', IN_REVIEW: 'To be checked' },
  stateHelp: {
    MISSING: 'No text yet',
    OUTDATED: 'The original was changed after the translation',
    IN_REVIEW: 'Somebody should check it',
  },
  kinds: { EVENT: 'Event', VENUE: 'Venue', ORGANIZER: 'Organizer', CATEGORY: 'Category', TAG: 'Tag' },
  found: (count: string) => `To do: ${count}`,
  done: 'Everything is translated.',
  oneLanguage: 'The site has one language only.',
  back: 'All translations',
  title: (name: string) => `Translate “${name}”`,
  missing: 'This no longer exists.',
  noRight: 'You may read this, but not translate it.',
  from: 'From',
  fields: { name: 'Name or title', excerpt: 'Summary', description: 'Description' },
  inLanguage: (field: string, language: string) => `${field} (${language})`,
  fallback: 'Grey text is what visitors see while the field is empty.',
  save: 'Save',
  review: 'Save, to be checked',
  saved: (name: string, language: string) => `“${name}” is saved in ${language}.`,
  next: 'Next',
  conflict: 'Somebody changed this after you opened it. Copy your text, load the current version, and paste it there.',
  load: 'Load the current version',
}

export type TranslationMessages = Widened<typeof en>
