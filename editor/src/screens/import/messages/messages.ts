import { screenMessages } from '../../../messages.ts'

export const useImportMessages = screenMessages({
  en: () => import('./en.ts').then(({ en }) => en),
  fr: () => import('./fr.ts').then(({ fr }) => fr),
  es: () => import('./es.ts').then(({ es }) => es),
})
