import type { Settings } from '../../basics/env.ts'
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { maxPageSize } from '../../service/graphql/page-size.ts'

const Site = builder.objectRef<Settings>('Site').implement({
  description: 'Settings of the site. The settings stay the same until the service restarts.',
  fields: (t) => ({
    name: t.exposeString('siteName', { description: 'Name of the site.' }),
    languages: t.field({
      type: [LanguageCode],
      description: 'The languages of the site, in the order of its settings.',
      resolve: ({ languages }) => languages,
    }),
    defaultLanguage: t.expose('defaultLanguage', {
      type: LanguageCode,
      description: 'The language of operations that do not set a language, and of texts without a translation.',
    }),
    icalendarUrl: t.field({
      type: 'URL',
      description: 'iCalendar feed of all events in the language of the operation, to subscribe to.',
      resolve: ({ publicUrl, defaultLanguage }, _args, { language }) =>
        `${publicUrl}${language === defaultLanguage ? '' : `/${language}`}/events.ics`,
    }),
    timeZone: t.exposeString('siteTimeZone', {
      description: 'The default time zone of events: an IANA time zone, or a fixed offset such as `UTC+5:30`.',
    }),
    pageSize: t.exposeInt('perPageDefault', { description: 'Default number of items on a page of a list.' }),
    maxPageSize: t.int({ description: 'Maximum number of items on a page of a list.', resolve: maxPageSize }),
  }),
})

builder.queryField('site', (t) =>
  t.field({
    type: Site,
    description: 'The settings of the site that clients need, such as its languages.',
    resolve: (_root, _args, { settings }) => settings,
  }),
)
