import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'A record without text in a language is shown in its original language before the default one',
    file: 'src/basics/language.ts',
    find: '[language, defaultLanguage, original]',
    replace: '[language, original, defaultLanguage]',
    tests: ['test/language.test.ts'],
  },
  {
    title: 'Without language fallback, the URL of a record leads to a page in a language that it does not have',
    file: 'src/calendar/rules/page-url.ts',
    find: 'settings.languageFallback ? context.language : source',
    replace: "source === '' ? source : context.language",
    tests: ['test/pages/addresses.test.ts'],
  },
  {
    title: 'A calendar file names the wrong language for a description that is an excerpt',
    file: 'src/apis/feeds/icalendar/event.ts',
    find: 'descriptionHtml ? languages.description : languages.excerpt',
    replace: 'languages.description',
    tests: ['test/feeds/serialize.test.ts'],
  },
  {
    title: 'The filter missingTranslation with two languages finds only records that lack both',
    file: 'src/calendar/list/post-filter.ts',
    find: '{ texts: { some: { language: { in: [...missingTranslation] }, NOT: isNamed } } }',
    replace: '{ texts: { none: { language: { in: [...missingTranslation] }, ...isNamed } } }',
    tests: ['test/filters/translations.test.ts'],
  },
  {
    title: 'An address that begins with the letters of a language is taken for its root',
    file: 'src/service/http/language-root.ts',
    find: ')(?=[/?]|$)`',
    replace: ')`',
    tests: ['test/http/language-roots.test.ts'],
  },
]
